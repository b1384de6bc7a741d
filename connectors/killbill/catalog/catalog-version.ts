import { PHASE_TYPES, type PhaseType } from '../../../src/core/enums.ts'

/** One uploaded catalog version, reduced to the parts that metrics need (KB 3.3). */
export interface CatalogVersion {
  readonly effective_at: Date
  readonly name: string
  readonly products: ReadonlyMap<string, CatalogProduct>
  readonly plans: ReadonlyMap<string, CatalogPlan>
  readonly unreadable: readonly UnreadablePrice[]
}

/** A recurring price that is not written as a price, or a billing period that the engine does not have. The phase counts as unpriced. */
export interface UnreadablePrice {
  readonly plan: string
  /** Type of the phase. */
  readonly phase: string
  /** Currency of the price. Null for a billing period, which all currencies need. */
  readonly currency: string | null
  /** The text in the catalog, and its flaw. */
  readonly text: string
  readonly reason: string
}

export interface CatalogProduct {
  readonly name: string
  readonly pretty_name: string | null
  /** `BASE`, `ADD_ON` or `STANDALONE`. */
  readonly category: string
  /** Add-on products that may be bought with this one. */
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
  /** The version applies from this date to subscriptions that entered the plan earlier (KB 3.5). */
  readonly existing_from: Date | null
  /** True if a period is billed after its end. */
  readonly in_arrears: boolean
  /** Initial phases in order, then the final one. */
  readonly phases: readonly CatalogPhase[]
}

export interface CatalogPhase {
  /** `TRIAL`, `DISCOUNT`, `FIXEDTERM` or `EVERGREEN`. */
  readonly type: string
  readonly is_final: boolean
  readonly duration: CatalogDuration
  readonly recurring: CatalogRecurring | null
  /** Price that is charged once, at the start of the phase, by currency. An empty map means zero. Null without one. */
  readonly fixed: PriceList | null
  readonly has_usage: boolean
  /** The owner of the billing day of the phase. */
  readonly alignment: BillingAlignment
}

/** Price by currency, decimal text. Null means listed without a value. */
export type PriceList = ReadonlyMap<string, string | null>

/** The owner of a billing day: the account, the base subscription of the bundle, or the subscription itself. */
export const BILLING_ALIGNMENTS = ['ACCOUNT', 'BUNDLE', 'SUBSCRIPTION'] as const
export type BillingAlignment = (typeof BILLING_ALIGNMENTS)[number]

export interface CatalogDuration {
  /** `DAYS`, `WEEKS`, `MONTHS`, `YEARS` or `UNLIMITED`. */
  readonly unit: string
  readonly number: number | null
}

export interface CatalogRecurring {
  readonly billing_period: string
  /** An empty map means zero in every currency. */
  readonly prices: PriceList
}

/** A plan as one version describes it, with the prices that an override changed. */
export interface ResolvedPlan {
  readonly plan: CatalogPlan
  readonly product: CatalogProduct | null
}

/** Name of the phase. Kill Bill adds a suffix to the plan's name (KB 3.4). */
export function phaseName(planName: string, phaseType: string): string {
  return `${planName}-${phaseType.toLowerCase()}`
}

/** Plan name inside a stored phase name. The name itself if it does not end with a phase type (KB 3.4). */
export function planOfPhase(storedPhase: string): string {
  return storedPhase.replace(/-(trial|discount|fixedterm|evergreen)$/, '')
}

/** Type of the phase, from the end of its name. Null for any other name. */
export function typeOfPhase(storedPhase: string): PhaseType | null {
  return PHASE_TYPES.find((type) => storedPhase.endsWith(`-${type}`)) ?? null
}
