import * as z from 'zod'
import { amount } from '../../core/amount.ts'

/** Kinds of charges to come, with what they are (D91). */
export const BILLING_KINDS = {
  recurring: 'the recurring price of a period or of a part of it',
  fixed: 'the price of the start of a phase',
  usage: 'usage of a month, estimated',
  repair: 'what is given back of days that are billed already',
} as const

export type BillingKind = keyof typeof BILLING_KINDS

/** The kinds whose amounts nobody has written down. */
export const ESTIMATED: readonly BillingKind[] = ['usage']

const KINDS = Object.keys(BILLING_KINDS) as [BillingKind, ...BillingKind[]]

const text = z.string().nullable()
const day = z.string().meta({ format: 'date' })
const kind = z.enum(KINDS).describe(
  Object.entries(BILLING_KINDS)
    .map(([name, what]) => `${name}: ${what}`)
    .join('; '),
)
const is_estimate = z.boolean().describe('True for usage: the mean of the last three months with paid usage goes on')
const base = amount(
  z.number().int().nullable().describe('In base cents, at the rate of yesterday; null if the exchange rate is missing'),
)

/** The charges to come of a month, a currency and a kind. */
export const BILLING_MONTH = z
  .strictObject({
    month: day.describe('First day of the month in which the charges are made'),
    currency: z.string(),
    kind,
    is_estimate,
    charges: z.number().int().nonnegative().describe('Number of charges'),
    amount_cents: amount(z.number().int().describe('Sum in cents of the currency')),
    amount_base_cents: base,
  })
  .meta({ id: 'BillingMonth', description: 'The charges to come of a month, a currency and a kind' })

/** A charge to come. */
export const BILLING_ROW = z
  .strictObject({
    billed_on: day.describe('Day on which the engine makes the charge, a local day of the customer'),
    kind,
    is_estimate,
    is_partial: z.boolean().describe('True for a part of a period'),
    customer_id: z.string(),
    customer_name: text,
    source_id: z.string().describe('Id of the tenant of the engine'),
    tenant: text,
    subscription_id: z.string(),
    plan_id: text.describe('Plan of the charge'),
    quantity: z.number().int(),
    currency: z.string(),
    starts_on: day.describe('First day that is charged'),
    ends_on: day.nullable().describe('Day after the last day that is charged; null for the price of the start of a phase'),
    amount_cents: amount(z.number().int().describe('In cents of the currency')),
    amount_base_cents: base,
    admin_url: text.describe("The customer's page in the billing system; null if the connector has no address for it"),
  })
  .meta({ id: 'Billing', description: 'A charge that the billing engine will make' })

export type BillingMonth = z.infer<typeof BILLING_MONTH>
export type Billing = z.infer<typeof BILLING_ROW>
