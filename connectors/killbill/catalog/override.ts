import type { CatalogPhase, CatalogPlan, CatalogVersion, ResolvedPlan } from './catalog-version.ts'
import { phaseName } from './catalog-version.ts'

/** Price of one phase in one currency that replaces the parent's (KB 3.6); null keeps it. */
export interface PhaseOverride {
  readonly parent_phase_name: string
  readonly currency: string
  readonly recurring_price: string | null
}

/** An override definition of one tenant, with its phases in phase order. */
export interface PlanOverride {
  readonly record_id: number
  readonly parent_plan_name: string
  readonly phases: readonly PhaseOverride[]
}

/** Definitions of one tenant by number. */
export type PlanOverrides = ReadonlyMap<number, PlanOverride>

/** The longest parent name and the number in a name that may be an override's; null where it cannot be one. */
export function readOverrideName(planName: string): { readonly parent: string; readonly number: number } | null {
  const match = /^(.+)[-:](\d{1,15})$/.exec(planName)
  return match === null ? null : { parent: match[1] ?? '', number: Number(match[2]) }
}

/** Names under which an override's plan may be stored, one per separator. */
export function overrideNames(override: PlanOverride): string[] {
  return ['-', ':'].map((separator) => `${override.parent_plan_name}${separator}${override.record_id}`)
}

/**
 * The plan of that stored name in a version: read as an override first, as a plain plan only if the version has no such parent
 * (KB 3.6). Null where the version knows neither. The plan keeps the parent's name (D61).
 */
export function resolvePlan(version: CatalogVersion, planName: string, overrides: PlanOverrides): ResolvedPlan | null {
  const reading = readOverrideName(planName)
  const parent = reading === null ? undefined : version.plans.get(reading.parent)
  const plan = parent ?? version.plans.get(planName)
  if (plan === undefined) return null
  const product = version.products.get(plan.product) ?? null
  if (parent === undefined || reading === null) return { plan, product }
  return { plan: withOverride(parent, overrides.get(reading.number)?.phases ?? []), product }
}

function withOverride(plan: CatalogPlan, phases: readonly PhaseOverride[]): CatalogPlan {
  if (phases.length === 0) return plan
  return {
    ...plan,
    phases: plan.phases.map((phase) =>
      phases.filter((override) => override.parent_phase_name === phaseName(plan.name, phase.type)).reduce(overridePhase, phase),
    ),
  }
}

/** A list that names the currency takes the new price; an empty list becomes this one price; any other list stays. */
function overridePhase(phase: CatalogPhase, override: PhaseOverride): CatalogPhase {
  const { recurring } = phase
  if (recurring === null || override.recurring_price === null) return phase
  if (recurring.prices.size > 0 && !recurring.prices.has(override.currency)) return phase
  return {
    ...phase,
    recurring: { ...recurring, prices: new Map([...recurring.prices, [override.currency, override.recurring_price]]) },
  }
}
