import type { CatalogPhase, CatalogPlan, CatalogVersion, PriceList, ResolvedPlan } from './catalog-version.ts'
import { phaseName } from './catalog-version.ts'

/** Prices of one phase in one currency that replace the parent's prices (KB 3.6). Null keeps the parent's price. */
export interface PhaseOverride {
  readonly parent_phase_name: string
  readonly currency: string
  readonly recurring_price: string | null
  readonly fixed_price?: string | null
}

/** An override definition of one tenant, with its phases in phase order. */
export interface PlanOverride {
  readonly record_id: number
  readonly parent_plan_name: string
  readonly phases: readonly PhaseOverride[]
}

/** Definitions of one tenant by number. */
export type PlanOverrides = ReadonlyMap<number, PlanOverride>

/** The text between the parent's name and the number. The server's setting `price.override.delimiter.REC-xml-names-19990114.compliant` chooses it. */
export const OVERRIDE_DELIMITERS = ['-', ':'] as const
export type OverrideDelimiter = (typeof OVERRIDE_DELIMITERS)[number]

/** The engine's default. */
export const DEFAULT_DELIMITER: OverrideDelimiter = '-'

interface OverrideName {
  readonly parent: string
  readonly delimiter: OverrideDelimiter
  readonly number: number
}

/**
 * Splits a name that may belong to an override: the longest parent name, the delimiter and the number. Null for any other name.
 */
export function readOverrideName(planName: string): OverrideName | null {
  const match = /^(.+)([-:])(\d{1,15})$/.exec(planName)
  return match === null ? null : { parent: match[1] ?? '', delimiter: match[2] === ':' ? ':' : '-', number: Number(match[3]) }
}

/** Names under which an override's plan may be stored, one per delimiter. */
export function overrideNames(override: PlanOverride): string[] {
  return OVERRIDE_DELIMITERS.map((delimiter) => `${override.parent_plan_name}${delimiter}${override.record_id}`)
}

/** The context for reading names of overrides. */
interface OverrideReading {
  readonly overrides: PlanOverrides
  readonly delimiter?: OverrideDelimiter | undefined
}

/**
 * Finds the plan with a stored name in a version, in the engine's order (KB 3.6). If the name has the server's delimiter and the
 * version has the parent, the plan is an override, and otherwise a plain plan. A name with the other delimiter belongs to a plain
 * plan, or else to an override that was made before the server's setting changed. Null if the version has none of them. The plan
 * keeps the parent's name (D61).
 */
export function resolvePlan(
  version: CatalogVersion,
  planName: string,
  { overrides, delimiter = DEFAULT_DELIMITER }: OverrideReading,
): ResolvedPlan | null {
  const reading = readOverrideName(planName)
  const parent = reading === null ? undefined : version.plans.get(reading.parent)
  const plain = version.plans.get(planName)
  if (reading !== null && parent !== undefined) {
    const override = overrides.get(reading.number)
    const isEarlier = plain === undefined && override?.parent_plan_name === reading.parent
    if (reading.delimiter === delimiter || isEarlier) return resolvedIn(version, withOverride(parent, override?.phases ?? []))
  }
  return plain === undefined ? null : resolvedIn(version, plain)
}

function resolvedIn(version: CatalogVersion, plan: CatalogPlan): ResolvedPlan {
  return { plan, product: version.products.get(plan.product) ?? null }
}

/** Names of plain plans that may also be names of overrides. The server's delimiter decides which price they have. */
export function ambiguousPlanNames(versions: readonly CatalogVersion[]): string[] {
  const names = versions.flatMap((version) =>
    [...version.plans.keys()].filter((name) => version.plans.has(readOverrideName(name)?.parent ?? '')),
  )
  return [...new Set(names)].sort()
}

/**
 * The delimiter of the newest override among these plan names. Names of plain plans (`isPlain`) do not count, because they show
 * nothing about overrides. Null if no name counts.
 */
export function delimiterInUse(
  planNames: Iterable<string>,
  overrides: PlanOverrides,
  isPlain: (planName: string) => boolean,
): { readonly delimiter: OverrideDelimiter; readonly number: number } | null {
  let newest: OverrideName | null = null
  for (const name of planNames) {
    const reading = readOverrideName(name)
    if (reading === null || isPlain(name)) continue
    if (overrides.get(reading.number)?.parent_plan_name !== reading.parent) continue
    if (newest === null || reading.number > newest.number) newest = reading
  }
  return newest
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

function overridePhase(phase: CatalogPhase, { currency, recurring_price, fixed_price = null }: PhaseOverride): CatalogPhase {
  const { recurring, fixed } = phase
  return {
    ...phase,
    recurring: recurring && { ...recurring, prices: withPrice(recurring.prices, currency, recurring_price) },
    fixed: fixed && withPrice(fixed, currency, fixed_price),
  }
}

/**
 * A price list with the currency takes the new price. An empty list becomes a list of the new price alone. Any other list stays
 * unchanged.
 */
function withPrice(prices: PriceList, currency: string, price: string | null): PriceList {
  if (price === null || (prices.size > 0 && !prices.has(currency))) return prices
  return new Map([...prices, [currency, price]])
}
