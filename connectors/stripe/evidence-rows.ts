import type { ConnectorSession, Row, Snapshot } from '../../src/connector-kit/connector.ts'
import { expandedTables } from '../../src/connector-kit/mirror-source.ts'
import { createQueryRunner, type Fragment, sql, textList } from '../../src/connector-kit/query-runner.ts'
import { type DocumentTable, documents, type Mode, type Scope } from './documents.ts'
import { LISTING, listedLines } from './expanded/lines.ts'
import { PRICING } from './expanded/prices.ts'
import { returnedIn, type WentBack } from './expanded/refunds.ts'
import { listedItems, SUBSCRIPTION } from './expanded/subscriptions.ts'
import { instant } from './expanded/values.ts'
import { checkSchema } from './schema.ts'

/** Reads documents and their parts by id, of the chosen accounts and mode only. Amounts are in minor units, as the documents have them. */
export interface EvidenceReader {
  /** Lines of recurring prices of all invoices of some customers, with their kind and item, and these invoices. */
  linesOf(customers: readonly string[]): Promise<readonly Row[]>
  invoicesOf(customers: readonly string[]): Promise<readonly Row[]>
  /** Refunds of some customers and disputes that they won, with their invoice. */
  refundsOf(customers: readonly string[]): Promise<readonly Row[]>
  refunds(table: WentBack, ids: readonly string[]): Promise<readonly Row[]>
  subscriptions(ids: readonly string[]): Promise<readonly Row[]>
  /** Items of today of subscriptions. */
  items(subscriptions: readonly string[]): Promise<readonly Row[]>
  prices(ids: readonly string[]): Promise<readonly Row[]>
  invoices(ids: readonly string[]): Promise<readonly Row[]>
  /** Lines by id. `invoices` are the invoices that hold them. */
  lines(ids: readonly string[], invoices: readonly string[]): Promise<readonly Row[]>
  customers(ids: readonly string[]): Promise<readonly Row[]>
}

const INVOICE = {
  id: 'text',
  number: 'text',
  status: 'text',
  currency: 'text',
  created: 'numeric',
  total: 'numeric',
  pre_payment_credit_notes_amount: 'numeric',
  status_transitions: 'jsonb',
} as const
const PRICE = { ...PRICING, nickname: 'text' } as const

const byId = (table: DocumentTable, ids: readonly string[]) => ({ rows: { [table]: ids } })

/** The reader of a session. */
export async function evidenceReader(snapshot: Snapshot, session: ConnectorSession, mode: Mode): Promise<EvidenceReader> {
  const run = createQueryRunner(snapshot)
  const { family, returns } = await checkSchema(run, snapshot.dialect.name)
  const scope: Scope = { family, accounts: session.sources.map(({ source_id }) => source_id), mode, returns }
  const ask = (label: string, ids: readonly string[], statement: () => Fragment) =>
    ids.length === 0 ? Promise.resolve([]) : run(`stripe.evidence.${label}`, statement())
  const expanded = (name: string, keys: readonly string[]) => {
    const table = expandedTables(session).find((one) => one.name === name)
    return table === undefined ? Promise.resolve([]) : ask(name, keys, () => table.select({ keys }))
  }
  return {
    linesOf: (customers) => expanded('stripe_line', customers),
    invoicesOf: (customers) => expanded('stripe_invoice', customers),
    refundsOf: (customers) => expanded('stripe_refund', customers),
    refunds: (table, ids) => ask(table, ids, () => returnedIn(table, scope, byId(table, ids), sql`1 = 1`)),
    subscriptions: (ids) =>
      ask(
        'subscriptions',
        ids,
        () => sql`select t.id, t.status, ${instant(sql`coalesce(t.start_date, t.created)`)} as started_at,
            ${instant(sql`t.ended_at`)} as ended_at, ${instant(sql`t.canceled_at`)} as canceled_at,
            ${instant(sql`t.trial_end`)} as trial_ended_at, t.synced_at
          from ${documents('subscriptions', scope, SUBSCRIPTION, byId('subscriptions', ids))} as t`,
      ),
    items: (ids) =>
      ask(
        'items',
        ids,
        () => sql`select item.subscription_id, item.item_id as id, ${instant(sql`item.created`)} as created_at, item.quantity, item.price_id
          from (${listedItems(documents('subscriptions', scope, SUBSCRIPTION, byId('subscriptions', ids)))}) as item`,
      ),
    prices: (ids) =>
      ask(
        'prices',
        ids,
        () => sql`select t.id, t.nickname, t.currency, t.billing_scheme, coalesce(t.unit_amount_decimal, t.unit_amount) as unit,
            t.recurring ->> 'interval' as period, t.recurring ->> 'interval_count' as period_count, t.recurring ->> 'usage_type' as usage_type,
            t.transform_quantity ->> 'divide_by' as divide_by
          from ${documents('prices', scope, PRICE, byId('prices', ids))} as t`,
      ),
    invoices: (ids) =>
      ask(
        'invoices',
        ids,
        () => sql`select t.id, nullif(t.number, '') as number, t.status, t.currency, t.total, t.pre_payment_credit_notes_amount as credited,
            ${instant(sql`t.created`)} as created_at,
            case when t.status = 'paid' then ${instant(sql`cast(t.status_transitions ->> 'paid_at' as numeric)`)} end as paid_at
          from ${documents('invoices', scope, INVOICE, byId('invoices', ids))} as t`,
      ),
    lines: (ids, invoices) =>
      ask(
        'lines',
        ids,
        () => sql`select line.line_id as id, line.invoice_id, line.amount, line.currency, line.quantity, line.price_id, line.is_proration,
            ${instant(sql`line.period_start`)} as starts_at, ${instant(sql`line.period_end`)} as ends_at
          from (${listedLines(documents('invoices', scope, LISTING, byId('invoices', invoices)))}) as line where line.line_id in (${textList(ids)})`,
      ),
    customers: (ids) =>
      ask(
        'customers',
        ids,
        () => sql`select t.id, ${instant(sql`t.created`)} as created_at, coalesce(t.deleted, false) as is_deleted
          from ${documents('customers', scope, { id: 'text', created: 'numeric', deleted: 'bool' }, byId('customers', ids))} as t`,
      ),
  }
}
