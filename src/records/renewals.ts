import * as z from 'zod'
import { join, sql, value } from '../compiler/fragment.ts'
import { amount, inUnits, sumOrNull } from '../core/amount.ts'
import { errorFromIssues } from '../core/errors.ts'
import {
  BEGINNING,
  dayAfter,
  dayOf,
  dayOfNumber,
  dayStart,
  daysBefore,
  nextPeriod,
  numberOfDay,
  periodStart,
  periodsOn,
  sqlNow,
} from '../core/periods.ts'
import { shapeRecords } from '../execution/answer/describe-columns.ts'
import type { Question } from '../execution/pipeline.ts'
import { compileData, type RunContext } from '../execution/run.ts'
import { withOwnEnds } from '../execution/session/swap-window.ts'
import { integerCell, integerOrNull, textCell, textOf } from '../ports/cells.ts'
import type { Row } from '../ports/rows.ts'
import { planField } from '../query/dimensions/plan.ts'
import { beyondHorizon, horizonOf } from '../query/forecast.ts'
import { listField, type RowsOfSubscriptions, TENANT_FIELD } from '../query/lists/definition.ts'
import { type DataRequest, type ListInputs, namedInList, parseData } from '../query/lists/request.ts'
import type { Raw } from '../query/raw-parameters.ts'
import { forecastWarning } from '../query/request.ts'
import { conditionsOf, listFact, listFilters, ofCustomers } from './filters.ts'
import { onRows, refuseBandGaps } from './subscription-conditions.ts'
import { asDeclared, warnOfMissingRates } from './written-rows.ts'

/** Relations without which renewals cannot be listed. */
export const RENEWAL_READS: readonly string[] = ['subscription', 'subscription_span', 'customer', 'plan']

/** Months of the answer if the request has no end: this one and the whole months after it. */
const USUAL_MONTHS = 12

const DAY_MS = 86_400_000

const TERM_ENDS = ['period', 'fixed_term'] as const

/** A contract is a fixed term, or a billed period of more than a month. */
const TERMS = ['contract', 'monthly'] as const

/** Billing periods of a month or less. The engines write them in capitals or in small letters. */
const SHORT_PERIODS = ['daily', 'weekly', 'biweekly', 'thirty_days', 'thirty_one_days', 'monthly']

const isShort = sql`coalesce(priced.billing_period, plan.billing_period) in (${join(
  SHORT_PERIODS.flatMap((word) => [word, word.toUpperCase()]).map((word) => value(word, 'text')),
  sql`, `,
)})`

/** Parameters and filters of renewals. */
export const RENEWAL_INPUTS: ListInputs = {
  fields: [
    TENANT_FIELD,
    listField('plan_id', 'Plan from the renewal on.', sql`coalesce(plan.plan_id, fact.plan)`, { same_as: planField('plan_id') }),
    listField('currency', 'Currency of the subscription. customer.currency is that of the account.', sql`fact.currency`, {
      isUpperCase: true,
    }),
    listField('ends', TERM_ENDS.join(', '), sql`fact.ends`, { known: TERM_ENDS }),
    listField(
      'term',
      'contract: a fixed term, or a billed period of more than a month. monthly: all others.',
      sql`case when fact.ends = 'period' and ${isShort} then 'monthly' else 'contract' end`,
      { known: TERMS },
    ),
  ],
  statuses: [],
  subscriptions: 'all',
  own: ['limit', 'offset', 'search', 'source_id', 'customer_id'],
  takesDays: true,
  takesSegment: true,
  isAhead: true,
}

/** The rows of sql/data/renewals.sql are spans. */
const ROWS: RowsOfSubscriptions = {
  fields: [
    listField('billing_period', 'Billing period from the renewal on.', sql`coalesce(priced.billing_period, plan.billing_period)`),
  ],
  joined: ['customer', 'tenant', 'plan'],
}

const text = z.string().nullable()
const day = z.string().meta({ format: 'date' })
const cents = (description: string) => amount(z.number().int().nullable().describe(description))
const BASE = 'MRR from the renewal on, in base cents; null if a price or an exchange rate is missing'

/** A subscription that renews. */
export const RENEWAL_ROW = z
  .strictObject({
    renews_on: day.describe('First day of the next term, a local day of the customer'),
    ends: z.enum(TERM_ENDS).describe('What ends: a billed period, or a fixed term'),
    term: z.enum(TERMS).describe('contract: a fixed term, or a billed period of more than a month; monthly: all others'),
    customer_id: z.string(),
    customer_name: text,
    source_id: z.string().describe('Id of the tenant of the engine'),
    tenant: text,
    subscription_id: z.string(),
    plan_id: text.describe('Plan from the renewal on'),
    billing_period: text.describe('Billing period from the renewal on, in the words of the engine'),
    quantity: z.number().int(),
    currency: text,
    mrr_cents: cents('MRR from the renewal on, in cents of the currency, without usage; null if the price is missing'),
    mrr_base_cents: cents(BASE),
    admin_url: text.describe("The customer's page in the billing system; null if the connector has no address for it"),
  })
  .meta({ id: 'Renewal', description: 'A subscription that renews' })

/** The renewals of a month. */
export const RENEWAL_MONTH = z
  .strictObject({
    month: day.describe('First day of the month'),
    renewals: z.number().int().nonnegative(),
    mrr_base_cents: cents(BASE),
    contracts: z.number().int().nonnegative().describe('Renewals of contracts'),
    contract_mrr_base_cents: cents(`${BASE}; of contracts`),
  })
  .meta({ id: 'RenewalMonth', description: 'The renewals of a month' })

type Renewal = z.infer<typeof RENEWAL_ROW>
type RenewalMonth = z.infer<typeof RENEWAL_MONTH>

const FOUND = z.object({ months: z.array(RENEWAL_MONTH), rows: z.array(RENEWAL_ROW) })

/** A request with the days on which renewals are due. */
interface RenewalRequest extends DataRequest {
  readonly start: string
  readonly end: string
}

interface RenewalPage {
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly months: readonly RenewalMonth[]
  readonly rows: readonly Renewal[]
}

/** Subscriptions whose billed period or fixed term ends on days to come, by month. Days are local days of the customers (D82). */
export function renewalsQuestion(params: Raw, spec: Raw, sets: readonly string[]): Question<RenewalRequest, RenewalPage> {
  const inputs = { ...RENEWAL_INPUTS, sets }
  return {
    key: ['renewals', params, spec],
    set: undefined,
    isForecast: true,
    named: namedInList(params, spec, inputs),
    plan: (now, names) => withDays(parseData(params, spec, inputs, now, names), now),
    planAt: (request) => request,
    takesAttributes: () => false,
    audience: ({ audience }) => audience,
    conditions: conditionsOf,
    async run(request, context) {
      const { session, warn, deps } = context
      for (const warning of [...request.warnings, forecastWarning(session.now)]) warn(warning)
      await refuseBandGaps(request.ofSubscription, context)
      const all = (await readRenewals(request, context)).map(renewalOf)
      const unrated = all.filter((row) => row.mrr_cents !== null && row.mrr_base_cents === null)
      warnOfMissingRates(
        unrated.map(({ currency }) => currency),
        context,
      )
      const { limit, offset } = request
      const rows = all
        .slice(offset, offset + limit)
        .map((row) => ({ ...row, admin_url: deps.connector.customerUrl?.(row.customer_id) ?? null }))
      const found = asDeclared(FOUND, { months: monthsOf(all, request), rows }, 'an answer about renewals')
      return { total: all.length, limit, offset, ...found }
    },
    shape({ months, ...page }, request, { session }) {
      const base = session.definitions.base_currency
      const sums = request.money === 'units' ? inUnits(months, z.array(RENEWAL_MONTH), base) : months
      const shaped = shapeRecords({ data: page, kind: 'page' }, RENEWAL_ROW, request, base)
      return { ...shaped, data: { ...(shaped.data as typeof page), months: sums } }
    },
  }
}

/** The days of the request: from tomorrow at the earliest, up to the horizon of a forecast. AppError `invalid_range`. */
function withDays(request: DataRequest, now: Date): RenewalRequest {
  const tomorrow = dayOf(dayAfter(dayOf(now)))
  const horizon = horizonOf(now)
  const last = dayOf(horizon)
  const start = request.start ?? tomorrow
  const refuse = (where: 'start' | 'end', value: string, message: string) =>
    errorFromIssues([{ code: 'invalid_range', where: `params.${where}`, value, message, did_you_mean: [] }])
  if (start < tomorrow)
    throw refuse('start', start, `Renewals are due after today: "start" must be ${tomorrow} or later, not ${start}.`)
  if (start > last) throw refuse('start', start, beyondHorizon(horizon))
  const end = request.end ?? usualEnd(start, last)
  if (end < start) throw refuse('end', end, `The range ends on ${end}, before it starts on ${start}.`)
  if (end > last) throw refuse('end', end, beyondHorizon(horizon))
  return { ...request, start, end }
}

/** The last day of the usual months, or the last day that a forecast knows if that comes first. */
function usualEnd(start: string, last: string): string {
  const months = periodsOn(nextPeriod(periodStart(dayStart(start), 'month'), 'month'), 'month', USUAL_MONTHS)
  const end = daysBefore(dayOf(months), 1)
  return end < last ? end : last
}

async function readRenewals(request: RenewalRequest, context: RunContext): Promise<readonly Row[]> {
  const { session } = context
  const horizon = session.calendar.instantOf(horizonOf(session.now))
  const fact = listFact(context)
  const rows = onRows(request.ofSubscription, ROWS, fact)
  const filters = sql`${listFilters(ofCustomers(sql`fact.subscription_id`), request, fact)}${rows.filters}`
  const run = {
    template: 'data/renewals',
    slots: { joins: rows.joins, filters },
    params: {
      first_day: numberOfDay(request.start),
      end_day: numberOfDay(request.end) + 1,
      rate_day: daysBefore(dayOf(session.now), 1),
      until: sqlNow(new Date(horizon.getTime() + DAY_MS)),
    },
    // A local day west of UTC ends up to a day later.
    window: { from: BEGINNING, to: dayAfter(dayOf(dayAfter(request.end))) },
  }
  return context.run(await compileData(run, request.audience, { ...context, session: withOwnEnds(session) }))
}

function renewalOf(row: Row): Renewal {
  return {
    renews_on: dayOfNumber(integerCell(row, 'renewal_number')),
    ends: textOf(row, 'ends') as Renewal['ends'],
    term: termOf(row),
    customer_id: textOf(row, 'customer_id'),
    customer_name: textCell(row, 'customer_name'),
    source_id: textOf(row, 'source_id'),
    tenant: textCell(row, 'tenant_name'),
    subscription_id: textOf(row, 'subscription_id'),
    plan_id: textCell(row, 'plan_id'),
    billing_period: textCell(row, 'billing_period'),
    quantity: integerCell(row, 'quantity'),
    currency: textCell(row, 'currency'),
    mrr_cents: integerOrNull(row, 'mrr_cents'),
    mrr_base_cents: integerOrNull(row, 'mrr_base_cents'),
    admin_url: null,
  }
}

function termOf(row: Row): Renewal['term'] {
  const isMonthly = SHORT_PERIODS.includes(textCell(row, 'billing_period')?.toLowerCase() ?? '')
  return textOf(row, 'ends') === 'period' && isMonthly ? 'monthly' : 'contract'
}

/** A row for each month of the range, also without renewals. */
function monthsOf(renewals: readonly Renewal[], { start, end }: RenewalRequest): readonly RenewalMonth[] {
  const months: RenewalMonth[] = []
  for (let month = periodStart(dayStart(start), 'month'); dayOf(month) <= end; month = nextPeriod(month, 'month')) {
    const name = dayOf(month)
    const own = renewals.filter(({ renews_on }) => renews_on.slice(0, 7) === name.slice(0, 7))
    const contracts = own.filter(({ term }) => term === 'contract')
    const sumOf = (rows: readonly Renewal[]) => sumOrNull(rows.map((row) => row.mrr_base_cents))
    months.push({
      month: name,
      renewals: own.length,
      mrr_base_cents: sumOf(own),
      contracts: contracts.length,
      contract_mrr_base_cents: sumOf(contracts),
    })
  }
  return months
}
