import * as z from 'zod'

const cents = (text: string) => z.number().int().describe(text)
const count = (text: string) => z.number().int().nonnegative().describe(text)
const rate = (text: string) => z.number().nullable().describe(text)
const day = (text: string) => z.string().describe(text).meta({ format: 'date' })
const days = (text: string) => z.strictObject({ start: day('First day'), end: day('Last day') }).describe(text)

const FIGURES = {
  mrr: cents('MRR at the end of `as_of`, in cents').nullable(),
  arr: cents('12 times MRR, in cents').nullable(),
  arpu: rate('MRR per paying customer in cents; null when there are none'),
  active_customers: count('Customers with MRR above 0').nullable(),
  active_subscriptions: count('Subscriptions with MRR above 0').nullable(),
  net_new_mrr: cents('Net movement of MRR in the rate window, in cents').nullable(),
  logo_churn_rate: rate('Share of the customers live just before the rate window that churned inside it'),
  revenue_churn_rate: rate('MRR lost by churn in the rate window as a share of the MRR before it'),
  nrr: rate('Net revenue retention over the rate window'),
  grr: rate('Gross revenue retention over the rate window'),
  ltv: rate('ARPU divided by the mean monthly logo churn rate of the trailing window, in cents'),
  trial_conversion_rate: rate('Share of the trials begun in the trailing window that converted'),
  quick_ratio: rate('MRR won divided by MRR lost in the trailing window'),
} as const

export type FigureName = keyof typeof FIGURES

/** Figures of the summary in the order in which they are shown. */
export const FIGURE_NAMES = Object.keys(FIGURES) as readonly FigureName[]

export type Figures = Readonly<Record<FigureName, number | null>>

/** The summary's answer (http-api.md 3.1). A figure that the connector cannot supply is null and named in `unsupported`. */
export const SUMMARY_ANSWER = z.strictObject({
  ...FIGURES,
  as_of: day('Day of the levels'),
  rate_window: days('Range of net new MRR, churn and retention'),
  trailing_window: days('Range of LTV, trial conversion and quick ratio'),
  data_through: z.string().describe('Instant up to which the figures are complete').meta({ format: 'date-time' }),
  base_currency: z.string().describe('Currency of the amounts'),
  unsupported: z.array(z.string()).describe('Figures that the connector cannot supply'),
})

/** Keys of the answer in order. */
export const SUMMARY_COLUMNS: readonly string[] = Object.keys(SUMMARY_ANSWER.shape)
