import type { TestDatabase } from '../../../databases/test-database.ts'
import { literal } from '../../killbill/sql-literals.ts'
import { eastTables } from '../east-rows.ts'
import {
  billedAt,
  billedPeriods,
  type Change,
  type Held,
  isRowless,
  itemsAt,
  type Life,
  type StripeHistory,
  syncedBy,
} from './lives.ts'
import { amountOf, type GeneratedPrice, PRICE_SERIES } from './prices.ts'

/** A row of a mirror. */
export interface MirrorRow {
  readonly table: string
  readonly account: string
  /** Unix seconds of the event that brought it. */
  readonly synced: number
  readonly document: Readonly<Record<string, unknown>> & { readonly id: string }
}

/** Documents that were made from then on have the newer shape of the API. */
const NEW_SHAPE = Date.UTC(2025, 2, 31) / 1000
const HOUR = 3_600
/** A trial invoice, an invoice of a change, and those of periods. */
type Reason = 'subscription_create' | 'subscription_update' | 'subscription_cycle'

/** The rows that a mirror has at an instant. */
export function rowsBy(history: StripeHistory, by: number): readonly MirrorRow[] {
  const known = history.lives.filter(({ from }) => from <= by)
  const customers = [...new Map(known.map((life) => [life.customer, life])).values()]
  return [
    ...history.accounts.flatMap(({ id: account, began }) => [
      ...PRICE_SERIES.flat().map((price) => ({
        table: 'prices',
        account,
        synced: began,
        document: priceDocument(price, account),
      })),
    ]),
    ...customers.flatMap(({ customer, account }, place) =>
      // Customers who were deleted before the mirror began have no row.
      place % 9 === 8
        ? []
        : [{ table: 'customers', account, synced: history.start, document: customerDocument(customer, place) }],
    ),
    ...known
      .filter((life) => !isRowless(history, life))
      .map((life) => ({
        ...{ table: 'subscriptions', account: life.account, synced: syncedBy(history, life, by) },
        document: subscriptionDocument(life, by),
      })),
    ...known.flatMap((life) => invoicesOf(life, by)),
  ]
}

/** The id of a price in an account: accounts share none. */
function priceId(price: GeneratedPrice, account: string): string {
  return `${price.id}_${account}`
}

function priceDocument(price: GeneratedPrice, account: string) {
  return {
    ...{ id: priceId(price, account), object: 'price', type: 'recurring', livemode: true, currency: price.currency },
    ...{ product: 'prod_x', billing_scheme: 'per_unit', unit_amount_decimal: price.unit },
    recurring: {
      ...(price.months === 12 ? { interval: 'year', interval_count: 1 } : { interval: 'month', interval_count: price.months }),
      usage_type: 'licensed',
    },
    transform_quantity: price.package === undefined ? null : { divide_by: price.package, round: 'up' },
  }
}

function customerDocument(id: string, place: number) {
  const address = { country: place % 3 === 0 ? 'DE' : place % 3 === 1 ? 'US' : null }
  return {
    id,
    object: 'customer',
    livemode: true,
    name: `Customer ${place}`,
    created: Date.UTC(2024, 7, 1) / 1000,
    metadata: {},
    address,
  }
}

function subscriptionDocument(life: Life, by: number) {
  const { id, customer, from, trialEnd, end, account } = life
  const isOver = end !== undefined && end.at <= by
  const asked = end !== undefined && end.requested <= by
  const periods = billedPeriods(life, by)
  const drafts = life.unpaidFrom === undefined ? [] : periods.slice(life.unpaidFrom)
  const running =
    trialEnd !== undefined && by < trialEnd
      ? 'trialing'
      : drafts.length > 1
        ? 'unpaid'
        : drafts.length === 1
          ? 'past_due'
          : 'active'
  const created = new Map(life.changes.filter(({ kind }) => kind === 'add').map(({ item, at }) => [item, at]))
  const held = [...itemsAt(life, isOver ? end.at : by).values()]
  const next = periods.at(-1)?.next ?? trialEnd
  return {
    ...{ id, object: 'subscription', customer, livemode: true, currency: life.items[0]?.price.currency },
    ...{ status: isOver ? 'canceled' : running, created: from, start_date: from, ended_at: isOver ? end.at : null },
    ...{
      canceled_at: asked ? end.requested : null,
      cancel_at: null,
      cancel_at_period_end: asked && end.requested < end.at && !isOver,
    },
    ...{ trial_start: trialEnd === undefined ? null : from, trial_end: trialEnd ?? null },
    items: {
      has_more: false,
      data: held.map(({ item, price, quantity }) => ({
        ...{ id: item, created: created.get(item) ?? from + 1, quantity, current_period_end: next },
        price: priceDocument(price, account),
      })),
    },
  }
}

interface Line extends Held {
  readonly from: number
  readonly to: number
  readonly amount: number
  readonly change?: 'credit' | 'debit'
}

/** The invoices of a subscription by an instant. */
function invoicesOf(life: Life, by: number): readonly MirrorRow[] {
  const { trialEnd, from, end } = life
  const free = (held: Held, to: number): Line => ({ ...held, from, to, amount: 0 })
  const trial =
    trialEnd === undefined
      ? []
      : [
          invoiceOf(
            life,
            from,
            'subscription_create',
            life.items.map((held) => free(held, trialEnd)),
            'paid',
          ),
        ]
  const periods = billedPeriods(life, by).map(({ begin, next }, place) => {
    const lines = [...itemsAt(life, begin).values()].map((held) => ({
      ...held,
      ...{ from: begin, to: next, amount: amountOf(held.price, held.quantity) },
    }))
    const { unpaidFrom = Number.POSITIVE_INFINITY } = life
    const status = place < unpaidFrom ? 'paid' : place === unpaidFrom ? 'open' : 'draft'
    return invoiceOf(life, begin, 'subscription_cycle', [...changesBilled(life, begin), ...lines], status)
  })
  const atOnce = life.changes
    .filter((change) => change.isBilledAtOnce && change.at <= by)
    .map((change) => invoiceOf(life, change.at, 'subscription_update', linesOf(life, change), 'paid'))
  const last =
    end?.isCredited && end.at <= by
      ? [invoiceOf(life, end.at, 'subscription_update', [...changesBilled(life, end.at), ...creditsOf(life, end.at)], 'paid')]
      : []
  return [...trial, ...periods, ...atOnce, ...last]
}

/** Lines of the changes that waited for the invoice of an instant. */
function changesBilled(life: Life, at: number): readonly Line[] {
  return life.changes
    .filter((change) => !change.isBilledAtOnce && billedAt(life, change) === at)
    .flatMap((change) => linesOf(life, change))
}

/** The credit and the debit of a change, for the rest of its period. */
function linesOf(life: Life, change: Change): readonly Line[] {
  const { at, item, kind, price, quantity, before } = change
  const share = shareFrom(life, at)
  const credit = before && {
    ...{ ...before, item, from: at, to: share.next, change: 'credit' as const },
    amount: -Math.round(amountOf(before.price, before.quantity) * share.left),
  }
  const amount = Math.round(amountOf(price, quantity) * share.left)
  const debit = { ...{ item, price, quantity, from: at, to: share.next, amount, change: 'debit' as const } }
  return [...(credit === undefined ? [] : [credit]), ...(kind === 'remove' ? [] : [debit])]
}

/** Credits of all items that a line has stated. */
function creditsOf(life: Life, at: number): readonly Line[] {
  const { next, begin, left } = shareFrom(life, at)
  const unstated = new Set(
    life.changes.filter((one) => one.kind === 'add' && !one.isProrated && one.at > begin).map(({ item }) => item),
  )
  return [...itemsAt(life, at).values()]
    .filter(({ item }) => !unstated.has(item))
    .map((held) => ({
      ...{ ...held, from: at, to: next, change: 'credit' as const },
      amount: -Math.round(amountOf(held.price, held.quantity) * left),
    }))
}

function shareFrom({ cycles }: Life, at: number) {
  const place = cycles.findIndex((cycle) => cycle > at)
  const [begin, next] = [cycles[place - 1] ?? at, cycles[place] ?? at]
  return { begin, next, left: next === begin ? 0 : (next - at) / (next - begin) }
}

function invoiceOf(life: Life, at: number, reason: Reason, lines: readonly Line[], status: 'paid' | 'open' | 'draft'): MirrorRow {
  const { id: subscription, customer, account } = life
  const id = `in_${subscription}_${reason}_${at}`
  const isNew = at >= NEW_SHAPE
  const total = lines.reduce((sum, line) => sum + line.amount, 0)
  const currency = life.items[0]?.price.currency
  const document = {
    ...{
      id,
      object: 'invoice',
      customer,
      livemode: true,
      status,
      currency,
      created: at,
      total,
      number: id,
      billing_reason: reason,
    },
    ...{ customer_name: `Name of ${customer}`, customer_address: { country: 'FR' }, pre_payment_credit_notes_amount: 0 },
    ...{ amount_paid: status === 'paid' ? total : 0, amount_remaining: status === 'paid' ? 0 : total },
    ...{ attempted: status !== 'draft', auto_advance: true, collection_method: 'charge_automatically', due_date: null },
    ...(isNew ? { parent: { subscription_details: { subscription } } } : { subscription }),
    status_transitions: { paid_at: status === 'paid' ? at + HOUR : null, voided_at: null },
    lines: {
      has_more: false,
      data: lines.map((line, place) => ({
        ...{ id: `il_${id.slice(3)}_${place}`, amount: line.amount, currency, quantity: line.quantity },
        period: { start: line.from, end: line.to },
        ...(isNew ? newShape(life, line) : oldShape(life, line)),
      })),
    },
  }
  return { table: 'invoices', account, synced: at, document }
}

const credited = ({ change }: Line) => ({ credited_items: change === 'credit' ? { invoice: 'in_before' } : null })

function oldShape({ id, account }: Life, line: Line) {
  const price = priceDocument(line.price, account)
  const details = { proration: line.change !== undefined, proration_details: credited(line) }
  return { price, ...details, subscription: id, subscription_item: line.item }
}

function newShape({ id: subscription, isNameless, account }: Life, line: Line) {
  const pricing = { price_details: { price: priceId(line.price, account) }, unit_amount_decimal: line.price.unit }
  const details = { subscription, proration: line.change !== undefined, proration_details: credited(line) }
  if (line.change !== undefined && isNameless) return { pricing, parent: { invoice_item_details: details } }
  return { pricing, parent: { subscription_item_details: { ...details, subscription_item: line.item } } }
}

/** Creates the tables of a mirror, and fills them with the rows of an instant. */
export async function fillGenerated(database: TestDatabase, history: StripeHistory, by: number): Promise<void> {
  await database.adminQuery(eastTables())
  for (const { id, began } of history.accounts)
    await database.adminQuery(
      `insert into stripe.accounts (_raw_data, first_synced_at, _last_synced_at) values ('{"id": "${id}"}', to_timestamp(${began}), to_timestamp(${began}))`,
    )
  await writeRows(database, rowsBy(history, by))
}

/** Writes rows as a sync engine does: each event since then replaces its row, also one that changes nothing. */
export async function writeRows(database: TestDatabase, rows: readonly MirrorRow[]): Promise<void> {
  for (const table of ['prices', 'customers', 'subscriptions', 'invoices']) {
    const tuples = rows
      .filter((row) => row.table === table)
      .map(
        ({ document, synced, account }) =>
          `(${literal(JSON.stringify(document), 'text', 'postgres')}, to_timestamp(${synced}), '${account}')`,
      )
    await database.adminQuery(`insert into stripe.${table} (_raw_data, _last_synced_at, _account_id) values ${tuples.join(', ')}
      on conflict (id) do update set _raw_data = excluded._raw_data, _last_synced_at = excluded._last_synced_at
      where (stripe.${table}._raw_data, stripe.${table}._last_synced_at) is distinct from (excluded._raw_data, excluded._last_synced_at)`)
  }
}
