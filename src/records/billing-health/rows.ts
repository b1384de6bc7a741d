import * as z from 'zod'
import { amount } from '../../core/amount.ts'
import { EVIDENCE } from '../../evidence/rows.ts'
import { FINDING_CLASSES } from './classes.ts'
import { ROW_MARK } from './marks.ts'

const text = z.string().nullable()
const day = z.string().meta({ format: 'date' })
const count = (description: string) => z.number().int().nonnegative().describe(description)
const cents = (description: string) => amount(z.number().int().describe(description))
const baseCents = (description: string) =>
  amount(z.number().int().nullable().describe(`${description}, in base cents; null if the exchange rate is missing`))

const AGREED = 'Agreed amount of these days'
const BILLED = 'Billed amount of these days'
const DIFFERENCE = 'Agreed less billed: positive if too little is billed'
const MONTHLY = 'Difference of a month from now on'

const AT_STAKE = 'Sum of the findings without their sign: the amount of a month if open, else that of the days'

const amounts = {
  agreed_base_cents: baseCents(AGREED),
  billed_base_cents: baseCents(BILLED),
  difference_base_cents: baseCents(DIFFERENCE),
  monthly_base_cents: baseCents(MONTHLY),
}

const CLASS_ROW = z
  .strictObject({
    class: z.enum(FINDING_CLASSES),
    findings: count('Findings'),
    subscriptions: count('Subscriptions with findings'),
    customers: count('Customers with findings'),
    days: count('Days of subscriptions'),
    ...amounts,
    at_stake_base_cents: baseCents(AT_STAKE),
    seen: count('Findings of the class that are marked as seen, which are in all sums'),
  })
  .meta({ id: 'BillingHealthClass', description: 'The findings of one class' })

const UNBILLED = 'Amount of a month of the open findings that bill too little'

const MARKED = z
  .strictObject({
    findings: count('Findings that are marked as no error'),
    days: count('Days of subscriptions'),
    ...amounts,
    at_stake_base_cents: baseCents(AT_STAKE),
    monthly_unbilled_base_cents: baseCents(UNBILLED),
  })
  .meta({ id: 'BillingHealthMarked', description: 'Findings that are marked as no error, which are in no other sum' })

/** The answer about billing health (http-api.md 12). */
export const HEALTH_ANSWER = z
  .strictObject({
    start: day,
    end: day,
    base_currency: z.string(),
    ...amounts,
    at_stake_base_cents: baseCents(AT_STAKE),
    overdue_block_base_cents: baseCents(
      'Billed amount of days on which an overdue state stops the service, which is in no other sum',
    ),
    overdue_block_days: count('Such days of subscriptions'),
    monthly_unbilled_base_cents: baseCents(UNBILLED),
    subscription_days: count('Days on which a subscription runs or is billed'),
    healthy_days: count('Days on which the billed amount is the agreed amount'),
    unpriced_days: count('Days that cannot be compared, because a price is unknown'),
    unpriced_subscriptions: count('Subscriptions with such days'),
    not_due_days: count('Days of periods that are billed after their end, which has not come'),
    seen: count('Findings that are marked as seen, which are in all sums'),
    marked: MARKED,
    classes: z.array(CLASS_ROW).readonly().describe('Classes with findings, the largest monthly amount first'),
  })
  .meta({ id: 'BillingHealth', description: 'What customers agreed to, compared with what the billing engine charged' })

/** A line of a file of that answer: a class, the findings that are marked as no error, or the days without findings. */
export const CLASS_LINE = CLASS_ROW.extend({
  class: z.enum([...FINDING_CLASSES, 'marked', 'healthy', 'unpriced', 'not_due']),
  subscriptions: count('Subscriptions with findings').nullable(),
  customers: count('Customers with findings').nullable(),
})

/** One subscription and class (H2). */
export const FINDING_ROW = z
  .strictObject({
    customer_id: z.string(),
    customer_name: text,
    source_id: z.string().describe('Id of the tenant of the engine'),
    tenant: text,
    subscription_id: z.string(),
    plan_id: text,
    class: z.enum(FINDING_CLASSES),
    first_day: day.describe('First day, local to the account'),
    last_day: day.describe('Last day'),
    began_on: day.describe('Day since which the amounts of the last day hold, which may be before the range'),
    is_open: z.boolean().describe('True if the last day is yesterday'),
    days: count('Number of days, which may have gaps'),
    currency: z.string(),
    agreed_cents: cents(AGREED),
    billed_cents: cents(BILLED),
    ...amounts,
    confidence: z.enum(['certain', 'likely']),
    reason: z.string().describe('Why the class is certain or only likely'),
    sentence: z.string(),
    remedy: z.string().describe('What an operator can do in the billing engine'),
    admin_url: text.describe("The customer's page in the billing system; null if the connector has no address for it"),
    evidence: z.array(EVIDENCE).readonly(),
    mark: ROW_MARK.nullable().describe('Mark of a person; null without one'),
  })
  .meta({ id: 'BillingFinding', description: 'A subscription that is billed otherwise than agreed' })

export type HealthAnswer = z.infer<typeof HEALTH_ANSWER>
export type Finding = z.infer<typeof FINDING_ROW>
export type ClassLine = z.infer<typeof CLASS_LINE>
