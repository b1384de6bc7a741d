import type { Customers } from '../../../src/connector-kit/mirror-source.ts'
import { type Fragment, sql } from '../../../src/connector-kit/query-runner.ts'
import { documents, idIn, type Scope } from '../documents.ts'
import { cents, instant } from './values.ts'

const INVOICE = {
  id: 'text',
  customer: 'jsonb',
  number: 'text',
  status: 'text',
  currency: 'text',
  created: 'numeric',
  billing_reason: 'text',
  collection_method: 'text',
  attempted: 'bool',
  auto_advance: 'bool',
  due_date: 'numeric',
  subscription: 'jsonb',
  parent: 'jsonb',
  total: 'numeric',
  tax: 'numeric',
  total_taxes: 'jsonb',
  total_tax_amounts: 'jsonb',
  amount_paid: 'numeric',
  amount_remaining: 'numeric',
  pre_payment_credit_notes_amount: 'numeric',
  status_transitions: 'jsonb',
  deleted: 'bool',
} as const

/** The sum of a list of taxes, null if there is no list. */
const taxes = (list: Fragment) =>
  sql`(select sum(cast(part.value ->> 'amount' as numeric)) from jsonb_array_elements(${list}) as part)`

/**
 * Invoices that are not deleted, with amounts in hundredths (S21, S22). `total_cents` is without the credit notes before payment. `is_attempted` says if
 * somebody has tried to collect the invoice, and `is_collected` if Stripe collects it. Both are null if the document does not say it.
 */
export function expandedInvoices(scope: Scope, customers: Customers): Fragment {
  const of = (amount: Fragment) => cents(amount, sql`lower(t.currency)`)
  const at = (name: Fragment) => instant(sql`cast(t.status_transitions ->> ${name} as numeric)`)
  return sql`select t.id as invoice_id, ${idIn(sql`t.customer`)} as customer_id, nullif(t.number, '') as invoice_number, t.status,
    upper(t.currency) as currency, ${instant(sql`t.created`)} as created_at, t.billing_reason,
    coalesce(${idIn(sql`t.subscription`)}, ${idIn(sql`t.parent -> 'subscription_details' -> 'subscription'`)}) as subscription_id,
    ${at(sql`'paid_at'`)} as paid_at, ${at(sql`'voided_at'`)} as voided_at,
    ${of(sql`t.total - coalesce(t.pre_payment_credit_notes_amount, 0)`)} as total_cents,
    ${of(sql`coalesce(t.tax, ${taxes(sql`t.total_taxes`)}, ${taxes(sql`t.total_tax_amounts`)}, 0)`)} as tax_cents,
    ${of(sql`coalesce(t.amount_paid, 0)`)} as amount_paid_cents,
    case when t.status in ('paid', 'void') then 0 else ${of(sql`coalesce(t.amount_remaining, 0)`)} end as balance_cents,
    t.collection_method, case when t.attempted then 1 when not t.attempted then 0 end as is_attempted,
    case when t.auto_advance then 1 when not t.auto_advance then 0 end as is_collected, ${instant(sql`t.due_date`)} as due_at
  from ${documents('invoices', scope, INVOICE, customers)} as t
  where t.customer is not null and coalesce(t.deleted, false) = false and t.total is not null and t.currency is not null`
}
