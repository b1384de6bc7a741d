import * as z from 'zod'
import { average, cents, count, day, FLOW, fraction, quotient } from '../columns.ts'

const days = (text: string) => z.strictObject({ start: day('First day'), end: day('Last day') }).describe(text)

const FIGURES = {
  mrr: cents('MRR at the end of `as_of`, in cents', { window: 'level' }).nullable(),
  arr: cents('12 times MRR, in cents', { window: 'level' }).nullable(),
  arpu: average('MRR per paying customer in cents; null if there are none', { window: 'level' }),
  active_customers: count('Customers with MRR above 0', { window: 'level', label: 'Paying customers' }).nullable(),
  active_subscriptions: count('Subscriptions with MRR above 0', { window: 'level' }).nullable(),
  nrr_12_months: fraction('Net revenue retention over the year window', { window: 'year', label: 'Net revenue retention' }),
  grr_12_months: fraction('Gross revenue retention over the year window', { window: 'year', label: 'Gross revenue retention' }),
  net_new_mrr_so_far: cents('Net movement of MRR in the month window, in cents', {
    window: 'month',
    ...FLOW,
    label: 'Net new MRR, month so far',
  }).nullable(),
  net_new_mrr: cents('Net movement of MRR in the rate window, in cents', {
    window: 'rate',
    ...FLOW,
    words: ['net_new'],
  }).nullable(),
  logo_churn_rate: fraction('Share of the customers live just before the rate window that churned in it', {
    window: 'rate',
    label: 'Logo churn',
    good: 'down',
  }),
  revenue_churn_rate: fraction('MRR lost by churn in the rate window, as a share of the MRR just before it', {
    window: 'rate',
    label: 'Revenue churn',
    good: 'down',
  }),
  nrr: fraction('Net revenue retention over the rate window', { window: 'rate' }),
  grr: fraction('Gross revenue retention over the rate window', { window: 'rate' }),
  ltv: average('ARPU divided by the mean monthly logo churn rate of the trailing window, in cents', { window: 'trailing' }),
  trial_conversion_rate: fraction('Share of the trials begun in the trailing window that converted', {
    window: 'trailing',
    label: 'Trial conversion',
  }),
  quick_ratio: quotient('MRR won divided by MRR lost in the trailing window', { window: 'trailing', unit: 'ratio' }),
} as const

/** Figures that need the books in the store in addition to the billing database. */
const MARGINS = {
  gross_margin: fraction('1 - cogs / paid invoices of the trailing window; null without expenses or revenue', {
    window: 'trailing',
  }),
  operating_margin: fraction('1 - (cogs + expense) / paid invoices of the trailing window; null without expenses or revenue', {
    window: 'trailing',
  }),
} as const

/** Figures that only a forecast has (D80). */
const FORECAST = {
  mrr_in_trial: cents('With `forecast`: MRR of the subscriptions in a trial, when they become active as scheduled, in cents', {
    window: 'level',
  }),
  mrr_scheduled_to_cancel: cents('With `forecast`: MRR of the subscriptions whose end is scheduled, in cents', {
    window: 'level',
  }),
} as const

export type ForecastFigures = Readonly<Record<keyof typeof FORECAST, number | null>>

/** Figures of a forecast in display order. */
export const FORECAST_NAMES = Object.keys(FORECAST) as readonly (keyof ForecastFigures)[]

export type Margins = Readonly<Record<keyof typeof MARGINS, number | null>>

export type FigureName = keyof typeof FIGURES

/** Figures of the summary in display order. */
export const FIGURE_NAMES = Object.keys(FIGURES) as readonly FigureName[]

export type Figures = Readonly<Record<FigureName, number | null>>

/** Answer of the summary (http-api.md 3.1). A figure that the connector cannot supply is null and listed in `unsupported`. */
export const SUMMARY_ANSWER = z
  .strictObject({
    ...FIGURES,
    ...MARGINS,
    mrr_in_trial: FORECAST.mrr_in_trial.nullable().optional(),
    mrr_scheduled_to_cancel: FORECAST.mrr_scheduled_to_cancel.nullable().optional(),
    as_of: day('Day of the levels'),
    year_window: days('Days of `nrr_12_months` and `grr_12_months`'),
    month_window: days('Days of `net_new_mrr_so_far`'),
    rate_window: days('Days of net new MRR, churn and retention'),
    trailing_window: days('Days of LTV, trial conversion, quick ratio and margins'),
    data_through: z
      .string()
      .meta({ format: 'date-time' })
      .nullable()
      .describe('Instant up to which the figures are complete; null if the lag of a replica is unknown'),
    base_currency: z.string().describe('Currency of the amounts'),
    unsupported: z.array(z.string()).describe('Figures that the connector cannot supply'),
  })
  .meta({ id: 'Summary', description: 'Headline figures' })

/** Keys of the answer in order, for a request with or without a forecast. */
export function summaryColumns(isForecast: boolean): readonly string[] {
  const names = Object.keys(SUMMARY_ANSWER.shape)
  return isForecast ? names : names.filter((name) => !FORECAST_NAMES.some((one) => one === name))
}
