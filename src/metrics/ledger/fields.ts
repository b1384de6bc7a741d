import { relation, sql } from '../../compiler/fragment.ts'
import { REVENUE_KINDS } from '../../core/ledger-options.ts'
import { COHORT_DIMENSIONS, CUSTOMER_DIMENSIONS, CUSTOMER_FIELDS } from '../../query/dimensions/customer.ts'
import { SUBSCRIPTION_DIMENSIONS } from '../../query/dimensions/plan.ts'
import { CURRENCY_DIMENSION, SOURCE_DIMENSIONS } from '../../query/dimensions/source.ts'
import { defineField, type Field } from '../../query/field.ts'
import { type QueryInputs, RANGE_INPUTS } from '../../query/inputs.ts'
import { PAYMENT_OBSTACLES } from '../../relations/collections.ts'

/** The rows that hold the values of fields of charges. */
const OF_CHARGES = relation('ledger_charge')

export const CHARGE_KIND = defineField({
  key: 'charge_kind',
  shows: 'totals',
  type: 'string',
  description: 'Kind of the charge: recurring, usage, fixed or one_off.',
  constant: 'always',
  values: REVENUE_KINDS,
  expression: () => sql`fact.charge_kind`,
})

export const INVOICE = defineField({
  key: 'invoice_id',
  type: 'string',
  description: 'Invoice of the charge.',
  constant: 'always',
  reads: ['ledger_charge'],
  held_in: OF_CHARGES,
  expression: () => sql`fact.invoice_id`,
})

export const SUBSCRIPTION = defineField({
  key: 'subscription_id',
  type: 'string',
  description: 'Subscription of the charge; null for a charge without one.',
  constant: 'always',
  reads: ['ledger_charge'],
  held_in: OF_CHARGES,
  expression: () => sql`fact.subscription_id`,
})

export const PLAN = defineField({
  key: 'plan',
  shows: 'totals',
  type: 'string',
  description: 'Plan as the charge names it; null for a charge without one.',
  constant: 'always',
  reads: ['ledger_charge'],
  held_in: OF_CHARGES,
  expression: () => sql`fact.plan`,
})

const ofKey = (key: string) => SUBSCRIPTION_DIMENSIONS.filter((field) => field.key === key)

/** Dimensions of customers (R26). */
const OF_CUSTOMERS: readonly Field[] = [
  ...SOURCE_DIMENSIONS,
  CURRENCY_DIMENSION,
  ...CUSTOMER_DIMENSIONS,
  ...COHORT_DIMENSIONS.filter(({ key }) => key === 'customer_created_month'),
  ...ofKey('collection_method'),
]

/** The rows that hold the values of fields of attempts. */
const OF_ATTEMPTS = relation('ledger_attempt')

const GATEWAY_ERROR = defineField({
  key: 'gateway_error',
  type: 'string',
  description: 'Code of the payment provider for a failed attempt; null for others and if it is not known.',
  constant: 'always',
  reads: ['ledger_attempt'],
  held_in: OF_ATTEMPTS,
  expression: () => sql`fact.gateway_error`,
})

const PAYMENT_METHOD = defineField({
  key: 'payment_method',
  shows: 'totals',
  type: 'string',
  description: 'How the attempt was paid, as the billing engine names it; null if it is not known.',
  constant: 'always',
  reads: ['ledger_attempt'],
  held_in: OF_ATTEMPTS,
  expression: () => sql`fact.payment_method`,
})

const OBSTACLE = defineField({
  key: 'obstacle',
  shows: 'totals',
  type: 'string',
  description: 'Why nobody tried to collect an invoice: auto_pay_off or no_payment_method, as of now; null otherwise.',
  constant: 'always',
  reads: ['ledger_payer'],
  values: PAYMENT_OBSTACLES,
  expression: () => sql`fact.obstacle`,
})

const OF_PLANS = 'receivables, cash and credit belong to no plan'

/** Inputs of statements over receivables, cash and credit, which have no plan. */
export const CUSTOMER_INPUTS: QueryInputs = {
  ...RANGE_INPUTS,
  step: 'interval',
  dimensions: OF_CUSTOMERS,
  can_group: true,
  filter_fields: CUSTOMER_FIELDS,
  compare: 'rows',
  reasons: Object.fromEntries(
    ['plan', 'plan_id', 'plan_name', 'product_name', 'charge_kind', 'subscription_id', 'bundle_id'].map((key) => [key, OF_PLANS]),
  ),
  own_parameters: ['known_at'],
}

/** Inputs of statements over attempts to collect invoices. */
export const ATTEMPT_INPUTS: QueryInputs = {
  ...CUSTOMER_INPUTS,
  dimensions: [...OF_CUSTOMERS, GATEWAY_ERROR, PAYMENT_METHOD, OBSTACLE],
  own_parameters: ['recovery_window', 'known_at'],
}

const CAN_CHANGE = 'an amount of the bridge belongs to a subscription, whose plan can change within the month'
const OF_STEPS = 'the steps of the bridge divide the kinds of charges and belong to no invoice'

/** Inputs of the bridge from MRR to revenue: what MRR, billed amounts and charges all know. */
export const BRIDGE_INPUTS: QueryInputs = {
  ...CUSTOMER_INPUTS,
  dates: 'month',
  step: 'none',
  dimensions: [...OF_CUSTOMERS, SUBSCRIPTION, ...ofKey('bundle_id')],
  reasons: {
    ...Object.fromEntries(
      ['plan', 'plan_id', 'plan_name', 'product_name', 'phase_type', 'price_list'].map((key) => [key, CAN_CHANGE]),
    ),
    ...Object.fromEntries(['charge_kind', 'movement_source', 'invoice_id'].map((key) => [key, OF_STEPS])),
  },
  own_parameters: ['spread', 'one_off', 'unbilled', 'revenue_kinds'],
}

/** Inputs of statements over charges. */
export const CHARGE_INPUTS: QueryInputs = {
  ...CUSTOMER_INPUTS,
  dimensions: [...OF_CUSTOMERS, CHARGE_KIND, PLAN, SUBSCRIPTION, ...ofKey('bundle_id'), INVOICE],
  reasons: {},
  own_parameters: ['spread', 'one_off', 'unbilled', 'revenue_kinds', 'known_at'],
}
