import type { TestDatabase } from '../../databases/test-database.ts'

/** Noon of a day of 2026, as Unix seconds. */
export const at = (day: string): number => Date.parse(`2026-${day}T12:00:00Z`) / 1000
export const stamp = (day: string): string => `2026-${day}T12:00:00Z`

export type Document = Readonly<Record<string, unknown>>

export interface Line {
  readonly price: string
  /** The item, or none for a change that names no item. */
  readonly item?: string
  readonly span: readonly [from: string, to: string]
  readonly amount: number
  readonly more?: Document
  readonly change?: 'credit' | 'debit'
}

/** A mirror that tests fill by hand: each document is one row. */
export function handMade(database: TestDatabase) {
  const insert = (table: string, account: string, synced: string, document: Document) =>
    database.adminQuery(`insert into stripe.${table} (_raw_data, _last_synced_at, _account_id)
      values ('${JSON.stringify({ livemode: true, ...document })}', '${synced}', '${account}')`)
  const account = (id: string, began: string) =>
    database.adminQuery(`insert into stripe.accounts (_raw_data, first_synced_at) values ('{"id": "${id}"}', '${began}')`)
  const price = (id: string, unit: string | null, more: Document = {}, interval = 'month', owner = 'acct_a') =>
    insert('prices', owner, stamp('01-01'), {
      ...{
        id,
        currency: 'usd',
        unit_amount_decimal: unit,
        billing_scheme: 'per_unit',
        recurring: { interval, interval_count: 1 },
      },
      ...more,
    })
  const subscription = (
    id: string,
    from: string,
    items: readonly Document[],
    more: Document = {},
    synced = '06-20',
    owner = 'acct_a',
  ) =>
    insert('subscriptions', owner, stamp(synced), {
      ...{ id, customer: `cus_${id}`, status: 'active', currency: 'usd', created: at(from), start_date: at(from) },
      items: { data: items.map((item) => ({ created: at(from), quantity: 1, ...item })), has_more: false },
      ...more,
    })
  const invoice = (id: string, on: string, lines: readonly Line[], more: Document = {}, owner = 'acct_a') =>
    insert('invoices', owner, stamp(on), {
      ...{ id: `in_${id}_${on}`, customer: `cus_${id}`, status: 'paid', currency: 'usd', created: at(on), total: 1_000 },
      ...{ parent: { subscription_details: { subscription: id } }, billing_reason: 'subscription_cycle' },
      ...{ status_transitions: { paid_at: at(on) }, pre_payment_credit_notes_amount: 0 },
      lines: { data: lines.map((line, place) => lineOf(id, `il_${id}_${on}_${place}`, line)), has_more: false },
      ...more,
    })
  return { insert, account, price, subscription, invoice }
}

function lineOf(subscription: string, id: string, { price, item, span, amount, more, change }: Line): Document {
  const credited_items = change === 'credit' ? { invoice: 'in_before' } : null
  const details = { subscription, proration: change !== undefined, proration_details: { credited_items } }
  return {
    ...{ id, amount, quantity: 1, currency: 'usd', period: { start: at(span[0]), end: at(span[1]) } },
    pricing: { price_details: { price } },
    parent:
      item === undefined
        ? { invoice_item_details: details }
        : { subscription_item_details: { ...details, subscription_item: item } },
    ...more,
  }
}

/** A mirror that a test fills. */
export type HandMade = ReturnType<typeof handMade>

/** The statement that makes tables which a mirror may lack, as those of the other documents are. */
export function documentTables(...names: readonly string[]): string {
  const tables = names.map(
    (name) => `create table if not exists stripe.${name} (_raw_data jsonb not null, _last_synced_at timestamptz,
      _updated_at timestamptz not null default now(), _account_id text not null references stripe.accounts (id),
      id text generated always as (_raw_data ->> 'id') stored primary key)`,
  )
  return tables.join('; ')
}
