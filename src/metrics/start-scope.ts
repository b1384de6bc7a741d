import { type Fragment, join, sql } from '../compiler/fragment.ts'
import type { InlineRelation } from '../compiler/inline.ts'
import type { Period } from '../core/periods.ts'
import { integerCell, type ResultRow, textCell } from '../query/cells.ts'
import type { Condition } from '../query/condition.ts'
import { compileCondition } from '../query/condition-sql.ts'
import type { FactContext, Field } from '../query/field.ts'
import { readsBaseAmounts } from '../query/request.ts'
import { comparable, compileScope, joinsOf, type Scope, type Slots } from '../query/scope.ts'
import type { RangeTime } from '../query/timeframe.ts'
import type { MetricContext } from './define-metric.ts'
import { factOf } from './fact.ts'
import { settleGaps } from './gaps.ts'
import { listUnpriced } from './mrr/unpriced.ts'

/** The periods a ratio is computed on: those asked for, else the whole range. */
export function ratioPeriods(time: RangeTime): readonly Period[] {
  return time.interval === undefined ? [{ period: time.start, from: time.from, to: time.to }] : time.periods
}

/** Names of the periods when the answer is cut into them. */
export function periodNames(time: RangeTime): readonly string[] | undefined {
  return time.interval === undefined ? undefined : time.periods.map(({ period }) => period)
}

/** Relation `period`: one row per period, in order. */
export function periodRelation(periods: readonly Period[]): InlineRelation {
  return {
    name: 'period',
    columns: [
      { name: 'period_index', type: 'integer' },
      { name: 'month', type: 'date' },
      { name: 'starts_at', type: 'timestamp' },
      { name: 'ends_before', type: 'timestamp' },
    ],
    rows: periods.map(({ period, from, to }, index) => [index, period, from, to]),
  }
}

/** Start cohorts: every value is judged just before the period (D61). */
export function startFact(context: MetricContext): FactContext {
  return factOf(context, {
    fact: 'movement',
    instant: sql`fact.starts_at`,
    isBefore: sql`1 = 1`,
  })
}

/**
 * Scope of a ratio. Conditions on event fields narrow the numerator only, so they become the column `event_matched` by which the
 * rows are grouped too, and not a filter (http-api.md 1.6).
 */
export function startScope(context: MetricContext, dimensions: readonly Field[], isEvent: (field: Field) => boolean): Scope {
  const fact = startFact(context)
  const { conditions } = context.request
  const events = conditions.filter(({ field }) => isEvent(field))
  const plain = conditions.filter(({ field }) => !isEvent(field))
  const scope = compileScope(dimensions, plain, fact)
  const matched =
    events.length === 0
      ? sql`1`
      : sql`case when ${join(
          events.map((condition) => test(condition, fact)),
          sql` and `,
        )} then 1 else 0 end`
  const slots: Slots = {
    ...scope.slots,
    joins: joinsOf([...dimensions, ...conditions.map(({ field }) => field)], fact),
    dimensions: sql`${scope.slots.dimensions}, ${matched} as event_matched`,
    dimension_names: sql`${scope.slots.dimension_names}, event_matched`,
    group_by: sql`${scope.slots.group_by}, event_matched`,
  }
  return { ...scope, slots }
}

function test(condition: Condition, fact: FactContext): Fragment {
  return compileCondition(condition, comparable(condition.field, condition.field.expression(fact) ?? sql`null`))
}

/** Gaps that the rows of a template report in `unpriced_count`, `unrated_count` and `unrated_from` (D14, D26). */
export async function settleRowGaps(
  context: MetricContext,
  rows: readonly ResultRow[],
  time: { readonly from: Date; readonly to: Date },
): Promise<void> {
  const needsBase = readsBaseAmounts(context.request)
  const unrated = rows.flatMap((row) => {
    const from = textCell(row, 'unrated_from')
    if (!needsBase || from === null) return []
    return [{ currency: textCell(row, 'fact_currency') ?? '', from: from.slice(0, 10), count: integerCell(row, 'unrated_count') }]
  })
  const unpriced = rows.reduce((sum, row) => sum + integerCell(row, 'unpriced_count'), 0)
  await settleGaps(context, { unpriced, unrated }, () => listUnpriced(context, time))
}
