import type { ResolvedPlan } from './catalog-version.ts'
import { type CellStretches, intervalsOf } from './cells.ts'
import { entryStretchesOf, type TenantCatalog } from './stretch.ts'
import type { PlanEdition } from './version.ts'

/**
 * Product of each add-on plan (KB 2.6): tenant, plan as stored, cell of the add-on's own plan change, interval, product.
 */
export function addonPlanRows(tenantKey: number, cell: CellStretches): (string | number)[][] {
  return [...cell.byPlan].flatMap(([planName, stretches]) =>
    intervalsOf(stretches, (stretch) =>
      stretch.resolved?.product?.category === 'ADD_ON' ? stretch.resolved.plan.product : null,
    ).map(({ from, to, facts }) => [tenantKey, planName, cell.cell, from, to, facts]),
  )
}

/**
 * Add-on products that end when their base changes to a plan at an instant of the interval, because the base's product does
 * not offer them or already includes them (KB 2.6): tenant, base plan as stored, product, interval.
 */
export function baseAddonRows(catalog: TenantCatalog, plans: ReadonlyMap<string, readonly PlanEdition[]>): (string | number)[][] {
  const products = addonProducts(catalog)
  return [...plans].flatMap(([planName, editions]) => {
    const stretches = entryStretchesOf(editions)
    return products.flatMap((product) =>
      intervalsOf(stretches, (stretch) => (stretch.resolved !== null && endsAddon(stretch.resolved, product) ? true : null)).map(
        ({ from, to }) => [catalog.tenantKey, planName, product, from, to],
      ),
    )
  })
}

function addonProducts(catalog: TenantCatalog): string[] {
  const products = [...catalog.versions, ...(catalog.retired ?? [])].flatMap((version) => [...version.products.values()])
  return [...new Set(products.filter((product) => product.category === 'ADD_ON').map((product) => product.name))]
}

function endsAddon({ product }: ResolvedPlan, addonProduct: string): boolean {
  if (product?.category !== 'BASE') return false
  return !product.available.includes(addonProduct) || product.included.includes(addonProduct)
}
