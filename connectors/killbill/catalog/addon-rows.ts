import type { CatalogProduct, ResolvedPlan } from './catalog-version.ts'
import type { TenantCatalog } from './tenant-catalog.ts'
import { type Bound, entryIntervals, type PlanEdition, rectanglesOf } from './timeline.ts'

type Rows = (string | number | null)[][]

/** Rows of one add-on plan (KB 2.6): tenant, plan as stored, entry interval, life interval, product. Other plans have no rows. */
export function addonPlanRows(tenantKey: number, planName: string, editions: readonly PlanEdition[]): Rows {
  const productOf = (resolved: ResolvedPlan | null): string | null =>
    resolved?.product?.category === 'ADD_ON' ? resolved.plan.product : null
  return rectanglesOf(editions, productOf).map(({ entered_from, entered_to, from, to, facts }) => [
    tenantKey,
    planName,
    entered_from,
    entered_to,
    from,
    to,
    facts,
  ])
}

/**
 * Returns the rows of base plans: add-on products that end when their base changes to the plan at an instant of the interval. They end
 * because the base's product does not offer them or already includes them (KB 2.6). Columns: tenant, base plan as stored, product, interval.
 */
export function baseAddonRows(catalog: TenantCatalog): (planName: string, editions: readonly PlanEdition[]) => Rows {
  const products = addonProducts(catalog)
  if (products.length === 0) return () => []
  const offerOf = offersOnce()
  return (planName, editions) => {
    // Few versions change the product's offer. So its intervals are computed first, and each add-on is compared with them.
    const offers = entryIntervals(editions, ({ product }) => (product?.category === 'BASE' ? offerOf(product) : null))
    return products.flatMap((addon) => {
      const rows: { from: Bound; to: Bound }[] = []
      for (const { from, to, facts } of offers) {
        if (!endsAddon(facts, addon)) continue
        const last = rows.at(-1)
        if (last !== undefined && last.to === from) last.to = to
        else rows.push({ from, to })
      }
      return rows.map(({ from, to }) => [catalog.tenantKey, planName, addon, from, to])
    })
  }
}

/** Add-ons that a product offers and includes. Equal lists give the same object. */
type Offer = Pick<CatalogProduct, 'available' | 'included'>

function offersOnce(): (product: CatalogProduct) => Offer {
  const byLists = new Map<string, Offer>()
  const byProduct = new Map<CatalogProduct, Offer>()
  return (product) => {
    const known = byProduct.get(product)
    if (known !== undefined) return known
    const lists = JSON.stringify([product.available, product.included])
    const inputs = byLists.get(lists) ?? product
    byLists.set(lists, inputs)
    byProduct.set(product, inputs)
    return inputs
  }
}

function addonProducts(catalog: TenantCatalog): string[] {
  const names = new Set<string>()
  for (const version of [...catalog.versions, ...(catalog.retired ?? [])])
    for (const product of version.products.values()) if (product.category === 'ADD_ON') names.add(product.name)
  return [...names]
}

function endsAddon({ available, included }: Offer, addonProduct: string): boolean {
  return !available.includes(addonProduct) || included.includes(addonProduct)
}
