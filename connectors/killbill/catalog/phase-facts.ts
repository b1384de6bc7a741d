import type { BillingAlignment, CatalogDuration, CatalogPhase, ResolvedPlan } from './catalog-version.ts'

/** The facts from which SQL prices a phase: cents per month = floor(round(100 × price × quantity) × numerator / denominator) (D23). */
export interface PriceFacts {
  readonly price: string | null
  readonly month_numerator: number
  readonly month_denominator: number
  /** The word of the recurring section. Null without one, and if the phase is unknown. */
  readonly billing_period: string | null
  readonly has_usage: boolean
}

const ZERO = { price: '0', month_numerator: 1, month_denominator: 1, billing_period: null } as const

/** Facts of a phase that no version has. It is unpriced, and its usage counts (D26, D29). */
export const UNKNOWN_PHASE: PriceFacts = {
  price: null,
  month_numerator: 1,
  month_denominator: 1,
  billing_period: null,
  has_usage: true,
}

/** The phase of that type. If two have the same type, the first one (KB 3.4). */
export function phaseOfType(resolved: ResolvedPlan, type: string): CatalogPhase | null {
  return resolved.plan.phases.find((phase) => phase.type === type) ?? null
}

/**
 * Price of a phase (D24, D26; KB 3.3). It is 0 in a trial, without a recurring section, and for an empty list. It is null if the currency is
 * not listed or the period word is unknown. `currency` is empty for an account without one.
 */
export function priceFacts(phase: CatalogPhase, currency: string): PriceFacts {
  const { has_usage } = phase
  if (phase.type === 'TRIAL' || phase.recurring === null) return { ...ZERO, has_usage }
  const { billing_period } = phase.recurring
  const period = billingPeriodOf(billing_period)
  if (period === null) return { ...UNKNOWN_PHASE, billing_period, has_usage }
  const { prices } = phase.recurring
  const price = prices.size === 0 ? '0' : (prices.get(currency) ?? null)
  return { price, month_numerator: period.numerator, month_denominator: period.denominator, billing_period, has_usage }
}

/** How the engine charges a phase, apart from its recurring price (D91). Columns of the relation `billing_rule`, in their order. */
export interface BillingRule {
  /** Price of the start of the phase. */
  readonly fixed_price: string
  readonly alignment: BillingAlignment
  /** Time from the start of the phase to the first phase with a price. A subscription that begins in the phase has its billing day then. */
  readonly lead_months: number
  readonly lead_days: number
}

/** The rule of one of these phases of a plan. Null for the usual one: no fixed price, the billing day of the account, and a price from its start on. */
export function billingRule(phases: readonly CatalogPhase[], phase: CatalogPhase, currency: string): BillingRule | null {
  const { fixed, alignment } = phase
  const fixed_price = fixed?.get(currency) ?? '0'
  const lead = leadOf(phases.slice(phases.indexOf(phase)))
  const isUsual = alignment === 'ACCOUNT' && !isAbove0(fixed_price) && lead.months === 0 && lead.days === 0
  return isUsual ? null : { fixed_price, alignment, lead_months: lead.months, lead_days: lead.days }
}

/** The length of the first phases that recur at no price in any currency. A phase without an end has none. */
function leadOf(phases: readonly CatalogPhase[]): PhaseLength {
  const priced = phases.findIndex(({ recurring }) => [...(recurring?.prices.values() ?? [])].some((price) => isAbove0(price)))
  const lengths = phases.slice(0, Math.max(priced, 0)).map(({ duration }) => lengthOf(duration))
  return lengths.reduce<PhaseLength>(
    (sum, length) => ({ months: sum.months + (length?.months ?? 0), days: sum.days + (length?.days ?? 0) }),
    { months: 0, days: 0 },
  )
}

function isAbove0(price: string | null): boolean {
  return price !== null && /[1-9]/.test(price)
}

/** Columns of the relation `plan` without its key (D61). */
export interface PlanFacts {
  readonly plan_id: string
  readonly plan_name: string
  readonly billing_period: string
  readonly plan_interval: string | null
  readonly pricing_model: 'flat' | 'usage_based'
  readonly usage_type: 'licensed' | 'metered'
  readonly product_name: string
  readonly product_category: string | null
}

/** Facts of a plan as its edition describes it. */
export function planFacts({ plan, product }: ResolvedPlan): PlanFacts {
  const final = plan.phases.find((phase) => phase.is_final)
  const period = final?.recurring?.billing_period ?? 'NO_BILLING_PERIOD'
  const metered = final?.has_usage ?? false
  return {
    plan_id: plan.name,
    plan_name: plan.pretty_name ?? plan.name,
    billing_period: period,
    plan_interval: billingPeriodOf(period)?.unit ?? null,
    pricing_model: metered && final?.recurring === null ? 'usage_based' : 'flat',
    usage_type: metered ? 'metered' : 'licensed',
    product_name: plan.product,
    product_category: product?.category ?? null,
  }
}

/** Length of a phase. */
interface PhaseLength {
  readonly months: number
  readonly days: number
}

/** Length of a final FIXEDTERM phase (KB 2.7). Null for every other phase and for a length that cannot be read. */
export function fixedTermOf(phase: CatalogPhase): PhaseLength | null {
  return phase.type === 'FIXEDTERM' && phase.is_final ? lengthOf(phase.duration) : null
}

function lengthOf({ unit, number }: CatalogDuration): PhaseLength | null {
  if (number === null) return null
  switch (unit) {
    case 'DAYS':
      return { months: 0, days: number }
    case 'WEEKS':
      return { months: 0, days: 7 * number }
    case 'MONTHS':
      return { months: number, days: 0 }
    case 'YEARS':
      return { months: 12 * number, days: 0 }
    default:
      return null
  }
}

/** Length of a Kill Bill billing period: cents per month = floor(amount × numerator / denominator) (D23). */
interface BillingPeriod {
  readonly numerator: number
  readonly denominator: number
  readonly unit: 'day' | 'week' | 'month' | 'year' | null
}

/** Every Kill Bill word for a period. BIANNUAL is six months, TRIANNUAL four months, BIENNIAL two years. */
const BILLING_PERIODS: Readonly<Record<string, BillingPeriod>> = {
  DAILY: { numerator: 365, denominator: 12, unit: 'day' },
  WEEKLY: { numerator: 52, denominator: 12, unit: 'week' },
  BIWEEKLY: { numerator: 26, denominator: 12, unit: 'week' },
  THIRTY_DAYS: { numerator: 365, denominator: 12 * 30, unit: 'day' },
  THIRTY_ONE_DAYS: { numerator: 365, denominator: 12 * 31, unit: 'day' },
  SIXTY_DAYS: { numerator: 365, denominator: 12 * 60, unit: 'day' },
  NINETY_DAYS: { numerator: 365, denominator: 12 * 90, unit: 'day' },
  MONTHLY: { numerator: 1, denominator: 1, unit: 'month' },
  BIMESTRIAL: { numerator: 1, denominator: 2, unit: 'month' },
  QUARTERLY: { numerator: 1, denominator: 3, unit: 'month' },
  TRIANNUAL: { numerator: 1, denominator: 4, unit: 'month' },
  BIANNUAL: { numerator: 1, denominator: 6, unit: 'month' },
  ANNUAL: { numerator: 1, denominator: 12, unit: 'year' },
  SESQUIENNIAL: { numerator: 1, denominator: 18, unit: 'month' },
  BIENNIAL: { numerator: 1, denominator: 24, unit: 'year' },
  TRIENNIAL: { numerator: 1, denominator: 36, unit: 'year' },
  NO_BILLING_PERIOD: { numerator: 0, denominator: 1, unit: null },
}

/** The words of the billing periods. */
export const BILLING_PERIOD_WORDS: readonly string[] = Object.keys(BILLING_PERIODS)

/** The period of that word. Null for a word that Kill Bill does not have (D26). */
function billingPeriodOf(word: string): BillingPeriod | null {
  return Object.hasOwn(BILLING_PERIODS, word) ? (BILLING_PERIODS[word] ?? null) : null
}
