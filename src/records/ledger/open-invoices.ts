import * as z from 'zod'
import { digits, type Fragment, join, sql, value } from '../../compiler/fragment.ts'
import { type AskedSets, setNamed } from '../../core/definition-sets/sets.ts'
import { dayOf, dayOfNumber, numberOfDay } from '../../core/periods.ts'
import { shapeRecords } from '../../execution/answer/describe-columns.ts'
import type { Question } from '../../execution/pipeline.ts'
import { compileData, type RunContext } from '../../execution/run.ts'
import { dayRelation } from '../../metrics/ledger/days.ts'
import { balanceParams, booksWindow, type LedgerDefinitions, optionsOf } from '../../metrics/ledger/options.ts'
import { ageAt, agesOf } from '../../metrics/ledger/receivables.ts'
import { dayOrNull, integerCell, integerOrNull, textCell, textOf } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { listField, orderFields, orderSlot, TENANT_FIELD } from '../../query/lists/definition.ts'
import { type DataRequest, type ListInputs, namedInList, parseData } from '../../query/lists/request.ts'
import type { Raw } from '../../query/raw-parameters.ts'
import { FUTURE_CLAMPED } from '../../query/request.ts'
import { BOOKS } from '../../relations/books.ts'
import { conditionsOf, listFact, listFilters, ofCustomers } from '../filters.ts'
import { readWithTotal } from '../list.ts'
import { asDeclared, warnOfMissingRates } from '../written-rows.ts'
import { OPEN_INVOICE_ROW, type OpenInvoice } from './rows.ts'

/** Relations without which open invoices of a day cannot be listed. */
export const OPEN_INVOICE_READS: readonly string[] = [...BOOKS, 'customer']

const ORDER = orderFields({
  texts: {
    invoice_id: 'invoice_id',
    number: 'invoice_number',
    customer_id: 'customer_id',
    customer_name: 'customer_name',
    source_id: 'source_id',
    tenant: 'tenant_name',
    currency: 'currency',
  },
  others: {
    issued_on: 'issued_on',
    days_past_due: 'days_past_due',
    total_cents: 'total_cents',
    paid_cents: 'paid_cents',
    balance_cents: 'balance_cents',
    reopened_cents: 'reopened_cents',
    balance_base_cents: 'balance_base_cents',
  },
})

const AGE = 'age'

/** Parameters and filters of the open invoices of a day. */
export const OPEN_INVOICE_INPUTS: ListInputs = {
  fields: [
    TENANT_FIELD,
    listField('currency', 'Currency of the invoice. customer.currency is that of the account.', sql`fact.currency`, {
      isUpperCase: true,
    }),
    // Its values depend on the buckets of the request.
    listField(AGE, 'current, 1-30, 31-60, 61-90 or over-90, or as `buckets` says.', sql`fact.days_past_due`),
  ],
  statuses: [],
  order: Object.keys(ORDER),
  own: [
    'at',
    'net_terms',
    'buckets',
    'receivables_rate',
    'known_at',
    'order',
    'limit',
    'offset',
    'search',
    'source_id',
    'customer_id',
  ],
  takesDays: false,
  takesSegment: true,
}

const FOUND = z.array(OPEN_INVOICE_ROW)

interface OpenInvoicePage {
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly rows: readonly OpenInvoice[]
}

/** Invoices that were open at the end of a day, oldest first (R13 to R18). */
export function openInvoicesQuestion(params: Raw, spec: Raw, sets: AskedSets): Question<DataRequest, OpenInvoicePage> {
  const inputs = { ...OPEN_INVOICE_INPUTS, sets: sets.names }
  const definitions = sets.definitionsOf(setNamed(params))
  return {
    key: ['ledger open invoices', params, spec],
    set: setNamed(params),
    named: namedInList(params, spec, inputs),
    plan: (now, names) => parseData(params, spec, inputs, now, names),
    planAt: (request) => request,
    takesAttributes: () => false,
    audience: ({ audience }) => audience,
    conditions: (request) => conditionsOf({ ...request, conditions: withAges(request, definitions) }),
    async run(request, context) {
      for (const warning of request.warnings) context.warn(warning)
      const day = dayAsked(request, context)
      const { total, found } = await readWithTotal(request, (part) => readPart({ ...request, ...part }, day, context))
      const rows = asDeclared(
        FOUND,
        found.map((row) => writtenOf(row, day, request, context)),
        'an answer about open invoices',
      )
      warnOfMissingRates(
        rows.filter((row) => row.balance_base_cents === null).map(({ currency }) => currency),
        context,
        optionsOf({ request, definitions }).receivables_rate === 'closing' ? `on ${day}` : 'on the day of their issue',
      )
      const { limit, offset } = request
      return { total, limit, offset, rows }
    },
    shape: (data, request, { session }) =>
      shapeRecords({ data, kind: 'page' }, OPEN_INVOICE_ROW, request, session.definitions.base_currency),
  }
}

/** The conditions, with the ages of the request as the values of an age. */
function withAges(request: DataRequest, definitions: LedgerDefinitions): DataRequest['conditions'] {
  const { buckets } = optionsOf({ request, definitions })
  return request.conditions.map((condition) =>
    condition.field.key === AGE
      ? {
          ...condition,
          field: { ...condition.field, values: agesOf(buckets), expression: () => ageOf(buckets) },
        }
      : condition,
  )
}

/** The day of the request: today if it names none, or one to come. */
function dayAsked({ at }: DataRequest, { session, warn }: RunContext): string {
  const today = dayOf(session.now)
  if (at === undefined || at <= today) return at ?? today
  warn(FUTURE_CLAMPED)
  return today
}

async function readPart(request: DataRequest, day: string, context: RunContext): Promise<readonly Row[]> {
  const { session } = context
  const { definitions, now } = session
  const asked = { request, definitions }
  const run = {
    template: 'data/ledger_open_invoices',
    slots: {
      filters: listFilters(
        ofCustomers(sql`fact.invoice_id`, sql`fact.invoice_number`),
        { ...request, conditions: withAges(request, definitions) },
        listFact(context),
      ),
      order_by: orderSlot(ORDER, request.order),
      page: session.snapshot.dialect.page(digits(request.limit), digits(request.offset)),
    },
    params: balanceParams(asked, now),
    inline: [dayRelation([{ day, before: null }])],
    window: booksWindow({ now }),
  }
  return context.run(await compileData(run, request.audience, context))
}

/** The age of a row, in the words of `agesOf`. */
function ageOf(buckets: readonly number[]): Fragment {
  const names = agesOf(buckets)
  const cases = [0, ...buckets].map(
    (last, index) => sql`when fact.days_past_due <= ${value(last, 'integer')} then ${value(names[index] ?? '', 'text')}`,
  )
  return sql`case ${join(cases, sql` `)} else ${value(names.at(-1) ?? '', 'text')} end`
}

function writtenOf(row: Row, day: string, request: DataRequest, { deps, session }: RunContext): OpenInvoice {
  const { buckets } = optionsOf({ request, definitions: session.definitions })
  const customer_id = textOf(row, 'customer_id')
  const days_past_due = integerCell(row, 'days_past_due')
  return {
    invoice_id: textCell(row, 'invoice_id'),
    number: textCell(row, 'invoice_number'),
    customer_id,
    customer_name: textCell(row, 'customer_name'),
    source_id: textOf(row, 'source_id'),
    tenant: textCell(row, 'tenant_name'),
    currency: textOf(row, 'currency'),
    issued_on: dayOrNull(row, 'issued_on') ?? '',
    due_on: dayOfNumber(numberOfDay(day) - days_past_due),
    days_past_due,
    age: agesOf(buckets)[ageAt(days_past_due, buckets)] ?? '',
    total_cents: integerCell(row, 'total_cents'),
    paid_cents: integerCell(row, 'paid_cents'),
    balance_cents: integerCell(row, 'balance_cents'),
    reopened_cents: integerCell(row, 'reopened_cents'),
    balance_base_cents: integerOrNull(row, 'balance_base_cents'),
    admin_url: deps.connector.customerUrl?.(customer_id) ?? null,
  }
}
