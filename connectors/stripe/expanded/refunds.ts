import type { Customers } from '../../../src/connector-kit/mirror-source.ts'
import { type Fragment, join, sql, value } from '../../../src/connector-kit/query-runner.ts'
import {
  customerOf,
  documentOf,
  documentsWhere,
  idIn,
  isOfMode,
  ofAccounts,
  type ReturnTable,
  type Rows,
  rowsIn,
  type Scope,
} from '../documents.ts'
import { cents, instant } from './values.ts'

/** Tables whose rows are money that went back, with the status that a row must have (S23). */
const WENT_BACK = { refunds: 'succeeded', disputes: 'lost' } as const satisfies Partial<Record<ReturnTable, string>>
export type WentBack = keyof typeof WENT_BACK

/** Tables without which refunds are not known. The others only help to find the invoice. */
export const NEEDED: readonly ReturnTable[] = Object.keys(WENT_BACK) as WentBack[]

/** True if the mirror shows what went back. */
export function knowsRefunds({ returns }: Pick<Scope, 'returns'>): boolean {
  return NEEDED.every((table) => returns.includes(table))
}

/** Fields of a refund or a dispute. */
export const RETURNED = {
  id: 'text',
  status: 'text',
  amount: 'numeric',
  currency: 'text',
  created: 'numeric',
  charge: 'jsonb',
  payment_intent: 'jsonb',
  balance_transactions: 'jsonb',
  livemode: 'text',
} as const
const PAYMENT = { id: 'text', invoice: 'jsonb', payment: 'jsonb', status: 'text' } as const
const PAID = { id: 'text', charge: 'jsonb', payment_intent: 'jsonb' } as const

/** The instant of a refund, or that at which the money of a dispute `t` was withdrawn. Without that it is the creation. */
const WENT_BACK_AT = sql`coalesce((
  select min(cast(moved.value ->> 'created' as numeric))
  from jsonb_array_elements(case when jsonb_typeof(t.balance_transactions) = 'array' then t.balance_transactions end) as moved
  where cast(moved.value ->> 'amount' as numeric) < 0), t.created)`

/** The rows of a table that are money that went back. Refunds name no customer, so all are read if only the keys of customers are known. */
export function returnedIn(table: WentBack, scope: Scope, rows: Rows, condition: Fragment): Fragment {
  const chosen = rows === 'all' || rows.rows === undefined ? sql`1 = 1` : rowsIn(table, scope, rows)
  return sql`select ${value(table, 'text')} as table_name, t.id, t.amount, lower(t.currency) as currency, ${WENT_BACK_AT} as went_back,
      ${instant(WENT_BACK_AT)} as went_back_at, ${idIn(sql`t.charge`)} as charge_id, ${idIn(sql`t.payment_intent`)} as payment_intent_id, t.livemode
    from ${documentsWhere(table, scope, RETURNED, sql`${chosen} and ${ofAccounts(scope)} and ${condition}`)} as t`
}

/**
 * The condition that a row `t` of either table took money. Stripe takes none for a dispute of a charge that was refunded before, and its list of
 * balance transactions is then empty. A refund has no such list.
 */
function tookMoney(scope: Scope): Fragment {
  const moved = sql`${documentOf(scope)} -> 'balance_transactions'`
  return sql`coalesce(${moved} <> '[]', true)`
}

/** A select of the rows of both tables that are money that went back, for `linked`. */
function wentBack(scope: Scope, rows: Rows): Fragment {
  const selects = Object.entries(WENT_BACK).map(([table, status]) => {
    const hasStatus = sql`${documentOf(scope)} ->> 'status' = ${value(status, 'text')}`
    return returnedIn(table as WentBack, scope, rows, sql`${hasStatus} and ${tookMoney(scope)}`)
  })
  return join(selects, sql` union all `)
}

/**
 * CTEs from `returned`, the rows of a select, to `link`: the invoices that documents name for each row. In the older shape, a charge names its invoice and
 * an invoice its charge. In the newer one, an invoice payment names both. A charge may have come again in the newer shape, so all three are asked.
 */
export function linked(scope: Scope, returned: Fragment, rows: Rows): Fragment {
  const has = (table: ReturnTable) => scope.returns.includes(table)
  const own = (table: 'invoice_payments') => (rows === 'all' || rows.rows === undefined ? sql`1 = 1` : rowsIn(table, scope, rows))
  const nothing = sql`select returned.table_name, returned.id, returned.id as invoice_id, returned.id as payment_id from returned where 1 = 0`
  const field = (name: string) => idIn(sql`${documentOf(scope)} -> ${value(name, 'text')}`)
  const charge = has('charges')
    ? sql`select returned.table_name, returned.id, ${field('customer')} as customer_id, ${field('invoice')} as invoice_id,
        ${field('payment_intent')} as payment_intent_id, coalesce(jsonb_typeof(${documentOf(scope)} -> 'invoice') = 'null', false) as has_none,
        ${documentOf(scope)} ->> 'livemode' as livemode
      from returned join charges as t on t.id = returned.charge_id where ${ofAccounts(scope)}`
    : sql`select returned.table_name, returned.id, returned.id as customer_id, returned.id as invoice_id, returned.id as payment_intent_id,
        false as has_none, returned.livemode from returned where 1 = 0`
  const paid = has('invoice_payments')
    ? sql`select key.table_name, key.id, ${idIn(sql`t.invoice`)} as invoice_id, t.id as payment_id
      from ${documentsWhere('invoice_payments', scope, PAYMENT, sql`${own('invoice_payments')} and ${ofAccounts(scope)}`)} as t
      cross join lateral (values (${idIn(sql`t.payment -> 'payment_intent'`)}), (${idIn(sql`t.payment -> 'charge'`)})) as paying (key)
      join key on key.key = paying.key
      where t.status = 'paid'`
    : nothing
  return sql`returned as materialized (
    ${returned}
  ),
  charged as materialized (
    ${charge}
  ),
  key as materialized (
    select returned.table_name, returned.id, returned.charge_id as key from returned where returned.charge_id is not null
    union
    select returned.table_name, returned.id, returned.payment_intent_id from returned where returned.payment_intent_id is not null
    union
    select charged.table_name, charged.id, charged.payment_intent_id from charged where charged.payment_intent_id is not null
  ),
  paying as materialized (
    ${paid}
  ),
  pending as materialized (
    select key.table_name, key.id, key.key from key
    where not exists (select 1 from charged where charged.id = key.id and charged.invoice_id is not null)
      and not exists (select 1 from paying where paying.id = key.id and paying.invoice_id is not null)
  ),
  link as materialized (
    select charged.table_name, charged.id, charged.invoice_id, cast(null as text) as payment_id, 1 as rank from charged
    where charged.invoice_id is not null
    union all
    select paying.table_name, paying.id, paying.invoice_id, paying.payment_id, 2 from paying where paying.invoice_id is not null
    union all
    select pending.table_name, pending.id, t.id, null, 3
    from ${documentsWhere(
      'invoices',
      scope,
      PAID,
      sql`${rowsIn('invoices', scope, rows)} and ${ofAccounts(scope)}
      and ${documentOf(scope)} ?| array['charge', 'payment_intent']`,
    )} as t
    cross join lateral (values (${idIn(sql`t.charge`)}), (${idIn(sql`t.payment_intent`)})) as naming (key)
    join pending on pending.key = naming.key
  )`
}

/**
 * CTEs that end with `placed`: each row of `returned` whose documents name one invoice. A row that they link with several is not placed. `is_own` is false if
 * the invoice is of the other mode or in another currency.
 */
function placed(scope: Scope, rows: Rows): Fragment {
  return sql`${linked(scope, wentBack(scope, rows), rows)},
  best as (
    select link.table_name, link.id, min(link.invoice_id) as invoice_id, min(link.payment_id) as payment_id
    from link
    join (select link.table_name, link.id, min(link.rank) as rank from link group by link.table_name, link.id) as first
      on first.table_name = link.table_name and first.id = link.id and first.rank = link.rank
    group by link.table_name, link.id
    having count(distinct link.invoice_id) = 1
  ),
  placed as materialized (
    select returned.*, best.invoice_id, best.payment_id, ${customerOf(scope)} as customer_id,
      cast(${documentOf(scope)} -> 'status_transitions' ->> 'paid_at' as numeric) as paid,
      ${isOfMode(scope, sql`${documentOf(scope)} ->> 'livemode'`)} as is_of_mode,
      coalesce(lower(${documentOf(scope)} ->> 'currency') = returned.currency, false) as is_in_its_currency
    from best
    join returned on returned.table_name = best.table_name and returned.id = best.id
    join invoices as t on t.id = best.invoice_id
    where ${rowsIn('invoices', scope, rows)} and ${ofAccounts(scope)}
  )`
}

/**
 * Money that went back for an invoice (S23): succeeded refunds, and disputes that were lost. Money that went back before the invoice was paid whole
 * counts a second after, because an invoice of Stripe stays paid.
 */
export function expandedRefunds(scope: Scope, customers: Customers): Fragment {
  if (!knowsRefunds(scope)) return NO_REFUND
  return sql`with ${placed(scope, customers)}
  select placed.customer_id, placed.table_name, placed.id as refund_id, placed.invoice_id,
    ${instant(sql`case when placed.went_back > placed.paid then placed.went_back else coalesce(placed.paid + 1, placed.went_back) end`)} as refunded_at,
    upper(placed.currency) as currency, ${cents(sql`placed.amount`, sql`placed.currency`)} as amount_cents
  from placed
  where placed.is_of_mode and placed.is_in_its_currency and placed.customer_id is not null and placed.amount is not null`
}

const NO_REFUND = sql`select none.customer_id, none.table_name, none.refund_id, none.invoice_id, none.refunded_at, none.currency, none.amount_cents
  from (select cast(null as text) as customer_id, cast(null as text) as table_name, cast(null as text) as refund_id, cast(null as text) as invoice_id,
    cast(null as timestamp) as refunded_at, cast(null as text) as currency, cast(null as bigint) as amount_cents) as none where 1 = 0`

/** The keys of the rows that are money that went back to customers, and of the invoice payments that lead to them. */
export function keysOfRefunds(scope: Scope, customers: Customers): Fragment {
  return sql`(with ${placed(scope, customers)}
    select placed.customer_id as customer_key, placed.table_name, placed.id as row_key from placed where placed.customer_id is not null
    union
    select placed.customer_id, 'invoice_payments', placed.payment_id from placed where placed.customer_id is not null and placed.payment_id is not null)`
}

/**
 * The number of rows that went back for an invoice that the mirror does not name, or in another currency. A charge of the older shape without an
 * invoice was for none, so what went back for it does not count.
 */
export function countUnplaced(scope: Scope): Fragment {
  const provesNone = scope.family === 'documents' ? sql`coalesce(charged.has_none, false)` : sql`false`
  return sql`with ${placed(scope, 'all')}
    select count(*) as refunds
    from returned
    left join charged on charged.table_name = returned.table_name and charged.id = returned.id
    left join placed on placed.table_name = returned.table_name and placed.id = returned.id
    where (placed.id is null and ${isOfMode(scope, sql`coalesce(returned.livemode, charged.livemode)`)} and not ${provesNone})
      or (placed.is_of_mode and not placed.is_in_its_currency)`
}
