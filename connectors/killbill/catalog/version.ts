import type { CatalogVersion, ResolvedPlan } from './catalog-version.ts'
import { type PlanOverrides, resolvePlan } from './override.ts'

/** A version's effective date with the plan asked for, null where the version does not have it. */
export interface PlanEdition {
  readonly effective_at: Date
  readonly resolved: ResolvedPlan | null
}

/** Versions in the order of their effective dates; of two with one date the later in the list counts. */
export function sortVersions(versions: readonly CatalogVersion[]): CatalogVersion[] {
  const byDate = new Map(versions.map((version) => [version.effective_at.getTime(), version]))
  return [...byDate.values()].sort((a, b) => a.effective_at.getTime() - b.effective_at.getTime())
}

/** The plan in each of the sorted versions. */
export function editionsOf(versions: readonly CatalogVersion[], overrides: PlanOverrides, planName: string): PlanEdition[] {
  return versions.map((version) => ({ effective_at: version.effective_at, resolved: resolvePlan(version, planName, overrides) }))
}

/** The edition that applies at `at` to a subscription which entered the plan at `entered` (KB 3.5); null = no price. */
export function editionInForce(editions: readonly PlanEdition[], at: Date, entered: Date): ResolvedPlan | null {
  const begun = editions.filter((edition) => edition.effective_at <= at)
  const candidates = begun.length > 0 ? begun : editions.slice(0, 1)
  let remembered: ResolvedPlan | null = null
  for (let index = candidates.length - 1; index >= 0; index--) {
    const edition = candidates[index]
    if (edition === undefined || edition.resolved === null) continue
    const existingFrom = edition.resolved.plan.existing_from
    if (index === 0 || edition.effective_at <= entered) return edition.resolved
    if (existingFrom !== null && existingFrom <= at) return edition.resolved
    if (existingFrom === null) remembered ??= edition.resolved
  }
  return remembered
}
