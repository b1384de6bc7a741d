import * as z from 'zod'

const cents = (text: string) => z.number().int().describe(text)
const count = (text: string) => z.number().int().nonnegative().describe(text)
const day = (text: string) => z.string().describe(text).meta({ format: 'date' })

const period = day('First day of the period').optional()
const start_mrr = cents('MRR of the start cohort just before the start, in cents')
const contraction = cents('Contraction of the start cohort, uncapped, negative')
const churn = cents('Churn of the start cohort, uncapped, negative')
const netRate = z.number().nonnegative().nullable().describe('MRR kept, with growth / MRR at the start; null when that is 0')
const grossRate = z.number().min(0).max(1).nullable().describe('MRR kept, without growth / MRR at the start; null when that is 0')

/** Rows of retention without their dimensions, and the plain answers (http-api.md 3.4). */
export const ANSWERS = {
  nrr: {
    plain: netRate,
    row: z.object({
      period,
      retention_rate: netRate,
      start_mrr,
      expansion: cents('Expansion of the start cohort, uncapped'),
      contraction,
      churn,
      reactivation: cents('0: returns do not count'),
    }),
  },
  grr: {
    plain: grossRate,
    row: z.object({ period, retention_rate: grossRate, start_mrr, contraction, churn }),
  },
  cohort_matrix: {
    row: z.object({
      cohort_month: day('Month in which the customers were first live'),
      active_month: day('Month looked at'),
      months_since: count('Months from the cohort to that month'),
      cohort_size: count('Customers of the cohort'),
      active_count: count('Those live at the end of the month'),
      retention_rate: z.number().min(0).max(1).nullable().describe('active_count / cohort_size'),
      is_complete: z.boolean().describe('The month has ended by the end of the range and by now'),
    }),
  },
} as const
