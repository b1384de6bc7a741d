import * as z from 'zod'
import { MOVEMENT_TYPES } from '../../core/enums.ts'

const cents = (text: string) => z.number().int().describe(text)
const day = (text: string) => z.string().describe(text).meta({ format: 'date' })

const period = day('First day of the period')
const mrr = cents('MRR in cents: in a series the level at the end of the period')
const arr = cents('12 times MRR, in cents')
const net = cents('Net movement inside the period, in cents')
const components = {
  subscription_mrr: cents('Recurring component of MRR, in cents'),
  usage_mrr: cents('Usage component of MRR, in cents'),
  mrr,
}

/** Rows of the MRR family without their dimensions, and the plain answers (http-api.md 3.2). */
export const ANSWERS = {
  mrr: {
    plain: mrr,
    row: z.object({ mrr }),
    series_row: z.object({ period, mrr: mrr.nullable(), amount_base: net }),
  },
  arr: {
    plain: arr,
    row: z.object({ mrr, arr }),
    series_row: z.object({ period, arr: arr.nullable(), mrr: mrr.nullable(), amount_base: net }),
  },
  components: {
    plain: z.object(components),
    row: z.object(components),
    series_row: z.object({ period, ...components }),
  },
  breakdown: {
    row: z.object({
      period: period.optional(),
      movement_type: z.enum([...MOVEMENT_TYPES, 'transfer', 'fx_effect']).describe('Kind of movement'),
      amount_base: cents('Sum of the movements in cents, losses negative'),
      event_count: z.number().int().nonnegative().describe('Number of movements'),
    }),
  },
  waterfall: {
    row: z.object({
      month: day('The same as period'),
      period,
      starting_mrr: cents('MRR just before the period'),
      new: cents('First activity'),
      expansion: cents('Growth of active subscriptions'),
      contraction: cents('Shrinkage of active subscriptions, negative'),
      churn: cents('Pauses and ends, negative'),
      reactivation: cents('Returns'),
      transfer: cents('What entered or left the group because the value itself changed'),
      fx_effect: cents('Revaluation; 0 unless the definitions revalue open MRR'),
      net_change: cents('Sum of the seven parts'),
      ending_mrr: cents('MRR at the end of the period'),
    }),
  },
} as const
