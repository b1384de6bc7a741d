import * as z from 'zod'
import { amount } from '../core/amount.ts'
import { declared } from '../core/column.ts'
import { SUBSCRIPTION_STATUSES } from '../core/enums.ts'

const id = z.string()
const text = z.string().nullable()
type Traits = Parameters<typeof amount>[1]
const cents = (description: string, traits?: Traits) => amount(z.number().int().describe(description), traits)
const unknownCents = (description: string, traits?: Traits) => amount(z.number().int().nullable().describe(description), traits)
const MRR = { adds: 'groups', label: 'MRR' } as const
const BALANCE = { adds: 'groups', label: 'Balance' } as const
const instant = z.string().meta({ format: 'date-time' })
const day = z.string().meta({ format: 'date' })

/**
 * A customer has the first status whose condition holds: MRR or unpriced, active at 0, live, in a trial, was live, none of these.
 */
export const CUSTOMER_STATUSES = ['active', 'free', 'paused', 'trialing', 'churned', 'lead'] as const

/** An invoice has the first status that applies. */
export const INVOICE_STATUSES = ['draft', 'void', 'paid', 'uncollectible', 'open'] as const

/** Classes of days that an invoice has been open. */
export const INVOICE_AGES = ['0-30', '31-60', '61-90', 'over-90'] as const

/** The current state of a customer (http-api.md 5). */
export const CUSTOMER_ROW = z
  .strictObject({
    id: id.describe('Id of the account'),
    source_id: id.describe('Id of the tenant of the engine'),
    tenant: id.describe('Name of the tenant'),
    external_key: text,
    name: text,
    email: text,
    country: text,
    currency: text,
    status: z.enum(CUSTOMER_STATUSES),
    created_at: instant,
    first_active_at: instant.nullable(),
    churned_at: instant.nullable().describe('Last logo churn of a customer that is not live now'),
    cohort_month: day.nullable().describe('Month of first_active_at'),
    live_subscriptions: declared(z.number().int().nonnegative(), { unit: 'count', adds: 'groups' }),
    mrr_cents: unknownCents('MRR in cents of the currency; null if a price is missing'),
    mrr_base_cents: unknownCents('MRR in base cents; null if a price or an exchange rate is missing', MRR),
  })
  .meta({ id: 'Customer', description: 'The current state of a customer' })

/** The current state of a subscription. */
export const SUBSCRIPTION_ROW = z
  .strictObject({
    id,
    source_id: id.describe('Id of the tenant of the engine'),
    tenant: id.describe('Name of the tenant'),
    external_key: text,
    bundle_id: text,
    bundle_external_key: text,
    customer_id: id,
    customer_name: text,
    status: z.enum(SUBSCRIPTION_STATUSES),
    plan_id: text,
    plan_name: text,
    plan_interval: text,
    billing_period: text,
    product_name: text,
    product_category: text,
    price_list: text,
    phase_type: text,
    collection_method: text,
    quantity: z.number().int(),
    currency: text,
    mrr_cents: unknownCents('MRR in cents of the currency, usage included; null if the price is missing'),
    mrr_base_cents: unknownCents('MRR in base cents, usage included; null if the price or an exchange rate is missing', MRR),
    usage_mrr_base_cents: unknownCents('Its usage component in base cents'),
    created_at: instant,
    started_at: instant,
    trial_start: instant.nullable(),
    trial_end: instant.nullable().describe('When the trial ended, else when it is to end'),
    charged_through: day.nullable(),
    pending_cancellation: z.boolean(),
    cancel_at: instant.nullable().describe('When a requested cancellation is to take effect'),
    canceled_at: instant.nullable().describe('When the cancellation was requested'),
    ended_at: instant.nullable(),
    cancel_reason: text,
  })
  .meta({ id: 'Subscription', description: 'The current state of a subscription' })

/** The current state of an invoice. */
export const INVOICE_ROW = z
  .strictObject({
    id,
    source_id: id.describe('Id of the tenant of the engine'),
    tenant: id.describe('Name of the tenant'),
    number: text,
    customer_id: id,
    customer_name: text,
    subscription_ids: z.array(z.string()),
    status: z.enum(INVOICE_STATUSES),
    currency: z.string(),
    invoice_date: day,
    created_at: instant,
    paid_at: instant.nullable().describe('When it was settled'),
    voided_at: instant.nullable(),
    subtotal_cents: cents('total_cents without tax'),
    tax_cents: cents('Taxes in total_cents'),
    total_cents: cents('Charged amount'),
    usage_cents: cents('Usage in total_cents'),
    amount_paid_cents: cents('Payments less refunds and chargebacks'),
    balance_cents: cents('Open amount', { label: 'Original balance' }),
    total_base_cents: unknownCents('total_cents in base cents; null if the exchange rate is missing'),
    balance_base_cents: unknownCents(
      'balance_cents in base cents, at the same rate; null if the exchange rate is missing',
      BALANCE,
    ),
    days_open: z
      .number()
      .int()
      .nonnegative()
      .nullable()
      .describe('Days since invoice_date; null unless the invoice is open (D90)'),
    age: z.enum(INVOICE_AGES).nullable().describe('Class of days_open; null unless the invoice is open (D90)'),
  })
  .meta({ id: 'Invoice', description: 'The current state of an invoice' })

/** The open invoices of one age. */
export const INVOICE_AGE_ROW = z
  .strictObject({
    age: z.enum(INVOICE_AGES).describe('Days since invoice_date'),
    invoices: z.number().int().nonnegative().describe('Number of open invoices'),
    balance_base_cents: unknownCents('Sum of their open amounts in base cents; null if an exchange rate is missing', BALANCE),
  })
  .meta({ id: 'InvoiceAge', description: 'The open invoices of one age' })

/** A customer with its subscriptions and attributes. */
export const CUSTOMER_DETAIL = CUSTOMER_ROW.extend({
  admin_url: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .describe("Page of the customer in the billing engine's own admin pages; null unless the configuration names their address"),
  subscriptions: z.array(SUBSCRIPTION_ROW).describe('All subscriptions, the newest start first'),
  attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).describe('Attributes by key'),
}).meta({ id: 'CustomerDetail', description: 'A customer with its subscriptions and attributes' })
