import { sql } from '../compiler/fragment.ts'
import { SUBSCRIPTION_STATUSES } from '../core/enums.ts'
import { dayOrNull, instantCell, integerCell, integerOrNull, textCell } from '../ports/cells.ts'
import type { Row } from '../ports/rows.ts'
import { PENDING_CANCELLATION_DIMENSION } from '../query/dimensions/level.ts'
import { planField } from '../query/dimensions/plan.ts'
import { defineField } from '../query/field.ts'
import { type ListDefinition, listField, orderFields, TENANT_FIELD } from '../query/lists/definition.ts'
import { SUBSCRIPTION_ROW } from './rows.ts'

const CURRENCY = listField(
  'currency',
  'Currency of the subscription. customer.currency is that of the account.',
  sql`coalesce(fact.currency, customer.currency)`,
  { isUpperCase: true },
)

/** True if a cancellation is requested that has not ended the subscription. */
const PENDING_CANCELLATION = defineField({
  ...PENDING_CANCELLATION_DIMENSION,
  expression: (context) =>
    sql`case when fact.ended_at is null and (${PENDING_CANCELLATION_DIMENSION.expression(context) ?? sql`false`}) = true then true else false end`,
})

const CANCEL_AT = defineField({
  key: 'cancel_at',
  type: 'timestamp',
  description: 'Time when a requested cancellation takes effect.',
  joins: PENDING_CANCELLATION_DIMENSION.joins,
  expression: (context) =>
    sql`case when (${PENDING_CANCELLATION.expression(context) ?? sql`false`}) = true then subscription.cancel_at end`,
})

/** Subscriptions, newest begin first. */
export const SUBSCRIPTIONS: ListDefinition = {
  name: 'subscriptions',
  template: 'data/subscriptions',
  reads: ['subscription', 'customer', 'mrr_span', 'subscription_life', 'plan', 'trial', 'cancellation'],
  fields: [
    TENANT_FIELD,
    listField('status', SUBSCRIPTION_STATUSES.join(', '), sql`fact.status`, { values: SUBSCRIPTION_STATUSES }),
    listField('plan_id', 'Plan of the subscription.', sql`coalesce(plan.plan_id, fact.plan)`, { same_as: planField('plan_id') }),
    listField('product_name', 'Product of the plan of the subscription.', sql`plan.product_name`, {
      same_as: planField('product_name'),
    }),
    CURRENCY,
  ],
  statuses: SUBSCRIPTION_STATUSES,
  subscriptions: { fields: [CURRENCY, PENDING_CANCELLATION, CANCEL_AT], joined: ['customer', 'tenant', 'subscription', 'plan'] },
  searched: {
    parts: [sql`customer.customer_name`, sql`customer.email`, sql`customer.external_key`, sql`subscription.external_key`],
    ids: [sql`fact.subscription_id`, sql`customer.customer_id`],
  },
  source_id: sql`customer.source_id`,
  customer_id: sql`customer.customer_id`,
  order: orderFields({
    texts: {
      id: 'subscription_id',
      source_id: 'source_id',
      tenant: 'tenant_name',
      external_key: 'external_key',
      bundle_id: 'bundle_id',
      bundle_external_key: 'bundle_external_key',
      customer_id: 'customer_id',
      customer_name: 'customer_name',
      status: 'status',
      plan_id: 'plan_id',
      plan_name: 'plan_name',
      plan_interval: 'plan_interval',
      billing_period: 'billing_period',
      product_name: 'product_name',
      product_category: 'product_category',
      price_list: 'price_list',
      phase_type: 'phase_type',
      collection_method: 'collection_method',
      currency: 'currency',
    },
    others: {
      quantity: 'quantity',
      mrr_cents: 'mrr_cents',
      mrr_base_cents: 'mrr_base_cents',
      usage_mrr_base_cents: 'usage_mrr_base_cents',
      created_at: 'created_at',
      started_at: 'started_at',
      charged_through: 'charged_through_on',
      pending_cancellation: 'is_canceling',
      canceled_at: 'cancel_requested_at',
      ended_at: 'ended_at',
    },
  }),
  row: SUBSCRIPTION_ROW,
  write: writeSubscription,
}

function writeSubscription(row: Row): Readonly<Record<string, unknown>> {
  const pending_cancellation = integerCell(row, 'is_canceling') === 1
  const trial_start = instantCell(row, 'trial_start')
  return {
    id: textCell(row, 'subscription_id'),
    source_id: textCell(row, 'source_id'),
    tenant: textCell(row, 'tenant_name'),
    external_key: textCell(row, 'external_key'),
    bundle_id: textCell(row, 'bundle_id'),
    bundle_external_key: textCell(row, 'bundle_external_key'),
    customer_id: textCell(row, 'customer_id'),
    customer_name: textCell(row, 'customer_name'),
    status: textCell(row, 'status'),
    plan_id: textCell(row, 'plan_id'),
    plan_name: textCell(row, 'plan_name'),
    plan_interval: textCell(row, 'plan_interval'),
    billing_period: textCell(row, 'billing_period'),
    product_name: textCell(row, 'product_name'),
    product_category: textCell(row, 'product_category'),
    price_list: textCell(row, 'price_list'),
    phase_type: textCell(row, 'phase_type'),
    collection_method: textCell(row, 'collection_method'),
    quantity: integerCell(row, 'quantity'),
    currency: textCell(row, 'currency'),
    mrr_cents: integerOrNull(row, 'mrr_cents'),
    mrr_base_cents: integerOrNull(row, 'mrr_base_cents'),
    usage_mrr_base_cents: integerOrNull(row, 'usage_mrr_base_cents'),
    created_at: instantCell(row, 'created_at'),
    started_at: instantCell(row, 'started_at'),
    trial_start,
    trial_end: trial_start === null ? null : (instantCell(row, 'trial_ended_at') ?? instantCell(row, 'next_change_at')),
    charged_through: dayOrNull(row, 'charged_through_on'),
    pending_cancellation,
    cancel_at: pending_cancellation ? instantCell(row, 'cancel_effective_at') : null,
    canceled_at: instantCell(row, 'cancel_requested_at'),
    ended_at: instantCell(row, 'ended_at'),
    cancel_reason: textCell(row, 'cancel_reason'),
  }
}
