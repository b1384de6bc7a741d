import { createHash } from 'node:crypto'
import type { InlineRelation } from '../../../src/connector-kit/connector.ts'
import { keepLast } from '../../../src/core/keep-last.ts'
import type { CatalogVersion } from './catalog-version.ts'
import { catalogRelationsInTurns, numberPlans, type PlanKeys } from './price-rows.ts'
import type { TenantCatalog } from './tenant-catalog.ts'

/** The relations of catalogs for accounts of these currencies. Equal catalogs and currencies give the same objects. */
type RelationsOf = (catalogs: readonly TenantCatalog[], currencies: readonly string[]) => Promise<readonly InlineRelation[]>

/**
 * Number of stored relations. Requests with and without test accounts may have different currencies, and a catalog changes from
 * time to time.
 */
const KEPT = 4

/** Stores the relations. They are rebuilt only if the text of a catalog, an override, a phase in use, the delimiter or a currency changes. */
export function keepRelations(): RelationsOf {
  const kept = keepLast<readonly InlineRelation[]>(KEPT)
  return (catalogs, currencies) => {
    const identity = identityOf(catalogs, currencies)
    return kept.get(identity) ?? kept.keep(identity, catalogRelationsInTurns(catalogs, currencies, numberPlans()))
  }
}

/** Stores the relations with continued plan numbers. Only the last relations are stored, because earlier ones lack later plan numbers. */
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

// A text is parsed once (document-cache.ts). So the same version object means the same text, and different objects mean different texts.
function numberOf(version: CatalogVersion): number {
  const known = numbers.get(version)
  if (known !== undefined) return known
  numbered += 1
  numbers.set(version, numbered)
  return numbered
}
