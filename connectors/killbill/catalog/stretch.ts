import { sqlInstant } from '../../../src/core/periods.ts'
import type { CatalogVersion, ResolvedPlan } from './catalog-version.ts'
import { overrideNames, type PlanOverrides } from './override.ts'
import { editionInForce, editionsOf, type PlanEdition, sortVersions } from './version.ts'

/** What one tenant's prices are made of. */
export interface TenantCatalog {
  /** `tenants.record_id`. */
  readonly tenantKey: number
  readonly versions: readonly CatalogVersion[]
  /** Versions switched off, read only for plans that no other version has (KB 3.2). */
  readonly retired?: readonly CatalogVersion[]
  readonly overrides: PlanOverrides
  /** Phase names that occur in events; where given, overrides are enumerated only for these. */
  readonly phasesInUse?: ReadonlySet<string>
}

/** Bounds of all time, as the databases can hold them. */
export const FIRST_INSTANT = '1000-01-01 00:00:00'
export const LAST_INSTANT = '9999-12-31 00:00:00'

/** A stored plan name and the edition in force in [from, to) for subscriptions that entered the plan in a cell. */
export interface Stretch {
  readonly from: string
  readonly to: string
  readonly resolved: ResolvedPlan | null
}

/** Instants at which the applicable version can change with the plan-change instant: bounds of the cells, ascending. */
export function cellBounds(catalog: TenantCatalog): Date[] {
  const dates = [...catalog.versions, ...(catalog.retired ?? [])].map((version) => version.effective_at.getTime())
  return [...new Set(dates)].sort((a, b) => a - b).map((time) => new Date(time))
}

/** Stored plan names that the catalog can price, each with its editions. Plain names first, then overrides. */
export function editionsByPlan(catalog: TenantCatalog): Map<string, PlanEdition[]> {
  const current = sortVersions(catalog.versions)
  const retired = sortVersions(catalog.retired ?? [])
  const plain = [...current, ...retired].flatMap((version) => [...version.plans.keys()])
  const overridden = [...catalog.overrides.values()].flatMap(overrideNames)
  const wanted = overridden.filter((name) => catalog.phasesInUse === undefined || isInUse(name, catalog.phasesInUse))
  const result = new Map<string, PlanEdition[]>()
  for (const name of new Set([...plain, ...wanted])) {
    const editions = editionsOf(current, catalog.overrides, name)
    const known = editions.some((edition) => edition.resolved !== null)
    result.set(name, known ? editions : editionsOf(retired, catalog.overrides, name))
  }
  return result
}

function isInUse(planName: string, phases: ReadonlySet<string>): boolean {
  return ['trial', 'discount', 'fixedterm', 'evergreen'].some((type) => phases.has(`${planName}-${type}`))
}

/**
 * Stretches of one plan for the cell that begins at `entered` (null = before every version). The first reaches back to the
 * beginning of time, because no subscription asks about an instant before it entered its plan.
 */
export function stretchesOf(editions: readonly PlanEdition[], entered: Date | null): Stretch[] {
  const start = entered ?? new Date(`${FIRST_INSTANT.replace(' ', 'T')}Z`)
  return cut(editions, start, (at) => editionInForce(editions, at, start))
}

/** Stretches of one plan for subscriptions that enter it at the very instant. */
export function entryStretchesOf(editions: readonly PlanEdition[]): Stretch[] {
  return cut(editions, new Date(`${FIRST_INSTANT.replace(' ', 'T')}Z`), (at) => editionInForce(editions, at, at))
}

function cut(editions: readonly PlanEdition[], start: Date, lookUp: (at: Date) => ResolvedPlan | null): Stretch[] {
  const dates = editions.flatMap((edition) => [
    edition.effective_at,
    edition.resolved?.plan.existing_from ?? edition.effective_at,
  ])
  const bounds = [...new Set(dates.map((date) => date.getTime()))].filter((time) => time > start.getTime()).sort((a, b) => a - b)
  const stretches: Stretch[] = []
  for (const time of [start.getTime(), ...bounds]) {
    const resolved = lookUp(new Date(time))
    const last = stretches.at(-1)
    if (last?.resolved === resolved) continue
    if (last !== undefined) stretches[stretches.length - 1] = { ...last, to: sqlInstant(new Date(time)) }
    stretches.push({ from: last === undefined ? FIRST_INSTANT : sqlInstant(new Date(time)), to: LAST_INSTANT, resolved })
  }
  return stretches
}
