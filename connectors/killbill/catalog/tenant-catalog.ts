import type { CatalogVersion, UnreadablePrice } from './catalog-version.ts'
import { type OverrideDelimiter, overrideNames, type PlanOverrides, resolvePlan } from './override.ts'
import { type PlanEdition, sortVersions } from './timeline.ts'

/** The sources of one tenant's prices. */
export interface TenantCatalog {
  /** `tenants.record_id`. */
  readonly tenantKey: number
  readonly versions: readonly CatalogVersion[]
  /** Versions of inactive rows, read only for plans that no other version has (KB 3.2). */
  readonly retired?: readonly CatalogVersion[]
  /** Record ids in `tenant_kvs` of the versions that come from there. */
  readonly records?: ReadonlyMap<CatalogVersion, number>
  readonly overrides: PlanOverrides
  /** Delimiter of override names on the server. If absent, the engine's default. */
  readonly delimiter?: OverrideDelimiter
  /** Phase names that occur in events. If given, overrides are enumerated only for these. */
  readonly phasesInUse?: ReadonlySet<string>
}

/**
 * Stored plan names that the catalog can price, each with its editions in the order of the versions. Plain names come first, then overrides.
 * Yields after each name.
 */
export function* editionsByPlan(catalog: TenantCatalog): Generator<undefined, Map<string, PlanEdition[]>> {
  const sorted = sortedVersions(catalog)
  const plain = [...sorted.current, ...sorted.retired].flatMap((version) => [...version.plans.keys()])
  const overridden = [...catalog.overrides.values()].flatMap(overrideNames)
  const wanted = overridden.filter((name) => catalog.phasesInUse === undefined || isInUse(name, catalog.phasesInUse))
  const result = new Map<string, PlanEdition[]>()
  for (const name of new Set([...plain, ...wanted])) {
    const known = editionsOfPlan(catalog, name, sorted)
    if (known.length > 0) result.set(name, known)
    yield
  }
  return result
}

interface SortedVersions {
  readonly current: readonly CatalogVersion[]
  readonly retired: readonly CatalogVersion[]
}

function sortedVersions({ versions, retired = [] }: TenantCatalog): SortedVersions {
  return { current: sortVersions(versions), retired: sortVersions(retired) }
}

/** The editions of a stored plan name in the order of the versions. Retired versions count only if no other has the plan. */
export function editionsOfPlan(catalog: TenantCatalog, name: string, sorted = sortedVersions(catalog)): PlanEdition[] {
  const editions = editionsOf(sorted.current, catalog, name)
  return editions.length > 0 ? editions : editionsOf(sorted.retired, catalog, name)
}

function editionsOf(
  versions: readonly CatalogVersion[],
  { overrides, delimiter }: TenantCatalog,
  planName: string,
): PlanEdition[] {
  return versions.flatMap((version, index) => {
    const resolved = resolvePlan(version, planName, { overrides, delimiter })
    return resolved === null ? [] : [{ index, from: version.effective_at.getTime(), version, resolved }]
  })
}

function isInUse(planName: string, phases: ReadonlySet<string>): boolean {
  return ['trial', 'discount', 'fixedterm', 'evergreen'].some((type) => phases.has(`${planName}-${type}`))
}

/** The reason why prices of a plan in a currency cannot be read, as the end of a sentence. Undefined if all can be read. */
export function priceFlaw(catalogs: readonly TenantCatalog[], plan: string, currency: string | null): string | undefined {
  const flawed = catalogs.flatMap((catalog) => {
    // An override has the prices and the billing period of its parent, as far as it does not change them.
    const names = new Set([plan, ...editionsOfPlan(catalog, plan).map(({ resolved }) => resolved.plan.name)])
    return [...catalog.versions, ...(catalog.retired ?? [])].flatMap(({ unreadable }) =>
      unreadable.filter((price) => names.has(price.plan) && (price.currency === null || price.currency === currency)),
    )
  })
  const flaws = new Set(flawed.map(flawText))
  return flaws.size === 0 ? undefined : [...flaws].join(', ')
}

function flawText({ phase, currency, text, reason }: UnreadablePrice): string {
  return `its ${currency === null ? 'billing period' : 'price'} ${JSON.stringify(text)} of phase ${phase} ${reason}`
}
