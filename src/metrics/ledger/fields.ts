import { relation, sql } from '../../compiler/fragment.ts'
import { COHORT_DIMENSIONS, CUSTOMER_DIMENSIONS, CUSTOMER_FIELDS } from '../../query/dimensions/customer.ts'
import { SUBSCRIPTION_DIMENSIONS } from '../../query/dimensions/plan.ts'
import { CURRENCY_DIMENSION, SOURCE_DIMENSIONS } from '../../query/dimensions/source.ts'
import { defineField, type Field } from '../../query/field.ts'
import { type QueryInputs, RANGE_INPUTS } from '../../query/inputs.ts'
import { CHARGE_KINDS } from '../../relations/books.ts'

/** The rows that hold the values of fields of charges. */
const OF_CHARGES = relation('ledger_charge')

const CHARGE_KIND = defineField({
  key: 'charge_kind',
  shows: 'totals',
  type: 'string',
  description: 'Kind of the charge: recurring, usage, fixed or one_off.',
  constant: 'always',
  values: CHARGE_KINDS.filter((kind) => kind !== 'tax'),
  expression: () => sql`fact.charge_kind`,
})

const INVOICE = defineField({
  key: 'invoice_id',
  type: 'string',
  description: 'Invoice of the charge.',
  constant: 'always',
  held_in: OF_CHARGES,
  expression: () => sql`fact.invoice_id`,
})

const SUBSCRIPTION = defineField({
  key: 'subscription_id',
  type: 'string',
  description: 'Subscription of the charge; null for a charge without one.',
  constant: 'always',
  held_in: OF_CHARGES,
  expression: () => sql`fact.subscription_id`,
})

const PLAN = defineField({
  key: 'plan',
  shows: 'totals',
  type: 'string',
  description: 'Plan as the charge names it; null for a charge without one.',
  constant: 'always',
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

/** Inputs of statements over charges. */
export const CHARGE_INPUTS: QueryInputs = {
  ...CUSTOMER_INPUTS,
  dimensions: [...OF_CUSTOMERS, CHARGE_KIND, PLAN, SUBSCRIPTION, ...ofKey('bundle_id'), INVOICE],
  reasons: {},
  own_parameters: ['spread', 'one_off', 'unbilled', 'known_at'],
}
