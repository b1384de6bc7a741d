import { COLLECTION_METHODS } from '../core/enums.ts'
import { column, defineRelation, nullable } from './define-relation.ts'

/** Customers that count (D15, D16), with their current values. */
export const customer = defineRelation({
  name: 'customer',
  kind: 'base',
  description: 'One row per customer. Test accounts are already left out, so an inner join drops only rows that do not count.',
  grain: ['customer_key'],
  has_window: false,
  is_held: true,
  columns: [
    column('customer_key', 'key', 'Key for joins, never shown.'),
    column('source_id', 'text', 'Tenant of the engine.'),
    column('customer_id', 'text', 'Id of the account.'),
    nullable('customer_name', 'text', 'Name.'),
    nullable('external_key', 'text', 'Key set by the company in the billing engine.'),
    nullable('email', 'text', 'E-mail address.'),
    nullable('currency', 'text', 'Currency of the account.'),
    nullable('customer_country', 'text', 'Country code.'),
    column('created_at', 'timestamp', 'Creation of the account.'),
    nullable('collection_method', 'text', 'How the customer pays (D61).', COLLECTION_METHODS),
    nullable('company_name', 'text', 'Company.'),
    nullable('city', 'text', 'City.'),
    nullable('state', 'text', 'State or province.'),
    nullable('postal_code', 'text', 'Postal code.'),
    nullable('locale', 'text', 'Locale.'),
    nullable('time_zone', 'text', 'Time zone.'),
  ],
})

const ATTRIBUTE_COLUMNS = [
  column('customer_key', 'key', 'Joins `customer`.'),
  column('source_id', 'text', 'Tenant of the engine.'),
  column('customer_id', 'text', 'Id of the account.'),
  column('attribute_key', 'text', 'Name of the field, or `tag.` followed by the name of the tag.'),
  column('attribute_value', 'text', 'The value in the billing engine; `true` for a tag.'),
  column('is_tag', 'boolean', 'True for a tag; its type is boolean.'),
  column(
    'position_in_engine',
    'integer',
    'Order of creation in the billing engine. The lowest position of a key decides its type.',
  ),
]

/** Fields and tags of customers from the billing engine, beyond the account. */
export const customerField = defineRelation({
  name: 'customer_field',
  kind: 'base',
  description:
    'One row per field and tag of a customer, with its current value. Leaves out customers that do not count. A field may have the key of a tag.',
  grain: ['customer_key', 'attribute_key', 'is_tag'],
  has_window: false,
  is_held: true,
  columns: ATTRIBUTE_COLUMNS,
})

/** Attributes of customers from the billing engine, beyond the account (http-api.md 7). */
export const customerAttribute = defineRelation({
  name: 'customer_attribute',
  kind: 'derived',
  description:
    'One row per attribute of a customer, with its current value. Leaves out customers that do not count. If a field has the key of a tag of any customer, the tag is the attribute.',
  grain: ['customer_key', 'attribute_key'],
  has_window: false,
  columns: ATTRIBUTE_COLUMNS,
})

/** Customers that depend on each other's records. */
export const customerLink = defineRelation({
  name: 'customer_link',
  kind: 'source',
  description:
    'One row per customer and key. If the rows of one customer depend on the records of another, both share a key. The records of a customer alone show its keys. Includes customers that do not count. Only the cache reads it.',
  grain: ['customer_key', 'link_key'],
  has_window: false,
  may_be_absent: true,
  is_held: true,
  columns: [
    column('customer_key', 'key', 'Customer, even one that does not count.'),
    column('link_key', 'text', 'Key that customers share. Its form is opaque.'),
  ],
})

/** Instants at which the rows of a customer change while no record changes. */
export const changeInstant = defineRelation({
  name: 'change_instant',
  kind: 'default',
  description:
    'Rows per customer with the instants at which rules about now change rows of the customer: at least the last one up to now and the first one after it. An instant may change nothing. May include customers that do not count. Only the cache reads it. The window begins before all spans and ends after them.',
  grain: ['customer_key', 'changes_at'],
  has_window: true,
  columns: [
    column('customer_key', 'key', 'Customer, even one that does not count.'),
    column('changes_at', 'timestamp', 'First instant with other rows.'),
  ],
})

const ACTIVITY_COLUMNS = [
  column('customer_key', 'key', 'Joins `customer`.'),
  column('valid_from', 'timestamp', 'First instant of the stretch.'),
  nullable('valid_to', 'timestamp', 'First instant after the stretch; null while it is open.'),
  column('is_churn', 'boolean', 'True if the stretch ends in a logo churn event; false if everything left by transfer.'),
]

/** Stretches in which customers are live (D38 to D40). */
export const liveStretch = defineRelation({
  name: 'live_stretch',
  kind: 'derived',
  description:
    'One row per customer and maximal stretch [valid_from, valid_to) in which it is live, made of the spans that touch the window. The cache holds those of all time.',
  grain: ['customer_key', 'valid_from'],
  has_window: true,
  is_held: true,
  columns: ACTIVITY_COLUMNS,
})

/** Those stretches in a window. */
export const customerActivity = defineRelation({
  name: 'customer_activity',
  kind: 'derived',
  description:
    'The stretches of `live_stretch` that touch the window. An end outside the window may be a later or earlier one. The first activity needs a window that begins before all spans.',
  grain: ['customer_key', 'valid_from'],
  has_window: true,
  columns: ACTIVITY_COLUMNS,
})

/** Current state of each customer (D38). */
export const customerState = defineRelation({
  name: 'customer_state',
  kind: 'derived',
  description:
    'One row per customer that is live, in a trial or was ever live. All other customers are leads. The window begins before all spans and ends just after now.',
  grain: ['customer_key'],
  has_window: true,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('status', 'text', 'First status that applies.', ['active', 'free', 'paused', 'trialing', 'churned']),
    nullable('first_active_at', 'timestamp', 'First instant at which a subscription was live.'),
    nullable('churned_at', 'timestamp', 'Last logo churn of a customer that is not live now.'),
    column('live_subscriptions', 'integer', 'Subscriptions live now.'),
    nullable('currency', 'text', 'Currency of the spans in force; null if they have none or several.'),
    nullable('mrr_cents', 'integer', 'MRR in original cents; null if a price is missing or currencies differ.'),
    nullable('mrr_base_cents', 'integer', 'MRR in base cents; null if a price or a needed rate is missing.'),
  ],
})

/** First activity of each customer (D38, D47). */
export const cohort = defineRelation({
  name: 'cohort',
  kind: 'derived',
  description: 'One row per customer that was ever live. The window must begin before all spans.',
  grain: ['customer_key'],
  has_window: true,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('first_active_at', 'timestamp', 'First instant at which a subscription was live.'),
    column('cohort_month', 'date', 'Month of that instant.'),
  ],
})
