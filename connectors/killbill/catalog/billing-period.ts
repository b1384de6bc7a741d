/** Length of a Kill Bill billing period: cents per month = floor(amount × numerator / denominator) (D23). */
export interface BillingPeriod {
  readonly numerator: number
  readonly denominator: number
  readonly unit: 'day' | 'week' | 'month' | 'year' | null
}

/** Every word that Kill Bill has for a period; BIANNUAL is six months, TRIANNUAL four, BIENNIAL two years. */
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

/** The period of that word; null for a word that Kill Bill does not have (D26). */
export function billingPeriodOf(word: string): BillingPeriod | null {
  return Object.hasOwn(BILLING_PERIODS, word) ? (BILLING_PERIODS[word] ?? null) : null
}
