import type { Customers } from '../../../src/connector-kit/mirror-source.ts'
import { type Fragment, sql } from '../../../src/connector-kit/query-runner.ts'
import { documents, idIn, type Scope } from '../documents.ts'
import { instant } from './values.ts'

const ROW = {
  id: 'text',
  name: 'text',
  email: 'text',
  created: 'numeric',
  currency: 'text',
  address: 'jsonb',
  preferred_locales: 'jsonb',
} as const
const NAMED = { customer: 'jsonb', created: 'numeric', collection_method: 'text' } as const
const INVOICE = { ...NAMED, id: 'text', customer_name: 'text', customer_email: 'text', customer_address: 'jsonb' } as const

/** Customers (S3): rows, and those that only an invoice or a subscription names, with the values of their newest invoice. */
export function expandedCustomers(scope: Scope, customers: Customers): Fragment {
  const invoice = documents('invoices', scope, INVOICE, customers)
  const subscription = documents('subscriptions', scope, { ...NAMED, id: 'text' }, customers)
  return sql`with own as materialized (
    select * from ${documents('customers', scope, ROW, customers)} as own
  ),
  named as materialized (
    select ${idIn(sql`subscription.customer`)} as customer_id, subscription.account_id, subscription.created, subscription.id, 1 as rank,
      subscription.collection_method, null as name, null as email, cast(null as jsonb) as address
    from ${subscription} as subscription
    union all
    select ${idIn(sql`invoice.customer`)}, invoice.account_id, invoice.created, invoice.id, 2, invoice.collection_method, invoice.customer_name,
      invoice.customer_email, invoice.customer_address
    from ${invoice} as invoice
  ),
  newest as (
    select distinct on (customer_id, rank) * from named where customer_id is not null order by customer_id, rank, created desc, id desc
  ),
  counted as (
    select customer_id, min(created) as created, max(account_id) as account_id from named where customer_id is not null group by customer_id
  ),
  present as (
    select own.id as customer_id, own.account_id, own.created, own.name, own.email, own.address, own.currency, own.preferred_locales
    from own
    union all
    select counted.customer_id, counted.account_id, counted.created, invoice.name, invoice.email, invoice.address, null, null
    from counted
    left join newest as invoice on invoice.customer_id = counted.customer_id and invoice.rank = 2
    where not exists (select 1 from own where own.id = counted.customer_id)
  )
  select present.customer_id, present.account_id, nullif(present.name, '') as customer_name, nullif(present.email, '') as email,
    upper(nullif(present.currency, '')) as currency, nullif(present.address ->> 'country', '') as country,
    nullif(present.address ->> 'city', '') as city, nullif(present.address ->> 'state', '') as state,
    nullif(present.address ->> 'postal_code', '') as postal_code, present.preferred_locales ->> 0 as locale,
    ${instant(sql`coalesce(present.created, counted.created)`)} as created_at,
    coalesce(subscription.collection_method, invoice.collection_method) as collection_method
  from present
  left join counted on counted.customer_id = present.customer_id
  left join newest as subscription on subscription.customer_id = present.customer_id and subscription.rank = 1
  left join newest as invoice on invoice.customer_id = present.customer_id and invoice.rank = 2
  where coalesce(present.created, counted.created) is not null`
}

/** Metadata of customers that have a row: one row per key. */
export function expandedMetadata(scope: Scope, customers: Customers): Fragment {
  return sql`select own.id as customer_id, note.key as attribute_key, note.value as attribute_value, note.place as position
    from ${documents('customers', scope, { id: 'text', metadata: 'jsonb' }, customers)} as own
    cross join lateral jsonb_each_text(case when jsonb_typeof(own.metadata) = 'object' then own.metadata end)
      with ordinality as note (key, value, place)`
}
