import * as z from 'zod'

const period = z.string().describe('First day of the period').meta({ format: 'date' })
const revenue = z.number().int().describe('Paid usage in cents')

/** Rows of usage revenue without their dimensions, and the plain answers (http-api.md 3.5). */
export const ANSWERS = {
  total: { plain: revenue, row: z.object({ period: period.optional(), revenue }) },
  series: { row: z.object({ period, revenue }) },
  by_customer: {
    row: z.object({
      period: period.optional(),
      customer_id: z.string().describe('Id of the customer'),
      customer_name: z.string().nullable().describe('Name of the customer'),
      revenue,
    }),
  },
} as const
