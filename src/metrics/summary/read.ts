import { sql } from '../../compiler/fragment.ts'
import type { Period } from '../../core/periods.ts'
import { integerCell } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { compileScope } from '../../query/scope.ts'
import { pointAt } from '../../query/timeframe.ts'
import type { RelationContract } from '../../relations/define-relation.ts'
import { emptyRelation } from '../../relations/empty-relation.ts'
import type { MetricContext } from '../readings/context.ts'
import { factOf, windowOf } from '../readings/facts.ts'
import { settleGaps } from '../readings/gaps.ts'
import { fullMonths } from '../readings/monthly-rate.ts'
import { periodRelation } from '../readings/periods.ts'
import { unratedIn } from '../readings/row-gaps.ts'
import { listUnpriced } from '../readings/unpriced.ts'
import type { SummaryWindows } from './windows.ts'

/** The rows of sql/metrics/summary/figures.sql; `absent` relations count as empty. One statement, whatever is asked. */
export async function readFigures(
  context: MetricContext,
  windows: SummaryWindows,
  absent: readonly RelationContract[],
): Promise<readonly Row[]> {
  const { as_of, rate, trailing } = windows
  const level = (period: string, before: Date): Period => ({
    period,
    from: before,
    to: before,
  })
  const revenue = [level(as_of.day, as_of.before), whole(rate), whole(trailing), level(rate.end, rate.to)]
  const months = fullMonths(trailing, context.now)
  const activity = [whole(rate), ...(months.length > 0 ? months : [whole(trailing)])]
  const span = spanOf([...revenue, ...activity])
  const fact = factOf(context, {
    fact: 'level',
    instant: sql`null`,
    isBefore: sql`1 = 1`,
  })
  const scope = compileScope(context.request.dimensions, context.request.conditions, fact)
  const rows = await context.run({
    template: 'summary/figures',
    slots: scope.slots,
    params: {
      unit: 'base',
      all_customers: true,
      trials_from: trailing.from,
      trials_to: trailing.to,
    },
    // Trials have their outcome whenever it comes, up to now (D58).
    window: windowOf(scope, {
      from: span.from,
      to: pointAt(context.now.toISOString().slice(0, 10), context.now).before,
    }),
    inline: [periodRelation(revenue), { ...periodRelation(activity), name: 'churn_period' }],
    built: new Map(absent.map((contract) => [contract.name, emptyRelation(contract)])),
  })
  // A span counts in several periods: the period with most of them says how many there are.
  const unpriced = Math.max(0, ...[...unpricedByPeriod(rows).values()])
  await settleGaps(context, { unpriced, unrated: unratedIn(rows) }, () => listUnpriced(context, span))
  return rows
}

function whole({ start, from, to }: { readonly start: string; readonly from: Date; readonly to: Date }): Period {
  return { period: start, from, to }
}

function spanOf(periods: readonly Period[]): {
  readonly from: Date
  readonly to: Date
} {
  const instants = periods.flatMap(({ from, to }) => [from.getTime(), to.getTime()])
  return {
    from: new Date(Math.min(...instants)),
    to: new Date(Math.max(...instants)),
  }
}

function unpricedByPeriod(rows: readonly Row[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const row of rows) {
    const index = integerCell(row, 'period_index')
    counts.set(index, (counts.get(index) ?? 0) + integerCell(row, 'unpriced_count'))
  }
  return counts
}
