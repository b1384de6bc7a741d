import { createHash } from 'node:crypto'
import type { InlineRelation } from '../../../src/connector-kit/connector.ts'
import type { CatalogVersion } from './catalog-version.ts'
import { keepLast } from './keep-last.ts'
import { catalogRelationsInTurns, numberPlans, type PlanKeys } from './price-rows.ts'
import type { TenantCatalog } from './tenant-catalog.ts'

/** The relations of catalogs for accounts of these currencies: the same objects as long as both are the same. */
export type RelationsOf = (
  catalogs: readonly TenantCatalog[],
  currencies: readonly string[],
) => Promise<readonly InlineRelation[]>

/** Requests with and without test accounts may see other currencies, and a catalog changes now and then. */
const KEPT = 4

/** The relations, made again only when a text of a catalog, an override, a phase in use, the delimiter or a currency is another. */
export function keepRelations(): RelationsOf {
  const kept = keepLast<readonly InlineRelation[]>(KEPT)
  return (catalogs, currencies) => {
    const identity = identityOf(catalogs, currencies)
    return kept.get(identity) ?? kept.keep(identity, catalogRelationsInTurns(catalogs, currencies, numberPlans()))
  }
}

/** The same with numbers of plans that go on: the last relations only, for earlier ones lack the plans numbered since. */
export function keepNumberedRelations(planKeys: PlanKeys): RelationsOf {
  const kept = keepLast<readonly InlineRelation[]>(1)
  return (catalogs, currencies) => {
    const identity = identityOf(catalogs, currencies)
    return kept.get(identity) ?? kept.keep(identity, catalogRelationsInTurns(catalogs, currencies, planKeys))
  }
}

function identityOf(catalogs: readonly TenantCatalog[], currencies: readonly string[]): string {
  const parts = catalogs.map(({ tenantKey, versions, retired = [], overrides, delimiter, phasesInUse }) => [
    tenantKey,
    versions.map(numberOf),
    retired.map(numberOf),
    [...overrides],
    delimiter ?? null,
    phasesInUse === undefined ? null : [...phasesInUse].sort(),
  ])
  return createHash('sha256')
    .update(JSON.stringify([currencies, parts]))
    .digest('base64')
}

const numbers = new WeakMap<CatalogVersion, number>()
let numbered = 0

// A text is parsed once (document-cache.ts), so a version that is the same object comes from the same text, and no other does.
function numberOf(version: CatalogVersion): number {
  const known = numbers.get(version)
  if (known !== undefined) return known
  numbered += 1
  numbers.set(version, numbered)
  return numbered
}
