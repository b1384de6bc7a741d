import { type Fragment, sql } from '../../compiler/fragment.ts'
import { COLLECTION_METHODS, PHASE_TYPES, PLAN_INTERVALS, PRICING_MODELS, USAGE_TYPES } from '../../core/enums.ts'
import { defineField, type Field } from '../field.ts'

function planColumn(key: string, description: string, expression: Fragment, values: readonly string[] = []): Field {
  return defineField({
    key,
    shows: 'totals',
    type: 'string',
    description,
    joins: ['plan'],
    reads: [`plan.${key}`],
    values,
    expression: () => expression,
  })
}

/** Plan and product, from the catalog version in force at the start of the span. */
export const PLAN_DIMENSIONS = [
  planColumn(
    'plan_id',
    'Id of the plan. Price overrides count under the plan they override.',
    sql`coalesce(plan.plan_id, fact.plan)`,
  ),
  planColumn(
    'plan_name',
    'Display name of the plan, or its id if it has none.',
    sql`coalesce(plan.plan_name, plan.plan_id, fact.plan)`,
  ),
  planColumn(
    'plan_interval',
    'Unit of the billing period: day, week, month or year; null if there is none.',
    sql`plan.plan_interval`,
    PLAN_INTERVALS,
  ),
  planColumn('billing_period', 'Billing period as the billing engine names it.', sql`plan.billing_period`),
  planColumn('pricing_model', 'Pricing model of the plan: flat or usage_based.', sql`plan.pricing_model`, PRICING_MODELS),
  planColumn('usage_type', 'Usage type of the plan: licensed or metered.', sql`plan.usage_type`, USAGE_TYPES),
  planColumn('product_name', 'Product of the plan.', sql`plan.product_name`),
  planColumn('product_category', 'Product category as the billing engine names it.', sql`plan.product_category`),
]

/** The dimension of plans with this key. */
export function planField(key: 'plan_id' | 'product_name'): Field | undefined {
  return PLAN_DIMENSIONS.find((field) => field.key === key)
}

/** Further dimensions of a subscription. */
export const SUBSCRIPTION_DIMENSIONS = [
  defineField({
    key: 'price_list',
    shows: 'totals',
    type: 'string',
    description: 'Price list of the subscription.',
    expression: () => sql`fact.price_list`,
  }),
  defineField({
    key: 'collection_method',
    shows: 'totals',
    type: 'string',
    description: 'manual if the account is exempt from automatic payment now; otherwise automatic.',
    joins: ['customer'],
    reads: ['customer.collection_method'],
    constant: 'always',
    values: COLLECTION_METHODS,
    expression: () => sql`customer.collection_method`,
  }),
  defineField({
    key: 'bundle_id',
    type: 'string',
    description: 'Bundle of the subscription.',
    joins: ['subscription'],
    reads: ['subscription.bundle_id'],
    constant: 'always',
    expression: () => sql`subscription.bundle_id`,
  }),
]

/** Kind of the phase in force. */
export const PHASE_DIMENSION = defineField({
  key: 'phase_type',
  shows: 'totals',
  type: 'string',
  description: 'Phase of the plan: trial, discount, fixedterm or evergreen.',
  values: PHASE_TYPES,
  expression: () => sql`fact.phase_type`,
})
