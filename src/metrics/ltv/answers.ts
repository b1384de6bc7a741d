import * as z from 'zod'

const cents = (text: string) => z.number().int().describe(text)
const average = (text: string) => z.number().nullable().describe(text)
const count = (text: string) => z.number().int().nonnegative().describe(text)
const day = (text: string) => z.string().describe(text).meta({ format: 'date' })

const ltv = average('Lifetime value of a customer in cents; null without churn or without paying customers')
const arpu = average('MRR per paying customer in cents; null when there are none')
const paying = { arpu, mrr: cents('MRR in cents'), active_customers: count('Customers with MRR') }

/** Rows of ltv without their dimensions, and the plain answers (http-api.md 3.5). */
export const ANSWERS = {
  simple: {
    plain: ltv,
    row: z.object({
      ltv,
      arpu,
      logo_churn_rate: z.number().min(0).max(1).nullable().describe('Monthly logo churn rate that ARPU is divided by'),
    }),
  },
  arpu: {
    plain: arpu,
    row: z.object(paying),
    series_row: z.object({ period: day('First day of the period'), ...paying }),
  },
  cohort: {
    row: z.object({
      cohort_month: day('Month in which the customers first had MRR'),
      customer_count: count('Customers of the cohort'),
      total_revenue: cents('What they paid in the range, in cents'),
      avg_revenue_per_customer: average('total_revenue / customer_count; null for an empty cohort'),
    }),
  },
} as const
