import { sql } from '../../compiler/fragment.ts'
import { ratio } from '../../core/money.ts'
import { inSlices } from '../../core/slices.ts'
import { integerCell } from '../../ports/cells.ts'
import { dimensionValue } from '../../query/dimension-value.ts'
import { compileScope } from '../../query/scope.ts'
import { addCents } from '../readings/add-cents.ts'
import type { MetricContext } from '../readings/context.ts'
import { levelFact, windowOf } from '../readings/facts.ts'
import { instantRelation } from '../readings/periods.ts'
import { settleRowGaps } from '../readings/row-gaps.ts'
import { type TalliedGroup, tallyGroups } from '../readings/tally.ts'

/** MRR in cents, and the customers that pay any. */
interface Paying {
  mrr: number
  active_customers: number
}

/** MRR and the customers that pay any, just before each instant (D49); ascending instants, none gives no groups. */
export async function readPaying(context: MetricContext, instants: readonly Date[]): Promise<readonly TalliedGroup<Paying>[]> {
  const { dimensions, conditions, unit } = context.request
  const [first, last] = [instants[0], instants.at(-1)]
  if (first === undefined || last === undefined) return []
  const tally = tallyGroups<Paying>(
    instants.length,
    () => ({
      mrr: 0,
      active_customers: 0,
    }),
    context,
  )
  const scope = compileScope(dimensions, conditions, levelFact(context, sql`instant.ends_before`))
  const rows = await context.run({
    template: 'ltv/arpu',
    slots: scope.slots,
    params: { start: first, end: last, unit },
    window: windowOf(scope, { from: first, to: last }),
    inline: [instantRelation(instants)],
  })
  await settleRowGaps(context, rows, { from: first, to: last })
  for await (const row of inSlices(rows)) {
    const values = dimensions.map((field) => dimensionValue(row, field))
    const sums = tally.of(values, integerCell(row, 'instant_index'))
    if (sums === undefined) continue
    sums.mrr = addCents(sums.mrr, row, 'mrr_sum')
    sums.active_customers += integerCell(row, 'payer_count')
  }
  return tally.groups()
}

/** MRR per paying customer at a day, or at the end of each period (D49). */
export async function readArpu(context: MetricContext) {
  const { time } = context.request
  const instants = time.kind === 'point' ? [time.before] : time.periods.map(({ to }) => to)
  return (await readPaying(context, instants)).map(({ values, periods }) => ({
    values,
    measures: periods.map((paying) => ({
      arpu: ratio(paying.mrr, paying.active_customers, 2),
      ...paying,
    })),
  }))
}
