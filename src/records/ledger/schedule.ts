import * as z from 'zod'
import { sql } from '../../compiler/fragment.ts'
import { inUnits } from '../../core/amount.ts'
import { type AskedSets, setNamed } from '../../core/definition-sets/sets.ts'
import { AppError, errorFromIssues } from '../../core/errors.ts'
import { groupBy } from '../../core/group-by.ts'
import {
  dayOf,
  dayOfNumber,
  dayStart,
  nextPeriod,
  numberOfDay,
  type Period,
  periodStart,
  periodsBetween,
} from '../../core/periods.ts'
import { shapeRecords } from '../../execution/answer/describe-columns.ts'
import type { Question } from '../../execution/pipeline.ts'
import { compileData, type RunContext } from '../../execution/run.ts'
import { dayRelation } from '../../metrics/ledger/days.ts'
import { booksWindow, chargeParams, closedOn, optionsOf } from '../../metrics/ledger/options.ts'
import { dayOrNull, integerCell, textCell, textOf } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { type DataRequest, type ListInputs, namedInList, parseData } from '../../query/lists/request.ts'
import type { Raw } from '../../query/raw-parameters.ts'
import { allOf, isText, listFact, listFilters, ofCustomers } from '../filters.ts'
import { asDeclared } from '../written-rows.ts'
import { CHARGE_VERSION, type ChargeVersion, SCHEDULE_ROW, type ScheduleRow } from './rows.ts'

/** Relations without which schedules cannot be shown. */
export const SCHEDULE_READS: readonly string[] = ['ledger_invoice', 'ledger_charge', 'ledger_adjustment', 'customer']

/** Parameters of recognition schedules. */
export const SCHEDULE_INPUTS: ListInputs = {
  fields: [],
  statuses: [],
  own: ['invoice_id', 'subscription_id', 'spread', 'one_off', 'unbilled', 'known_at', 'limit', 'offset', 'source_id'],
  takesDays: false,
  takesSegment: false,
}

/** Most months of a schedule: a century. */
const MOST_MONTHS = 1200

/** Days of versions beyond these have no date. */
const LAST_DAY = 2_900_000

const FOUND = z.object({ versions: z.array(CHARGE_VERSION), rows: z.array(SCHEDULE_ROW) })

interface SchedulePage {
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly versions: readonly ChargeVersion[]
  readonly rows: readonly ScheduleRow[]
}

/** The versions of the charges of an invoice or a subscription, and the revenue of each month (R5 to R10). */
export function scheduleQuestion(params: Raw, spec: Raw, sets: AskedSets): Question<DataRequest, SchedulePage> {
  const inputs = { ...SCHEDULE_INPUTS, sets: sets.names }
  return {
    key: ['ledger schedule', params, spec],
    set: setNamed(params),
    named: namedInList(params, spec, inputs),
    plan: (now, names) => withSubject(parseData(params, spec, inputs, now, names)),
    planAt: (request) => request,
    takesAttributes: () => false,
    audience: ({ audience }) => audience,
    conditions: () => [],
    async run(request, context) {
      for (const warning of request.warnings) context.warn(warning)
      const stretches = await read('data/ledger_versions', request, [], context)
      if (stretches.length === 0) throw withoutCharges(request)
      const months = monthsOf(stretches)
      const states = await read('data/ledger_schedule', request, months, context)
      const all = rowsOf(stretches, states, months)
      const { limit, offset } = request
      const { spread } = optionsOf({ request, definitions: context.session.definitions })
      const found = { versions: versionsOf(stretches, spread), rows: all.slice(offset, offset + limit) }
      return { total: all.length, limit, offset, ...asDeclared(FOUND, found, 'a schedule') }
    },
    shape({ versions, ...page }, request, { session }) {
      const base = session.definitions.base_currency
      const shown = request.money === 'units' ? inUnits(versions, z.array(CHARGE_VERSION), base) : versions
      const shaped = shapeRecords({ data: page, kind: 'page' }, SCHEDULE_ROW, request, base)
      return { ...shaped, data: { ...(shaped.data as typeof page), versions: shown } }
    },
  }
}

function withSubject(request: DataRequest): DataRequest {
  if (request.invoice_id !== undefined || request.subscription_id !== undefined) return request
  const message = 'A schedule is that of an invoice or a subscription: name one with "invoice_id" or "subscription_id".'
  throw errorFromIssues([{ code: 'invalid_value', where: 'params.invoice_id', message, did_you_mean: [] }])
}

function withoutCharges({ invoice_id, subscription_id }: DataRequest): AppError {
  const subject = [
    ...(invoice_id === undefined ? [] : [`invoice "${invoice_id}"`]),
    ...(subscription_id === undefined ? [] : [`subscription "${subscription_id}"`]),
  ]
  return new AppError('not_found', `The books have no charge of ${subject.join(' and ')}.`)
}

async function read(
  template: string,
  request: DataRequest,
  months: readonly Period[],
  context: RunContext,
): Promise<readonly Row[]> {
  const { definitions, now } = context.session
  const { invoice_id, subscription_id } = request
  const subject = allOf([
    ...(invoice_id === undefined ? [] : [isText(sql`fact.invoice_id`, invoice_id)]),
    ...(subscription_id === undefined ? [] : [isText(sql`fact.subscription_id`, subscription_id)]),
  ])
  const asked = { request, definitions }
  const run = {
    template,
    slots: { filters: sql`${listFilters(ofCustomers(), request, listFact(context))}${subject}` },
    params: chargeParams(asked),
    ...(months.length === 0
      ? {}
      : { inline: [dayRelation(months.map(lastDayOf).map((day) => ({ day, before: null, known: closedOn(asked, day) })))] }),
    window: booksWindow({ now }),
  }
  return context.run(await compileData(run, request.audience, context))
}

function lastDayOf({ to }: Period): string {
  return dayOf(new Date(to.getTime() - 1))
}

/** The months from the first day on which anything is known to the last day of service, of the posting, or of the last change. AppError `result_too_large`. */
function monthsOf(stretches: readonly Row[]): readonly Period[] {
  const first = Math.min(...stretches.map((row) => integerCell(row, 'known_number')))
  const last = Math.max(
    ...stretches.map((row) =>
      Math.max(integerCell(row, 'known_number'), lastServed(row), numberOfDay(dayOrNull(row, 'posted_on') ?? '')),
    ),
  )
  const from = periodStart(dayStart(dayOfNumber(first)), 'month')
  const months = periodsBetween(from, nextPeriod(periodStart(dayStart(dayOfNumber(last)), 'month'), 'month'), 'month')
  if (months.length <= MOST_MONTHS) return months
  throw new AppError(
    'result_too_large',
    `The charges are about ${months.length} months; a schedule has at most ${MOST_MONTHS}.`,
    {
      context: { limit: MOST_MONTHS },
    },
  )
}

function lastServed(row: Row): number {
  return integerCell(row, 'start_number') + Math.max(integerCell(row, 'days'), 1) - 1
}

/** A row for each charge and month in which its revenue or its net changes. */
function rowsOf(stretches: readonly Row[], states: readonly Row[], months: readonly Period[]): readonly ScheduleRow[] {
  const ofCharge = new Map(stretches.map((row) => [textOf(row, 'charge_id'), row]))
  const statesOf = groupBy(states, (row) => textOf(row, 'charge_id'))
  return [...ofCharge].flatMap(([charge_id, charge]) => {
    let before = { recognized: 0, net: 0 }
    return (statesOf.get(charge_id) ?? []).flatMap((state) => {
      const so_far = integerCell(state, 'at_cents')
      const net = integerCell(state, 'net_cents')
      const recognized = so_far - before.recognized
      const isShown = recognized !== 0 || net !== before.net
      before = { recognized: so_far, net }
      return isShown ? [rowOf(charge, state, months, recognized)] : []
    })
  })
}

function rowOf(charge: Row, state: Row, months: readonly Period[], recognized_cents: number): ScheduleRow {
  const month = months[integerCell(state, 'day_index')]
  return {
    charge_id: textOf(charge, 'charge_id'),
    invoice_id: textCell(charge, 'invoice_id'),
    number: textCell(charge, 'invoice_number'),
    customer_id: textOf(charge, 'customer_id'),
    customer_name: textCell(charge, 'customer_name'),
    source_id: textOf(charge, 'source_id'),
    tenant: textCell(charge, 'tenant_name'),
    subscription_id: textCell(charge, 'subscription_id'),
    plan: textCell(charge, 'plan'),
    kind: textOf(charge, 'charge_kind') as ScheduleRow['kind'],
    currency: textOf(charge, 'currency'),
    posted_on: dayOrNull(charge, 'posted_on') ?? '',
    starts_on: dayOrNull(charge, 'service_from'),
    ends_on: dayOrNull(charge, 'service_to'),
    charged_cents: integerCell(charge, 'charged_cents'),
    month: month === undefined ? '' : dayOf(month.from),
    net_cents: integerCell(state, 'net_cents'),
    done: integerCell(state, 'whole') === 0 ? 0 : integerCell(state, 'done'),
    whole: integerCell(state, 'whole'),
    recognized_cents,
    recognized_so_far_cents: integerCell(state, 'at_cents'),
    deferred_cents: integerCell(state, 'deferred_cents'),
    unbilled_cents: integerCell(state, 'unbilled_cents'),
  }
}

/** The versions of charges. Kept days have stretches only if revenue is spread by days. */
function versionsOf(stretches: readonly Row[], spread: string): readonly ChargeVersion[] {
  const versions = groupBy(stretches, (row) => `${textOf(row, 'charge_id')} ${integerCell(row, 'known_number')}`)
  return [...versions.values()].flatMap((rows) => {
    const [first] = rows
    if (first === undefined) return []
    const known_to = integerCell(first, 'end_number')
    const kept = spread === 'month' ? [] : rows.filter((row) => integerCell(row, 'days') > 0)
    return [
      {
        charge_id: textOf(first, 'charge_id'),
        currency: textOf(first, 'currency'),
        known_from: dayOfNumber(integerCell(first, 'known_number')),
        known_to: known_to < LAST_DAY ? dayOfNumber(known_to) : null,
        net_cents: integerCell(first, 'net_cents'),
        whole: integerCell(first, 'whole'),
        kept: kept.map((row) => ({
          starts_on: dayOfNumber(integerCell(row, 'start_number')),
          ends_on: dayOfNumber(integerCell(row, 'start_number') + integerCell(row, 'days')),
        })),
      },
    ]
  })
}
