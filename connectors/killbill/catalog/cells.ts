import { sqlInstant } from '../../../src/core/periods.ts'
import type { Stretch } from './stretch.ts'
import { FIRST_INSTANT, LAST_INSTANT, stretchesOf } from './stretch.ts'
import type { PlanEdition } from './version.ts'

/** Half-open span of plan-change instants that see the same prices at every later instant. */
export interface Cell {
  readonly cell: number
  readonly from: string
  readonly to: string
}

/** Facts that hold from `from` until `to`. */
export interface Interval<Facts> {
  readonly from: string
  readonly to: string
  readonly facts: Facts
}

/** Stretches of every plan inside one cell. */
export interface CellStretches extends Cell {
  readonly byPlan: ReadonlyMap<string, readonly Stretch[]>
}

/** All time cut at the bounds; neighbours that see the same editions are one cell. */
export function cellsOf(bounds: readonly Date[], plans: ReadonlyMap<string, readonly PlanEdition[]>): CellStretches[] {
  const cells: CellStretches[] = []
  for (const entered of [null, ...bounds]) {
    const byPlan = new Map([...plans].map(([name, editions]) => [name, stretchesOf(editions, entered)]))
    const from = entered === null ? FIRST_INSTANT : sqlInstant(entered)
    const last = cells.at(-1)
    if (last !== undefined && sameStretches(last.byPlan, byPlan)) continue
    if (last !== undefined) cells[cells.length - 1] = { ...last, to: from }
    cells.push({ cell: cells.length, from, to: LAST_INSTANT, byPlan })
  }
  return cells
}

function sameStretches(a: ReadonlyMap<string, readonly Stretch[]>, b: ReadonlyMap<string, readonly Stretch[]>): boolean {
  return [...a].every(([name, stretches]) => {
    const others = b.get(name) ?? []
    return (
      stretches.length === others.length &&
      stretches.every((stretch, index) => stretch.resolved === others[index]?.resolved && stretch.from === others[index]?.from)
    )
  })
}

/** The stretches' facts, neighbours with equal facts joined; stretches without facts (null) leave a gap. */
export function intervalsOf<Facts>(
  stretches: readonly Stretch[],
  factsOf: (stretch: Stretch) => Facts | null,
): Interval<Facts>[] {
  const intervals: Interval<Facts>[] = []
  for (const stretch of stretches) {
    const facts = factsOf(stretch)
    if (facts === null) continue
    const last = intervals.at(-1)
    if (last !== undefined && last.to === stretch.from && JSON.stringify(last.facts) === JSON.stringify(facts)) {
      intervals[intervals.length - 1] = { ...last, to: stretch.to }
    } else intervals.push({ from: stretch.from, to: stretch.to, facts })
  }
  return intervals
}
