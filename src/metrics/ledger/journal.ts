import { sql } from '../../compiler/fragment.ts'
import type { PostedAccount } from '../../core/ledger-accounts.ts'
import { dayBefore, dayStart } from '../../core/periods.ts'
import { inSlices } from '../../core/slices.ts'
import { dayCell, integerCell, textCell } from '../../ports/cells.ts'
import { type DimensionValue, dimensionValue } from '../../query/dimension-value.ts'
import { CUSTOMER_DIMENSIONS } from '../../query/dimensions/customer.ts'
import { CURRENCY_DIMENSION } from '../../query/dimensions/source.ts'
import { defineField, type Field } from '../../query/field.ts'
import type { LEDGER_TERMS } from '../../relations/books.ts'
import type { MetricContext } from '../readings/context.ts'
import { refuseRowGaps } from '../readings/gaps.ts'
import { addCents, checkTallied } from '../readings/groups.ts'
import type { BookPeriod } from './days.ts'
import { flowRun, placeOf } from './entries.ts'
import { CHARGE_KIND, INVOICE, PLAN } from './fields.ts'
import { type OpenLevels, readOpen } from './flows.ts'
import { booksWindow } from './options.ts'
import { readLevels } from './revenue.ts'

/** Kinds of entries in the order of a journal. */
export const ENTRY_KINDS = [
  'billing',
  'recognition',
  'unbilled',
  'credit',
  'payment',
  'refund',
  'chargeback',
  'write_off',
  'void',
  'transfer',
  'fx',
] as const

export type EntryKind = (typeof ENTRY_KINDS)[number]

/** An amount on an account. Postings of one entry add up to 0. */
export interface Posting {
  readonly date: string
  /** Place of the period, from 0 on. */
  readonly period: number
  readonly kind: EntryKind
  readonly account: PostedAccount
  /** Kind and plan of the charge, for deferred revenue and revenue. */
  readonly charge_kind: string | null
  readonly plan: string | null
  readonly currency: string
  readonly subject: Subject
  /** Debit is positive. */
  readonly cents: number
}

/** Subject of an entry; all null for the entries of a whole period. */
export interface Subject {
  readonly customer_id: string | null
  readonly customer_name: string | null
  readonly invoice_id: string | null
  /** The charge that is recognized. */
  readonly charge_id: string | null
}

type Term = (typeof LEDGER_TERMS)[number]

/** The account on the other side of receivables, and the kind of the entry. A write-off follows from the balances. */
const OF_TERM: Readonly<Record<Exclude<Term, 'write_off'>, { readonly account: PostedAccount; readonly kind: EntryKind }>> = {
  charge: { account: 'deferred_revenue', kind: 'billing' },
  adjustment: { account: 'deferred_revenue', kind: 'billing' },
  tax: { account: 'tax_payable', kind: 'billing' },
  credit_granted: { account: 'credits_granted', kind: 'credit' },
  credit_issued: { account: 'customer_credits', kind: 'credit' },
  credit_applied: { account: 'customer_credits', kind: 'credit' },
  transfer: { account: 'suspense', kind: 'transfer' },
  suspense: { account: 'suspense', kind: 'transfer' },
  payment: { account: 'cash', kind: 'payment' },
  refund: { account: 'cash', kind: 'refund' },
  chargeback: { account: 'cash', kind: 'chargeback' },
}

const CHARGE = defineField({
  key: 'charge_id',
  type: 'string',
  description: 'The charge.',
  constant: 'always',
  expression: () => sql`fact.charge_id`,
})

const CUSTOMERS = CUSTOMER_DIMENSIONS.filter(({ key }) => key === 'customer_id' || key === 'customer_name')

/** How postings are put together: all of a period, of a day, or of each invoice and charge. */
export interface JournalStep {
  readonly periods: readonly BookPeriod[]
  /** True if each invoice and charge has its own entries. */
  readonly isDetailed: boolean
  /** True for amounts in the currencies of the invoices. */
  readonly isOriginal: boolean
  /** The day of the journal of the days before. Their revenue counts as it was known then (R22). Undefined: as it is known now. */
  readonly opening_known_at?: string | undefined
}

/**
 * All postings of the periods (R21). Together they are the movement of the trial balance. Each posting has receivables against the account of its
 * term. Each period has revenue, unbilled receivables, bad debt and the difference of exchange rates.
 */
export async function readPostings(context: MetricContext, step: JournalStep): Promise<readonly Posting[]> {
  if (step.periods.length === 0) return []
  const moved = await readMoved(context, step)
  const recognized = await readRecognized(context, step)
  const revalued = await readRevalued(context, step, moved)
  return [...moved, ...recognized, ...revalued]
}

function grouped(
  context: MetricContext,
  { isDetailed, isOriginal }: JournalStep,
  own: readonly Field[],
  detailed: readonly Field[],
) {
  const dimensions = [...(isOriginal ? [CURRENCY_DIMENSION] : []), ...own, ...(isDetailed ? detailed : [])]
  const unit = isOriginal ? ('original' as const) : ('base' as const)
  return { ...context, request: { ...context.request, dimensions, unit } }
}

/** The values of a group by the keys of its dimensions. */
function namedValues(dimensions: readonly Field[], values: readonly DimensionValue[]) {
  const named = new Map(dimensions.map(({ key }, index) => [key, values[index] ?? null]))
  return (key: string): string | null => {
    const found = named.get(key) ?? null
    return found === null ? null : String(found)
  }
}

function subjectOf(named: (key: string) => string | null): Subject {
  return {
    customer_id: named('customer_id'),
    customer_name: named('customer_name'),
    invoice_id: named('invoice_id'),
    charge_id: named('charge_id'),
  }
}

async function readMoved(given: MetricContext, step: JournalStep): Promise<readonly Posting[]> {
  const { periods, isDetailed } = step
  const context = grouped(given, step, [CHARGE_KIND, PLAN], [...CUSTOMERS, INVOICE])
  const { dimensions, unit } = context.request
  const rows = await context.run(flowRun(context, periods, isDetailed ? 'day' : undefined))
  await refuseRowGaps(context, rows, booksWindow(context))
  checkTallied(context, rows.length)
  const postings: Posting[] = []
  for await (const row of inSlices(rows)) {
    const bucket = dayCell(row, 'bucket')
    const period = placeOf(bucket, periods) - 1
    const term = textCell(row, 'term') as Term
    const cents = addCents(0, row, unit === 'base' ? 'amount_base_sum' : 'amount_sum')
    if (period < 0 || term === 'write_off' || cents === 0) continue
    const named = namedValues(
      dimensions,
      dimensions.map((field) => dimensionValue(row, field)),
    )
    const { account, kind } = OF_TERM[term]
    const about = {
      date: isDetailed ? bucket : (periods[period]?.last ?? ''),
      period,
      kind: integerCell(row, 'is_void') === 1 ? ('void' as const) : kind,
      currency: named('currency') ?? context.definitions.base_currency,
      subject: subjectOf(named),
    }
    const ofCharge = account === 'deferred_revenue' ? { charge_kind: named('charge_kind'), plan: named('plan') } : NO_CHARGE
    postings.push(
      { ...about, ...NO_CHARGE, account: 'accounts_receivable', cents },
      { ...about, ...ofCharge, account, cents: -cents },
    )
  }
  return postings
}

const NO_CHARGE = { charge_kind: null, plan: null }

async function readRecognized(given: MetricContext, step: JournalStep): Promise<readonly Posting[]> {
  const { periods, opening_known_at } = step
  const context = grouped(given, step, [CHARGE_KIND, PLAN], [...CUSTOMERS, INVOICE, CHARGE])
  const { dimensions } = context.request
  const groups = new Map((await readLevels(context, periods)).map((group) => [JSON.stringify(group.values), group]))
  const openings = opening_known_at === undefined ? undefined : await readOpenings(context, periods, opening_known_at)
  // A charge that was known then may be gone.
  for (const [key, { values }] of openings ?? []) if (!groups.has(key)) groups.set(key, { values, periods: [] })
  return [...groups].flatMap(([key, { values, periods: levels }]) => {
    const named = namedValues(dimensions, values)
    const about = { currency: named('currency') ?? context.definitions.base_currency, subject: subjectOf(named) }
    const ofCharge = { charge_kind: named('charge_kind'), plan: named('plan') }
    const opening = openings === undefined ? levels[0] : openings.get(key)?.level
    return periods.flatMap(({ last }, period): readonly Posting[] => {
      const [before, after] = [period === 0 ? opening : levels[period], levels[period + 1]]
      const revenue = (after?.recognized ?? 0) - (before?.recognized ?? 0)
      const other_income = (after?.other_income ?? 0) - (before?.other_income ?? 0)
      const unbilled = (after?.unbilled ?? 0) - (before?.unbilled ?? 0)
      const at = { ...about, date: last, period }
      return withoutZeros([
        { ...at, ...ofCharge, kind: 'recognition', account: 'deferred_revenue', cents: revenue + other_income },
        { ...at, ...ofCharge, kind: 'recognition', account: 'revenue', cents: -revenue },
        { ...at, ...ofCharge, kind: 'recognition', account: 'other_income', cents: -other_income },
        { ...at, ...NO_CHARGE, kind: 'unbilled', account: 'unbilled_receivables', cents: unbilled },
        { ...at, ...ofCharge, kind: 'unbilled', account: 'deferred_revenue', cents: -unbilled },
      ])
    })
  })
}

/** The levels before the first period by group, as they were known on a day. */
async function readOpenings(context: MetricContext, periods: readonly BookPeriod[], known_at: string) {
  const ledger = { ...context.request.ledger, known_at }
  const groups = await readLevels({ ...context, request: { ...context.request, ledger } }, periods.slice(0, 1))
  return new Map(groups.map(({ values, periods: [level] }) => [JSON.stringify(values), { values, level }]))
}

function withoutZeros(postings: readonly Posting[]): readonly Posting[] {
  return postings.filter(({ cents }) => cents !== 0)
}

/** Bad debt, and in base currency what the rates of the issue and of the postings value differently (R24). */
async function readRevalued(given: MetricContext, step: JournalStep, moved: readonly Posting[]): Promise<readonly Posting[]> {
  const { periods, isDetailed, isOriginal } = step
  const [first] = periods
  if (first === undefined) return []
  const context = grouped(given, step, [], [...CUSTOMERS, INVOICE])
  const { dimensions } = context.request
  const open = await readOpen(context, [dayBefore(dayStart(first.first)), ...periods.map(({ last }) => last)])
  const keyOf = (currency: string, { customer_id, invoice_id }: Subject, period: number) =>
    JSON.stringify([currency, isDetailed ? [customer_id, invoice_id] : null, period])
  const movedOf = new Map<string, number>()
  for (const { account, currency, subject, period, cents } of moved) {
    if (account !== 'accounts_receivable') continue
    const key = keyOf(currency, subject, period)
    movedOf.set(key, (movedOf.get(key) ?? 0) + cents)
  }
  const subjects = new Map<string, { readonly currency: string; readonly subject: Subject; readonly levels?: OpenLevels }>()
  for (const [key, levels] of open) {
    const named = namedValues(dimensions, JSON.parse(key))
    const subject = subjectOf(named)
    const currency = named('currency') ?? context.definitions.base_currency
    subjects.set(keyOf(currency, subject, -1), { currency, subject, levels })
  }
  // An invoice that was never open at the end of a period has postings and no balance.
  for (const { currency, subject: moving } of moved) {
    const subject = { ...moving, charge_id: null }
    const key = keyOf(currency, subject, -1)
    if (!subjects.has(key)) subjects.set(key, { currency, subject })
  }
  return [...subjects.values()].flatMap(({ currency, subject, levels }) =>
    periods.flatMap(({ last }, period): readonly Posting[] => {
      const change = (values: readonly number[] = []) => (values[period + 1] ?? 0) - (values[period] ?? 0)
      const written_off = change(levels?.bad_debt)
      const valued = change(levels?.receivables) + written_off
      const rates = isOriginal ? 0 : valued - (movedOf.get(keyOf(currency, subject, period)) ?? 0)
      const at = { ...NO_CHARGE, date: last, period, currency, subject }
      return withoutZeros([
        { ...at, kind: 'write_off', account: 'bad_debt', cents: written_off },
        { ...at, kind: 'write_off', account: 'accounts_receivable', cents: -written_off },
        { ...at, kind: 'fx', account: 'accounts_receivable', cents: rates },
        { ...at, kind: 'fx', account: 'fx_difference', cents: -rates },
      ])
    }),
  )
}
