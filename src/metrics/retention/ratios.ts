import { ratio } from '../../core/money.ts'
import { inSlices } from '../../core/slices.ts'
import { integerCell } from '../../ports/cells.ts'
import { dimensionValue } from '../../query/dimension-value.ts'
import { rangeTime } from '../../query/request.ts'
import { addCents } from '../readings/add-cents.ts'
import type { MetricContext } from '../readings/context.ts'
import { windowOf } from '../readings/facts.ts'
import { periodRelation, ratioPeriods } from '../readings/periods.ts'
import { settleRowGaps } from '../readings/row-gaps.ts'
import { startScope } from '../readings/start-scope.ts'
import { type TalliedGroup, tallyGroups } from '../readings/tally.ts'

const SUMS = [
  'start_sum',
  'net_sum',
  'gross_sum',
  'expansion_sum',
  'contraction_sum',
  'churn_sum',
  'returned_sum',
  'returned_unpriced_count',
  'returned_unrated_count',
] as const
type Sums = Record<(typeof SUMS)[number], number>

/** Share of the start cohort's MRR that is still there, with its growth (`net_sum`) or without (`gross_sum`). */
export async function readRetained(context: MetricContext, kept: 'net_sum' | 'gross_sum') {
  return (await readSums(context)).map(({ values, periods }) => ({
    values,
    measures: periods.map((sums) => ({
      retention_rate: ratio(sums[kept], sums.start_sum),
      start_mrr: sums.start_sum,
      expansion: sums.expansion_sum,
      contraction: sums.contraction_sum,
      churn: sums.churn_sum,
      reactivation: 0,
      reactivation_excluded: returnedIn(context, sums),
    })),
  }))
}

// No rate reads it, so none fails for it: where it is not known in full, it is null.
function returnedIn({ request, definitions }: MetricContext, sums: Sums): number | null {
  const unrated = request.unit === 'base' ? sums.returned_unrated_count : 0
  const unpriced = definitions.allow_unpriced ? 0 : sums.returned_unpriced_count
  return unrated + unpriced > 0 ? null : sums.returned_sum
}

async function readSums(context: MetricContext): Promise<readonly TalliedGroup<Sums>[]> {
  const { dimensions, unit } = context.request
  const time = rangeTime(context.request)
  const periods = ratioPeriods(time)
  if (periods.length === 0) return []
  const tally = tallyGroups(periods.length, nothing, context)
  const scope = startScope(context, dimensions, () => false)
  const rows = await context.run({
    template: 'retention/nrr',
    slots: scope.slots,
    params: { unit, all_customers: false },
    window: windowOf(scope, time),
    inline: [periodRelation(periods)],
  })
  await settleRowGaps(context, rows, time)
  for await (const row of inSlices(rows)) {
    const values = dimensions.map((field) => dimensionValue(row, field))
    const sums = tally.of(values, integerCell(row, 'period_index'))
    if (sums !== undefined) for (const name of SUMS) sums[name] = addCents(sums[name], row, name)
  }
  return tally.groups()
}

function nothing(): Sums {
  return Object.fromEntries(SUMS.map((name) => [name, 0])) as Sums
}
