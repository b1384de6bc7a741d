import * as z from 'zod'
import { MOVEMENT_TYPES } from '../../core/enums.ts'
import { CUSTOMER_COLUMNS, cents } from '../columns.ts'

const amount_base = cents('Change of MRR in base cents, losses negative')

/** What a change of MRR is made of (http-api.md 3.2), in base cents. */
export const WHY_ANSWER = z.strictObject({
  start_mrr: cents('MRR just before the range'),
  end_mrr: cents('MRR at the end of the range'),
  change: cents('end_mrr - start_mrr'),
  by_movement: z
    .strictObject({
      new: cents('First activity'),
      expansion: cents('Growth of active subscriptions'),
      contraction: cents('Shrinkage of active subscriptions, negative'),
      churn: cents('Pauses and ends, negative'),
      reactivation: cents('Returns'),
      transfer: cents('What entered or left the filters because the value itself changed'),
      fx_effect: cents('Revaluation; 0 unless the definitions revalue open MRR'),
    })
    .describe('The change by kind of movement; adds up to `change`'),
  by_plan: z
    .array(
      z.strictObject({
        plan_id: z.string().nullable().describe('Plan'),
        amount_base,
      }),
    )
    .describe('What the MRR of each plan changed by, the largest first; adds up to `change`'),
  movers: z
    .array(
      z.strictObject({
        ...CUSTOMER_COLUMNS,
        subscription_id: z.string().describe('Id of the subscription; of a switch the one that began'),
        plan_id: z.string().nullable().describe('Plan of the subscription'),
        movement_type: z.enum(MOVEMENT_TYPES).describe('Kind of movement'),
        occurred_at: z.string().meta({ format: 'date-time' }).describe('When it happened'),
        amount_base,
        text: z.string().describe('The same as a sentence'),
      }),
    )
    .describe('The largest movements, by amount whatever its sign'),
  sentences: z
    .array(z.string())
    .describe(
      'The change in words: as a whole, then by kind of movement, the largest first, each with the plan that most of it came from and how many of its movements are of that plan',
    ),
})

export type WhyAnswer = z.output<typeof WHY_ANSWER>
export type Mover = WhyAnswer['movers'][number]
