import * as z from 'zod'

const count = (text: string) => z.number().int().nonnegative().describe(text)
const cents = (text: string) => z.number().int().describe(text)
const period = z.string().describe('First day of the period').meta({ format: 'date' }).optional()
const logoRate = z
  .number()
  .min(0)
  .max(1)
  .nullable()
  .describe('Churned customers / customers live at the start; null when there were none')
const revenueRate = z.number().nullable().describe('MRR lost by churn / MRR at the start; null when that is 0')
const customer = {
  customer_id: z.string().describe('Id of the customer'),
  customer_name: z.string().nullable().describe('Name of the customer'),
}

/** Rows of churn without their dimensions, and the plain answers (http-api.md 3.3). */
export const ANSWERS = {
  logo: {
    plain: logoRate,
    row: z.object({
      period,
      logo_churn_rate: logoRate,
      churn_count: count('Customers of the start that churned inside'),
      active_at_start: count('Customers live just before the start'),
    }),
  },
  revenue: {
    plain: revenueRate,
    row: z.object({
      period,
      revenue_churn_rate: revenueRate,
      revenue_lost: cents('MRR lost by churn of customers that had MRR at the start, in cents'),
      start_mrr: cents('MRR just before the start, in cents'),
    }),
  },
  detail: {
    row: z.object({
      ...customer,
      active_at_start: z.boolean().describe('Live just before the start; true on every row'),
      fully_churned: z.boolean().describe('Churned and not live at the end of the range'),
      churned_at: z.string().nullable().describe('First logo churn inside the range').meta({ format: 'date-time' }),
      cancel_reason: z.string().nullable().describe('Reason of that churn as recorded'),
      churned_mrr_cents: cents('MRR lost by pauses and ends inside the range, base cents'),
      starting_mrr_cents: cents('MRR just before the start, base cents'),
    }),
  },
  revenue_events: {
    row: z.object({
      ...customer,
      mrr_cents: cents('MRR lost by churn, base cents'),
      events: count('Churn movements behind it'),
    }),
  },
} as const
