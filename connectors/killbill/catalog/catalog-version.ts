import { PHASE_TYPES, type PhaseType } from '../../../src/core/enums.ts'

/** One uploaded catalog version, reduced to what metrics need (KB 3.3). */
export interface CatalogVersion {
  readonly effective_at: Date
  readonly name: string
  readonly products: ReadonlyMap<string, CatalogProduct>
  readonly plans: ReadonlyMap<string, CatalogPlan>
  readonly unreadable: readonly UnreadablePrice[]
}

/** A recurring price that is written as no price is: its phase counts as unpriced in that currency. */
export interface UnreadablePrice {
  readonly plan: string
  /** Type of the phase. */
  readonly phase: string
  readonly currency: string
  /** As the catalog has it, and what is wrong with it. */
  readonly text: string
  readonly reason: string
}

export interface CatalogProduct {
  readonly name: string
  readonly pretty_name: string | null
  /** `BASE`, `ADD_ON` or `STANDALONE`. */
  readonly category: string
  /** Add-on products that may be bought beside this one. */
  readonly available: readonly string[]
  /** Add-on products that this one already contains. */
  readonly included: readonly string[]
}

export interface CatalogPlan {
  readonly name: string
  readonly pretty_name: string | null
  readonly product: string
  /** First price list that names the plan. */
  readonly price_list: string | null
  /** From when on the version holds for subscriptions that entered the plan earlier (KB 3.5). */
  readonly existing_from: Date | null
  /** Initial phases in order, then the final one. */
  readonly phases: readonly CatalogPhase[]
}

export interface CatalogPhase {
  /** `TRIAL`, `DISCOUNT`, `FIXEDTERM` or `EVERGREEN`. */
  readonly type: string
  readonly is_final: boolean
  readonly duration: CatalogDuration
  readonly recurring: CatalogRecurring | null
  readonly has_usage: boolean
}

export interface CatalogDuration {
  /** `DAYS`, `WEEKS`, `MONTHS`, `YEARS` or `UNLIMITED`. */
  readonly unit: string
  readonly number: number | null
}

export interface CatalogRecurring {
  readonly billing_period: string
  /** Price by currency, decimal text; null = listed without a value. No entry at all = zero in every currency. */
  readonly prices: ReadonlyMap<string, string | null>
}

/** A plan as one version describes it, with the prices that an override changed. */
export interface ResolvedPlan {
  readonly plan: CatalogPlan
  readonly product: CatalogProduct | null
}

/** Suffix that Kill Bill adds to the plan's name (KB 3.4). */
export function phaseName(planName: string, phaseType: string): string {
  return `${planName}-${phaseType.toLowerCase()}`
}

/** Plan name inside a stored phase name; the name itself where no phase type ends it (KB 3.4). */
export function planOfPhase(storedPhase: string): string {
  return storedPhase.replace(/-(trial|discount|fixedterm|evergreen)$/, '')
}

/** Type of the phase, which its name ends with; null for any other name. */
export function typeOfPhase(storedPhase: string): PhaseType | null {
  return PHASE_TYPES.find((type) => storedPhase.endsWith(`-${type}`)) ?? null
}
