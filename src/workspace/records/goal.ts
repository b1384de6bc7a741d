import * as z from 'zod'
import { GOAL_PERIOD } from '../../core/goal.ts'
import { isStorable } from '../../core/text.ts'
import { shownAs } from './body.ts'
import { defineRecord } from './define-record.ts'
import { ID, INSTANT, refusal, text } from './fields.ts'

const MOST_FILTERS = 20
const LONGEST_FILTER = 500

const period = z
  .string({ error: refusal('period', 'a month such as 2026-10, or a quarter such as 2026-Q4') })
  .regex(new RegExp(GOAL_PERIOD), { error: refusal('period', 'a month such as 2026-10, or a quarter such as 2026-Q4') })
  .describe('A month `2026-10`, or a quarter `2026-Q4`')

const FILTERS = `a list of at most ${MOST_FILTERS} texts, key=value each`
const refused = { error: refusal('filter', FILTERS) }
const filter = shownAs(
  z
    .array(
      z
        .string(refused)
        .max(LONGEST_FILTER, refused)
        .regex(/^[^=]+=./s, refused)
        .refine(isStorable, refused),
      refused,
    )
    .max(MOST_FILTERS, refused)
    .optional(),
  z
    .array(z.string().max(LONGEST_FILTER))
    .max(MOST_FILTERS)
    .optional()
    .describe('The customers that the goal is for: `key=value` each, as the parameter `filter` of the metric. Default: all'),
)

/** Largest value: cents that answers can hold exactly. */
const LARGEST = Number.MAX_SAFE_INTEGER
const value = z
  .number({ error: refusal('value', `a number from 0 to ${LARGEST}`) })
  .min(0, { error: refusal('value', `a number from 0 to ${LARGEST}`) })
  .max(LARGEST, { error: refusal('value', `a number from 0 to ${LARGEST}`) })
  .describe('Whole cents of the base currency for amounts, a fraction (0.05 is 5 %) for rates, a whole number for counts')

/** A number to reach in a month or quarter. */
export const GOAL = defineRecord('Goal', {
  description: 'A number to reach in a month or quarter',
  fixed: {
    metric: text('metric', 1, 200).describe(
      'Name of a metric, or of a figure of `/api/metrics/{metric}/fields`, such as `customers`',
    ),
    query_type: text('query_type', 1, 200).optional().describe('Query type of the metric. Default: its first one'),
    filter,
    period,
  },
  fields: { value },
  answer: (fields) => ({
    id: ID,
    metric: z.string().describe('Name of the metric'),
    query_type: z.string().describe('The query that answers the number'),
    measure: z.string().describe('The column of its answer'),
    label: z.string().describe('Display name of the number'),
    is_level: z
      .boolean()
      .describe('True for a level, which is compared at the end of the period. Other numbers are those of the period'),
    filter: z.array(z.string()).readonly().describe('`key=value` each, sorted. Empty: all customers'),
    period: fields.period,
    value: z.number().describe('Cents of `currency` for amounts, a fraction (0.05 is 5 %), a ratio, or a count'),
    unit: z.enum(['money', 'fraction', 'ratio', 'count']),
    currency: z.string().nullable().describe('The base currency when the goal was set. Null if the goal is no amount'),
    created_by: z.string().nullable().describe('Creator: `key:<id>` or `oidc:<subject>`. Null if the creator was not signed in'),
    created_at: INSTANT,
    updated_at: INSTANT,
    warnings: z
      .array(z.string())
      .readonly()
      .describe('Why the goal is compared with nothing, such as another base currency or a tenant that is no longer served'),
  }),
})
