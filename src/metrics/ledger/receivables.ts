import { inSlices } from '../../core/slices.ts'
import { integerCell } from '../../ports/cells.ts'
import { type DimensionValue, dimensionValue } from '../../query/dimension-value.ts'
import type { MetricContext, TemplateRun } from '../readings/context.ts'
import { refuseRowGaps } from '../readings/gaps.ts'
import { addCents, type TalliedGroup, tallyGroups } from '../readings/groups.ts'
import { periodNames } from '../readings/periods.ts'
import { bookPeriods, dayRelation } from './days.ts'
import { balanceParams, booksScope, booksWindow, optionsOf } from './options.ts'

/** Open balances of one age. */
export interface Balance {
  invoices: number
  balance: number
  reopened: number
  written_off: number
}

/** Names of the ages, the youngest first (R17). */
export function agesOf(buckets: readonly number[]): readonly string[] {
  const bounded = buckets.map((last, index) => `${(buckets[index - 1] ?? 0) + 1}-${last}`)
  return ['current', ...bounded, `over-${buckets.at(-1)}`]
}

/** Place of an age among `agesOf`. */
export function ageAt(days_past_due: number, buckets: readonly number[]): number {
  if (days_past_due <= 0) return 0
  const index = buckets.findIndex((last) => days_past_due <= last)
  return index < 0 ? buckets.length + 1 : index + 1
}

/** Receivables by age at the end of the day, or of each period (R13 to R18). */
export async function readReceivables(context: MetricContext) {
  const { buckets } = optionsOf(context)
  const days = bookPeriods(context.request.time).map(({ last }) => last)
  const ages = agesOf(buckets)
  const names = periodNames(context.request.time)
  const groups = await readBalances(context, days)
  return completed(context, groups, days.length * ages.length).flatMap(({ values, periods }) =>
    periods.map((measures, place) => {
      const period = names?.[Math.floor(place / ages.length)] ?? null
      const age = place % ages.length
      return { order: [period, age], keys: { period, age: ages[age] ?? '' }, values, measures }
    }),
  )
}

// Without groups, every age is shown, even if nothing is open.
function completed({ request }: MetricContext, groups: readonly TalliedGroup<Balance>[], cells: number) {
  if (request.dimensions.length > 0 || groups.length > 0 || cells === 0) return groups
  const values: readonly DimensionValue[] = []
  return [{ values, periods: Array.from({ length: cells }, nothing) }]
}

function nothing(): Balance {
  return { invoices: 0, balance: 0, reopened: 0, written_off: 0 }
}

/** Balances by group: for each day, those of each age. */
export async function readBalances(context: MetricContext, days: readonly string[]): Promise<readonly TalliedGroup<Balance>[]> {
  const { dimensions, unit } = context.request
  const { buckets } = optionsOf(context)
  const suffix = unit === 'base' ? 'base_sum' : 'sum'
  if (days.length === 0) return []
  const rows = await context.run(balanceRun(context, days))
  await refuseRowGaps(context, rows, booksWindow(context))
  const width = buckets.length + 2
  const tally = tallyGroups<Balance>(days.length * width, nothing, context)
  for await (const row of inSlices(rows)) {
    const balance = tally.of(
      dimensions.map((field) => dimensionValue(row, field)),
      integerCell(row, 'day_index') * width + ageAt(integerCell(row, 'days_past_due'), buckets),
    )
    if (balance === undefined) continue
    balance.invoices += integerCell(row, 'invoice_count')
    balance.balance = addCents(balance.balance, row, `balance_${suffix}`)
    balance.reopened = addCents(balance.reopened, row, `reopened_${suffix}`)
    balance.written_off = addCents(balance.written_off, row, `written_off_${suffix}`)
  }
  return tally.groups()
}

/** The statement of the open balances at the ends of days. */
export function balanceRun(context: MetricContext, days: readonly string[]): TemplateRun {
  return {
    template: 'ledger/balances',
    slots: booksScope(context).slots,
    params: balanceParams(context, context.now),
    inline: [dayRelation(days.map((day) => ({ day, before: null })))],
    window: booksWindow(context),
  }
}
