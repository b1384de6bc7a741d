import { ratio } from '../../core/money.ts'
import { type DimensionValue, dimensionValue, integerCell } from '../../query/cells.ts'
import { rangeTime } from '../../query/request.ts'
import type { AnswerRow, MetricContext, MetricResult } from '../define-metric.ts'
import { windowOf } from '../mrr/facts.ts'
import { periodResult } from '../period-rows.ts'
import { periodNames, periodRelation, ratioPeriods, settleRowGaps, startScope } from '../start-scope.ts'

const SUMS = ['start_sum', 'net_sum', 'gross_sum', 'expansion_sum', 'contraction_sum', 'churn_sum'] as const
type Sums = Record<(typeof SUMS)[number], number>

/** Net and gross retention: capped per customer in the rate, uncapped in the parts beside it (D45). */
const SHAPES = {
  nrr: {
    measures: ['retention_rate', 'start_mrr', 'expansion', 'contraction', 'churn', 'reactivation'],
    write: (sums: Sums): AnswerRow => ({
      retention_rate: ratio(sums.net_sum, sums.start_sum),
      start_mrr: sums.start_sum,
      expansion: sums.expansion_sum,
      contraction: sums.contraction_sum,
      churn: sums.churn_sum,
      reactivation: 0,
    }),
  },
  grr: {
    measures: ['retention_rate', 'start_mrr', 'contraction', 'churn'],
    write: (sums: Sums): AnswerRow => ({
      retention_rate: ratio(sums.gross_sum, sums.start_sum),
      start_mrr: sums.start_sum,
      contraction: sums.contraction_sum,
      churn: sums.churn_sum,
    }),
  },
} as const

/** Share of the start cohort's MRR that is still there, with its growth (`nrr`) or without (`grr`). */
export async function answerRetained(context: MetricContext, figure: keyof typeof SHAPES): Promise<MetricResult> {
  const time = rangeTime(context.request)
  const { measures, write } = SHAPES[figure]
  const groups = (await readRetained(context)).map(({ values, periods }) => ({ values, measures: periods.map(write) }))
  return periodResult(context, periodNames(time), { scalar: 'retention_rate', measures, nothing: write(nothing()) }, groups)
}

interface RetainedGroup {
  readonly values: readonly DimensionValue[]
  readonly periods: readonly Sums[]
}

async function readRetained(context: MetricContext): Promise<readonly RetainedGroup[]> {
  const { dimensions, unit } = context.request
  const time = rangeTime(context.request)
  const periods = ratioPeriods(time)
  const groups = new Map<string, RetainedGroup>()
  const groupOf = (values: readonly DimensionValue[]) => {
    const key = JSON.stringify(values)
    const group = groups.get(key) ?? { values, periods: periods.map(nothing) }
    groups.set(key, group)
    return group
  }
  if (periods.length === 0) return [...groups.values()]
  const scope = startScope(context, dimensions, () => false)
  const rows = await context.run({
    template: 'retention/nrr',
    slots: scope.slots,
    params: { unit, all_customers: false },
    window: windowOf(scope, time),
    inline: [periodRelation(periods)],
  })
  await settleRowGaps(context, rows, time)
  for (const row of rows) {
    const sums = groupOf(dimensions.map((field) => dimensionValue(row, field))).periods[integerCell(row, 'period_index')]
    if (sums !== undefined) for (const name of SUMS) sums[name] += integerCell(row, name)
  }
  return [...groups.values()]
}

function nothing(): Sums {
  return { start_sum: 0, net_sum: 0, gross_sum: 0, expansion_sum: 0, contraction_sum: 0, churn_sum: 0 }
}
