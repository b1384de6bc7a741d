import * as z from 'zod'
import { amount } from '../../core/amount.ts'

/** Kinds of terms that end when a subscription renews. */
export const TERM_ENDS = ['period', 'fixed_term'] as const

/** A contract is a fixed term, or a billed period of more than a month. */
export const TERMS = ['contract', 'monthly'] as const

/** Billing periods of a month or less. The engines write them in capitals or in small letters. */
export const SHORT_PERIODS = ['daily', 'weekly', 'biweekly', 'thirty_days', 'thirty_one_days', 'monthly']

const text = z.string().nullable()
const day = z.string().meta({ format: 'date' })
const cents = (description: string) => amount(z.number().int().nullable().describe(description))
const BASE = 'MRR from the renewal on, in base cents; null if a price or an exchange rate is missing'

/** A subscription that renews. */
export const RENEWAL_ROW = z
  .strictObject({
    renews_on: day.describe('First day of the next term, a local day of the customer'),
    ends: z.enum(TERM_ENDS).describe('What ends: a billed period, or a fixed term'),
    term: z.enum(TERMS).describe('contract: a fixed term, or a billed period of more than a month; monthly: all others'),
    customer_id: z.string(),
    customer_name: text,
    source_id: z.string().describe('Id of the tenant of the engine'),
    tenant: text,
    subscription_id: z.string(),
    plan_id: text.describe('Plan from the renewal on'),
    billing_period: text.describe('Billing period from the renewal on, in the words of the engine'),
    quantity: z.number().int(),
    currency: text,
    mrr_cents: cents('MRR from the renewal on, in cents of the currency, without usage; null if the price is missing'),
    mrr_base_cents: cents(BASE),
    admin_url: text.describe("The customer's page in the billing system; null if the connector has no address for it"),
  })
  .meta({ id: 'Renewal', description: 'A subscription that renews' })

/** The renewals of a month. */
export const RENEWAL_MONTH = z
  .strictObject({
    month: day.describe('First day of the month'),
    renewals: z.number().int().nonnegative(),
    mrr_base_cents: cents(BASE),
    contracts: z.number().int().nonnegative().describe('Renewals of contracts'),
    contract_mrr_base_cents: cents(`${BASE}; of contracts`),
  })
  .meta({ id: 'RenewalMonth', description: 'The renewals of a month' })

export type Renewal = z.infer<typeof RENEWAL_ROW>
export type RenewalMonth = z.infer<typeof RENEWAL_MONTH>
