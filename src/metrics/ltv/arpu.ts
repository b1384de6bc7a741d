import { sql } from '../../compiler/fragment.ts'
import type { InlineRelation } from '../../compiler/inline.ts'
import { ratio } from '../../core/money.ts'
import { type DimensionValue, dimensionValue, integerCell } from '../../query/cells.ts'
import { compileScope } from '../../query/scope.ts'
import type { MetricContext, MetricResult } from '../define-metric.ts'
import { levelFact, windowOf } from '../mrr/facts.ts'
import { periodResult } from '../period-rows.ts'
import { settleRowGaps } from '../start-scope.ts'

/** MRR and paying customers of one group at each instant. */
export interface PayingGroup {
  readonly values: readonly DimensionValue[]
  readonly instants: readonly { mrr: number; active_customers: number }[]
}

/** MRR and the customers that pay any, just before each instant (D49); ascending instants, none gives no groups. */
export async function readPaying(context: MetricContext, instants: readonly Date[]): Promise<readonly PayingGroup[]> {
  const { dimensions, conditions, unit } = context.request
  const [first, last] = [instants[0], instants.at(-1)]
  const groups = new Map<string, PayingGroup>()
  const groupOf = (values: readonly DimensionValue[]) => {
    const key = JSON.stringify(values)
    const group = groups.get(key) ?? { values, instants: instants.map(() => ({ mrr: 0, active_customers: 0 })) }
    groups.set(key, group)
    return group
  }
  if (first === undefined || last === undefined) return [...groups.values()]
  const scope = compileScope(dimensions, conditions, levelFact(context, sql`instant.ends_before`))
  const rows = await context.run({
    template: 'ltv/arpu',
    slots: scope.slots,
    params: { start: first, end: last, unit },
    window: windowOf(scope, { from: first, to: last }),
    inline: [instantRelation(instants)],
  })
  await settleRowGaps(context, rows, { from: first, to: last })
  for (const row of rows) {
    const sums = groupOf(dimensions.map((field) => dimensionValue(row, field))).instants[integerCell(row, 'instant_index')]
    if (sums === undefined) continue
    sums.mrr += integerCell(row, 'mrr_sum')
    sums.active_customers += integerCell(row, 'payer_count')
  }
  return [...groups.values()]
}

function instantRelation(instants: readonly Date[]): InlineRelation {
  return {
    name: 'instant',
    columns: [
      { name: 'instant_index', type: 'integer' },
      { name: 'ends_before', type: 'timestamp' },
    ],
    rows: instants.map((instant, index) => [index, instant]),
  }
}

/** MRR per paying customer at a day, or at the end of each period (D49). */
export async function answerArpu(context: MetricContext): Promise<MetricResult> {
  const { time } = context.request
  const instants = time.kind === 'point' ? [time.before] : time.periods.map(({ to }) => to)
  const names = time.kind === 'point' ? undefined : time.periods.map(({ period }) => period)
  const groups = (await readPaying(context, instants)).map((group) => ({
    values: group.values,
    measures: group.instants.map(({ mrr, active_customers }) => ({
      arpu: ratio(mrr, active_customers, 2),
      mrr,
      active_customers,
    })),
  }))
  const nothing = { arpu: null, mrr: 0, active_customers: 0 }
  return periodResult(context, names, { scalar: 'arpu', measures: Object.keys(nothing), nothing }, groups)
}
