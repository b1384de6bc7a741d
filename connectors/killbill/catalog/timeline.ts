import { sqlInstant } from '../../../src/core/periods.ts'
import type { CatalogVersion, ResolvedPlan } from './catalog-version.ts'

/** A plan in one version. `index` is the position of the version. */
export interface PlanEdition {
  readonly index: number
  /** The version's effective date. */
  readonly from: number
  readonly version: CatalogVersion
  readonly resolved: ResolvedPlan
}

/** An instant in the databases' form. Null means before or after everything. */
export type Bound = string | null

/** Facts that apply during [from, to) to a subscription that entered its plan in [entered_from, entered_to). */
export interface Rectangle<Facts> {
  readonly entered_from: Bound
  readonly entered_to: Bound
  readonly from: Bound
  readonly to: Bound
  readonly facts: Facts
}

/** Versions in the order of their effective dates. Of two versions with one date, the later in the list counts. */
export function sortVersions(versions: readonly CatalogVersion[]): CatalogVersion[] {
  const byDate = new Map(versions.map((version) => [version.effective_at.getTime(), version]))
  return [...byDate.values()].sort((a, b) => a.effective_at.getTime() - b.effective_at.getTime())
}

/** Adjacent editions with the same facts, as one step. */
interface Step<Facts> {
  readonly from: number
  /** The date at which existing subscriptions of the plan move to it. Infinity means never. */
  readonly moves_at: number
  readonly facts: Facts
}

/**
 * The intervals in which facts apply (KB 3.5). A subscription keeps the edition in force when it enters the plan. It moves to each newer
 * edition at that edition's date for existing subscriptions, as long as every version in between has the plan. The number of rectangles is at
 * most twice the number of changes of the facts. An instant before the entry may be in any rectangle, because no rule reads it. Null facts
 * leave a gap.
 */
export function rectanglesOf<Facts>(
  editions: readonly PlanEdition[],
  factsOf: (resolved: ResolvedPlan | null) => Facts | null,
): Rectangle<Facts>[] {
  const [first] = editions
  if (first === undefined) return []
  const before = first.index === 0 ? [] : beforeFirst(editions, first.from, factsOf)
  const runs = runsOf(editions)
  const within = runs.flatMap((run, place) => {
    const start = place === 0 && first.index === 0 ? -Infinity : (run[0]?.from ?? -Infinity)
    return runRectangles(stepsOf(run, factsOf), start, runs[place + 1]?.[0]?.from ?? Infinity)
  })
  return [...before, ...within].flatMap(({ entered_from, entered_to, from, to, facts }) =>
    facts === null
      ? []
      : [{ entered_from: instant(entered_from), entered_to: instant(entered_to), from: instant(from), to: instant(to), facts }],
  )
}

/** Intervals of the instants at which a subscription enters the plan, with the facts at its entry. */
export function entryIntervals<Facts>(
  editions: readonly PlanEdition[],
  factsOf: (resolved: ResolvedPlan) => Facts | null,
): { readonly from: Bound; readonly to: Bound; readonly facts: Facts }[] {
  const steps: { from: number; facts: Facts | null }[] = []
  for (const { index, from, resolved } of editions) {
    const facts = factsOf(resolved)
    if (steps.length === 0 || !isSame(steps.at(-1)?.facts, facts)) steps.push({ from: index === 0 ? -Infinity : from, facts })
  }
  return steps.flatMap(({ from, facts }, place) =>
    facts === null ? [] : [{ from: instant(from), to: instant(steps[place + 1]?.from ?? Infinity), facts }],
  )
}

/** Editions of consecutive versions. A version without the plan begins a new run. */
function runsOf(editions: readonly PlanEdition[]): PlanEdition[][] {
  const runs: PlanEdition[][] = []
  for (const edition of editions) {
    const last = runs.at(-1)
    if (last !== undefined && last.at(-1)?.index === edition.index - 1) last.push(edition)
    else runs.push([edition])
  }
  return runs
}

/** The date at which existing subscriptions of the plan move to an edition. It is never before the version begins. */
function movesAt({ from, resolved }: PlanEdition): number {
  const existing = resolved.plan.existing_from
  return existing === null ? Infinity : Math.max(from, existing.getTime())
}

function stepsOf<Facts>(run: readonly PlanEdition[], factsOf: (resolved: ResolvedPlan) => Facts | null): Step<Facts | null>[] {
  const steps: Step<Facts | null>[] = []
  for (const edition of run) {
    const facts = factsOf(edition.resolved)
    const last = steps.at(-1)
    const moves_at = movesAt(edition)
    if (last !== undefined && isSame(last.facts, facts))
      steps[steps.length - 1] = { ...last, moves_at: Math.min(last.moves_at, moves_at) }
    else steps.push({ from: edition.from, moves_at, facts })
  }
  return steps
}

interface Area<Facts> {
  readonly entered_from: number
  readonly entered_to: number
  readonly from: number
  readonly to: number
  readonly facts: Facts
}

/** Areas of one run. `start` and `end` bound the instants at which a subscription entered the plan in this run. */
function runRectangles<Facts>(steps: readonly Step<Facts>[], start: number, end: number): Area<Facts>[] {
  const areas: Area<Facts>[] = []
  // Begins with the newest step, because a step applies until the first move date of a newer step.
  let entered_to = end
  let to = Infinity
  for (const [place, { from, moves_at, facts }] of [...steps.entries()].reverse()) {
    const isFirst = place === 0
    const entered_from = isFirst ? start : from
    const movesAnyone = !isFirst && moves_at < to
    if (movesAnyone && moves_at === from) areas.push({ entered_from: start, entered_to, from: moves_at, to, facts })
    else {
      areas.push({ entered_from, entered_to, from: -Infinity, to, facts })
      if (movesAnyone) areas.push({ entered_from: start, entered_to: from, from: moves_at, to, facts })
    }
    entered_to = from
    to = Math.min(to, moves_at)
  }
  return areas.reverse()
}

/**
 * Areas for entries before the first version that has the plan. At each instant, the newest edition whose date for existing
 * subscriptions has passed applies. If no such date has passed, the newest edition that has begun and has no such date applies.
 */
function beforeFirst<Facts>(
  editions: readonly PlanEdition[],
  entered_to: number,
  factsOf: (resolved: ResolvedPlan | null) => Facts | null,
): Area<Facts | null>[] {
  const events = editions.map((edition) => ({
    edition,
    isDated: edition.resolved.plan.existing_from !== null,
    at: edition.resolved.plan.existing_from === null ? edition.from : movesAt(edition),
  }))
  const areas: Area<Facts | null>[] = [
    { entered_from: -Infinity, entered_to, from: -Infinity, to: Infinity, facts: factsOf(null) },
  ]
  let newest: { readonly edition: PlanEdition; readonly isDated: boolean } | undefined
  for (const event of events.sort((a, b) => a.at - b.at)) {
    if (newest !== undefined && !isAbove(event, newest)) continue
    newest = event
    const facts = factsOf(event.edition.resolved)
    const last = areas.at(-1)
    if (last === undefined || isSame(last.facts, facts)) continue
    areas[areas.length - 1] = { ...last, to: event.at }
    areas.push({ entered_from: -Infinity, entered_to, from: event.at, to: Infinity, facts })
  }
  return areas.filter(({ from, to }) => from < to)
}

function isAbove(
  a: { readonly edition: PlanEdition; readonly isDated: boolean },
  b: { readonly edition: PlanEdition; readonly isDated: boolean },
): boolean {
  return a.isDated === b.isDated ? a.edition.index > b.edition.index : a.isDated
}

/** Facts are primitives, or objects of primitives with the same keys. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b || typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>]
  for (const key in left) if (left[key] !== right[key]) return false
  return true
}

function instant(time: number): Bound {
  return Number.isFinite(time) ? sqlInstant(new Date(time)) : null
}
