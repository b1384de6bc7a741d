import { sql, textList } from '../compiler/fragment.ts'
import { capabilitiesOf } from '../connector-kit/capabilities.ts'
import type { CountedCharge } from '../connector-kit/evidence.ts'
import { groupBy } from '../core/group-by.ts'
import { BEGINNING } from '../core/periods.ts'
import { compileWithoutRates, type RunContext } from '../execution/run.ts'
import { dayCell, instantCell, integerCell, textOf } from '../ports/cells.ts'
import type { FoundRow, RowStates } from './rows.ts'

/** The usage part of a row: a sentence for the row, and the charges behind it. */
export interface UsagePart {
  readonly note: string | null
  readonly charges: readonly CountedCharge[]
}

interface Charge {
  readonly subscription_id: string
  readonly charge_id: string
  readonly paid_at: string
  readonly month: string
  readonly currency: string
  readonly cents: number
}

/** The charges from which a usage component is derived. `months` are in order. */
interface UsageWindow {
  readonly cents: number
  readonly months: readonly string[]
  readonly paid_at: string
  readonly charges: readonly Charge[]
}

/** A usage component is the mean of the newest three months (D29). */
const MONTHS = 3

const NONE: UsagePart = { note: null, charges: [] }

/** The usage part of each row of a page. Only charges of subscriptions whose rows count usage are read. */
export async function usageParts(rows: readonly FoundRow[], context: RunContext): Promise<readonly UsagePart[]> {
  const owners = rows.flatMap((row) => (countsUsage(row) ? (row.subscription_id ?? []) : []))
  const charges = await readCharges([...new Set(owners)], context)
  return rows.map((row) => (countsUsage(row) ? partOf(row, charges.get(row.subscription_id ?? '') ?? []) : NONE))
}

/** True if the amount of the row has a usage part, or if the row is a movement of usage. */
function countsUsage({ movement_source, document_id, amount_cents, amount_base_cents, states }: FoundRow): boolean {
  const isAmount = amount_cents !== null || amount_base_cents !== null
  const mayCount = movement_source === null ? isAmount && document_id === null : movement_source === 'usage'
  return mayCount && hasUsage(states)
}

/** True if a state has a usage part. */
export function hasUsage({ usage_before, usage_after }: RowStates): boolean {
  return isThere(usage_before) || isThere(usage_after)
}

function isThere(cents: number | null): cents is number {
  return cents !== null && cents > 0
}

async function readCharges(
  subscriptions: readonly string[],
  context: RunContext,
): Promise<ReadonlyMap<string, readonly Charge[]>> {
  const { deps, session, run } = context
  const capabilityOf = capabilitiesOf(deps.connector, deps.catalog, deps.executor.dialect.name)
  if (subscriptions.length === 0 || capabilityOf('usage_charge') === 'absent') return new Map()
  const slots = { filters: sql` and fact.subscription_id in (${textList(subscriptions)})` }
  const window = { from: BEGINNING, to: session.now }
  const found = await run(
    await compileWithoutRates({ template: 'evidence/usage_charges', slots, params: {}, window }, { deps, session }),
  )
  const charges = found.map((row): Charge => {
    return {
      subscription_id: textOf(row, 'subscription_id'),
      charge_id: textOf(row, 'charge_id'),
      paid_at: instantCell(row, 'paid_at') ?? '',
      month: dayCell(row, 'service_month').slice(0, 7),
      currency: textOf(row, 'currency'),
      cents: integerCell(row, 'amount_cents'),
    }
  })
  return groupBy(charges, ({ subscription_id }) => subscription_id)
}

function partOf({ states }: FoundRow, charges: readonly Charge[]): UsagePart {
  const { before_at, after_at, usage_before, usage_after } = states
  const windows = [
    windowOf(
      usage_before,
      charges.filter(({ paid_at }) => before_at !== null && paid_at < before_at),
    ),
    windowOf(
      usage_after,
      charges.filter(({ paid_at }) => after_at !== null && paid_at <= after_at),
    ),
  ]
  const sides = before_at === null || after_at === null ? ['', ''] : [' before', ' after']
  const notes = windows.flatMap((window, side) => (window === undefined ? [] : [`Usage${sides[side]}: ${sentenceOf(window)}`]))
  const counting = [...new Set(windows.flatMap((window) => window?.charges ?? []))].sort(byMonth)
  return {
    note: notes.length === 0 ? null : notes.join(' '),
    charges: [...groupBy(counting, ({ charge_id }) => charge_id)].map(([charge_id, [first]]) => {
      const counts = windows.map((window) => sumOf((window?.charges ?? []).filter((charge) => charge.charge_id === charge_id)))
      return { charge_id, paid_at: first?.paid_at ?? '', counts: countsOf(counts, sides, first?.currency ?? '') }
    }),
  }
}

/**
 * The window of a usage component among the charges paid by an instant: that of the newest payment that gives its amount. An older one is
 * looked for, because charges that are paid after the end of a subscription change no MRR.
 */
function windowOf(cents: number | null, paid: readonly Charge[]): UsageWindow | undefined {
  if (!isThere(cents)) return undefined
  const payments = [...new Set(paid.map(({ paid_at }) => paid_at))].sort().reverse()
  for (const paid_at of payments) {
    const known = paid.filter((charge) => charge.paid_at <= paid_at)
    const months = [...new Set(known.map(({ month }) => month))].sort().slice(-MONTHS)
    const charges = known.filter(({ month }) => months.includes(month))
    if (Math.floor((sumOf(charges) ?? 0) / months.length) === cents) return { cents, months, paid_at, charges }
  }
  return undefined
}

function sentenceOf({ cents, months, paid_at, charges }: UsageWindow): string {
  const currency = charges[0]?.currency ?? ''
  const named = months.length === 1 ? months[0] : `${months.slice(0, -1).join(', ')} and ${months.at(-1)}`
  const sum = amountOf(sumOf(charges) ?? 0, currency)
  return `${amountOf(cents, currency)} a month, the monthly mean of ${sum} for ${named}, paid by ${paid_at.slice(0, 10)}.`
}

/** How much of a charge counts: `counts 5 USD before and 6 USD after`. */
function countsOf([before, after]: readonly (number | undefined)[], sides: readonly string[], currency: string): string {
  const [early, late] = [before, after].map((cents, side) =>
    cents === undefined ? undefined : amountOf(cents, currency) + sides[side],
  )
  if (early === undefined || late === undefined) return `counts ${early ?? late}`
  return before === after ? `counts ${early} and${sides[1]}` : `counts ${early} and ${late}`
}

function byMonth(one: Charge, other: Charge): number {
  return one.month < other.month || (one.month === other.month && one.charge_id < other.charge_id) ? -1 : 1
}

/** The sum of some charges; undefined if there are none. */
function sumOf(charges: readonly Charge[]): number | undefined {
  return charges.length === 0 ? undefined : charges.reduce((sum, { cents }) => sum + cents, 0)
}

/** Hundredths in units, as the notes of evidence have them. */
function amountOf(cents: number, currency: string): string {
  return `${cents / 100} ${currency}`
}
