import type { InlineRelation } from '../../../src/connector-kit/connector.ts'
import { addonPlanRows, baseAddonRows } from './addon-rows.ts'
import { phaseName } from './catalog-version.ts'
import { type CellStretches, cellsOf, intervalsOf } from './cells.ts'
import { fixedTermOf, type PlanFacts, type PriceFacts, phaseOfType, planFacts, priceFacts, UNKNOWN_PHASE } from './phase-facts.ts'
import { inlineRelation } from './relation-columns.ts'
import { cellBounds, editionsByPlan, type Stretch, type TenantCatalog } from './stretch.ts'

/** Facts of one price row; `plan_key` is null where no version has the phase. */
export interface PricedPhase extends PriceFacts {
  readonly plan_key: number | null
}

type Rows = (string | number | boolean | null)[][]

/**
 * The catalog as relations that SQL joins by equality (D23 to D26, D61): `catalog_cell`, `price`, `plan`, `fixed_term`,
 * `base_addon`, `addon_plan`. Instants are text, intervals half-open. `currencies` are those of accounts; one without a
 * currency has ''.
 */
export function catalogRelations(
  catalogs: readonly TenantCatalog[],
  currencies: readonly string[],
  planKeys: PlanKeys = numberPlans(),
): InlineRelation[] {
  const rows = {
    catalog_cell: [] as Rows,
    price: [] as Rows,
    fixed_term: [] as Rows,
    base_addon: [] as Rows,
    addon_plan: [] as Rows,
  }
  for (const catalog of catalogs) {
    const editions = editionsByPlan(catalog)
    for (const cell of cellsOf(cellBounds(catalog), editions)) {
      rows.catalog_cell.push([catalog.tenantKey, cell.cell, cell.from, cell.to])
      rows.price.push(...priceRows(catalog.tenantKey, cell, [...new Set([...currencies, ''])], planKeys))
      rows.fixed_term.push(...fixedTermRows(catalog.tenantKey, cell))
      rows.addon_plan.push(...addonPlanRows(catalog.tenantKey, cell))
    }
    rows.base_addon.push(...baseAddonRows(catalog, editions))
  }
  return [
    inlineRelation('catalog_cell', rows.catalog_cell),
    inlineRelation('price', rows.price),
    inlineRelation('plan', planKeys.rows()),
    inlineRelation('fixed_term', rows.fixed_term),
    inlineRelation('base_addon', rows.base_addon),
    inlineRelation('addon_plan', rows.addon_plan),
  ]
}

function phaseTypesOf(stretches: readonly Stretch[]): Set<string> {
  return new Set(stretches.flatMap((stretch) => stretch.resolved?.plan.phases.map((phase) => phase.type) ?? []))
}

function priceRows(tenantKey: number, cell: CellStretches, currencies: readonly string[], planKeys: PlanKeys): Rows {
  const rows: Rows = []
  for (const [planName, stretches] of cell.byPlan) {
    const keys = new Map(
      stretches.map((stretch) => [stretch, stretch.resolved === null ? null : planKeys.keyOf(planFacts(stretch.resolved))]),
    )
    for (const type of phaseTypesOf(stretches)) {
      for (const currency of currencies) {
        const factsOf = (stretch: Stretch): PricedPhase => pricedPhase(stretch, type, currency, keys.get(stretch) ?? null)
        for (const { from, to, facts } of intervalsOf(stretches, factsOf)) {
          const { price, month_numerator, month_denominator, has_usage, plan_key } = facts
          const name = phaseName(planName, type)
          rows.push([
            tenantKey,
            name,
            currency,
            cell.cell,
            from,
            to,
            price,
            month_numerator,
            month_denominator,
            has_usage,
            plan_key,
          ])
        }
      }
    }
  }
  return rows
}

function pricedPhase(stretch: Stretch, type: string, currency: string, planKey: number | null): PricedPhase {
  const phase = stretch.resolved === null ? null : phaseOfType(stretch.resolved, type)
  return { ...(phase === null ? UNKNOWN_PHASE : priceFacts(phase, currency)), plan_key: planKey }
}

function fixedTermRows(tenantKey: number, cell: CellStretches): Rows {
  return [...cell.byPlan].flatMap(([planName, stretches]) =>
    intervalsOf(stretches, (stretch) => {
      const phase = stretch.resolved === null ? null : phaseOfType(stretch.resolved, 'FIXEDTERM')
      return phase === null ? null : fixedTermOf(phase)
    }).map(({ from, to, facts }) => [tenantKey, phaseName(planName, 'FIXEDTERM'), cell.cell, from, to, facts.months, facts.days]),
  )
}

/** Numbers for distinct plan facts, so that `plan_key` is unique and stable as long as they are kept. */
export interface PlanKeys {
  keyOf(facts: PlanFacts): number
  rows(): Rows
}

/** No plan numbered yet. */
export function numberPlans(): PlanKeys {
  const keys = new Map<string, { readonly key: number; readonly facts: PlanFacts }>()
  return {
    keyOf(facts) {
      const text = JSON.stringify(facts)
      const entry = keys.get(text) ?? { key: keys.size + 1, facts }
      keys.set(text, entry)
      return entry.key
    },
    rows: () => [...keys.values()].map(({ key, facts }) => [key, ...Object.values(facts)]),
  }
}
