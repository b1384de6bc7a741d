import { sql } from '../../compiler/fragment.ts'
import { dayOf } from '../../core/periods.ts'
import { type DimensionValue, dayCell, dimensionValue, integerCell } from '../../query/cells.ts'
import { readsSpans } from '../../query/dimensions/span-facts.ts'
import type { FactContext } from '../../query/field.ts'
import { fieldsOf, rangeTime } from '../../query/request.ts'
import { compileScope } from '../../query/scope.ts'
import { pointAt } from '../../query/timeframe.ts'
import type { MetricContext } from '../define-metric.ts'
import { factOf } from '../fact.ts'
import { liveOnly } from '../live-only.ts'
import { bucketSlots, bucketStep } from '../mrr/buckets.ts'
import { windowOf } from '../mrr/facts.ts'
import { ratioPeriods } from '../start-scope.ts'

/** Trials of one group and period, and what became of them. */
export interface TrialCounts {
  started: number
  converted: number
  expired: number
}

/** No trial at all. */
export const NO_TRIALS: Readonly<TrialCounts> = { started: 0, converted: 0, expired: 0 }

export interface TrialGroup {
  readonly values: readonly DimensionValue[]
  readonly periods: readonly TrialCounts[]
}

/** Trials begun in the range by group and period, with their outcomes up to now (D58); without an interval one period. */
export async function readTrials(context: MetricContext): Promise<readonly TrialGroup[]> {
  const { dimensions, conditions } = context.request
  const time = rangeTime(context.request)
  const periods = ratioPeriods(time)
  const groups = new Map<string, TrialGroup>()
  const groupOf = (values: readonly DimensionValue[]) => {
    const key = JSON.stringify(values)
    const group = groups.get(key) ?? { values, periods: periods.map(() => ({ ...NO_TRIALS })) }
    groups.set(key, group)
    return group
  }
  if (periods.length === 0) return [...groups.values()]
  const scope = compileScope(dimensions, conditions, trialFact(context))
  const rows = await context.run({
    template: readsSpans(fieldsOf(context.request)) ? 'trials/funnel_by_plan' : 'trials/funnel',
    slots: scope.slots,
    params: { start: time.from, end: time.to, step: bucketStep(time.interval), ...liveOnly(context.request) },
    // The outcome may come after the range, and with it the first activity of the customer.
    window: windowOf(scope, { from: time.from, to: pointAt(dayOf(context.now), context.now).before }),
  })
  const slotOf = bucketSlots(time)
  for (const row of rows) {
    const counts = groupOf(dimensions.map((field) => dimensionValue(row, field))).periods[slotOf(dayCell(row, 'bucket')) - 1]
    if (counts === undefined) continue
    counts.started += integerCell(row, 'started_count')
    counts.converted += integerCell(row, 'converted_count')
    counts.expired += integerCell(row, 'expired_count')
  }
  return [...groups.values()]
}

/** Trials: every value is that at the begin of the subscription (D61). */
function trialFact(context: MetricContext): FactContext {
  return factOf(context, {
    fact: 'movement',
    instant: sql`fact.began_at`,
    isBefore: sql`1 = 0`,
  })
}
