import type { Row } from '../../../src/connector-kit/connector.ts'
import type { Evidence } from '../../../src/connector-kit/evidence.ts'
import { isTrue } from '../../../src/connector-kit/index.ts'
import {
  empty,
  type Fragment,
  instantCell,
  join,
  parseInteger,
  type QueryRunner,
  sql,
  text,
  textList,
  value,
} from '../../../src/connector-kit/query-runner.ts'
import { CONTROL_TAGS } from '../control-tags.ts'

/** Where evidence is read: tenants, and the layout of the engine's tables. */
export interface Place {
  readonly run: QueryRunner
  readonly tenants: readonly number[]
  readonly has_quantity: boolean
  readonly has_payment_status: boolean
}

/** The tenants of a place as a bound value. */
export const tenantsOf = ({ tenants }: Place): Fragment => value(tenants, 'integers')

/** Active events of all subscriptions in the bundles of some, in the order of their effect. */
export async function readEvents(place: Place, subscriptions: readonly string[]): Promise<readonly Row[]> {
  if (subscriptions.length === 0) return []
  const tenants = tenantsOf(place)
  // Other events bind 0, which is no quantity (KB 2.1).
  const quantity = place.has_quantity
    ? sql`case when event.event_type = 'QUANTITY_UPDATE' and event.quantity > 0 then event.quantity end as quantity`
    : sql`null as quantity`
  return place.run(
    'killbill.evidence.events',
    sql`select event.record_id, event.id, event.tenant_record_id, event.subscription_id, other.bundle_id, event.event_type,
        event.user_type, event.effective_date, event.plan_name, event.phase_name, ${quantity}
      from subscriptions as own
      join subscriptions as other on other.bundle_id = own.bundle_id and other.tenant_record_id in (${tenants})
      join subscription_events as event on event.subscription_id = other.id and event.tenant_record_id in (${tenants})
        and event.is_active = true
      where own.tenant_record_id in (${tenants}) and own.id in (${textList(subscriptions)})
      group by event.record_id, event.id, event.tenant_record_id, event.subscription_id, other.bundle_id, event.event_type,
        event.user_type, event.effective_date, event.plan_name, event.phase_name${place.has_quantity ? sql`, event.quantity` : empty}
      order by event.effective_date, event.record_id`,
  )
}

/** Subscriptions of accounts, by the id of the account. */
export async function readSubscriptions(place: Place, accounts: readonly string[]): Promise<readonly Row[]> {
  if (accounts.length === 0) return []
  return place.run(
    'killbill.evidence.subscriptions',
    sql`select subscription.id, account.id as account_id
      from accounts as account
      join subscriptions as subscription on subscription.account_record_id = account.record_id
      where account.tenant_record_id in (${tenantsOf(place)}) and account.id in (${textList(accounts)})`,
  )
}

/** Blocks of billing that concern subscriptions, their bundles or accounts. */
export async function readBlocks(place: Place, events: readonly Row[]): Promise<readonly Row[]> {
  const ids = [...new Set(events.map((event) => String(event['subscription_id'])))]
  if (ids.length === 0) return []
  return place.run(
    'killbill.evidence.blocks',
    // Trino takes `state` in `order by` for the column, so no table has this name.
    sql`select block.record_id, own.id as subscription_id, block.type, block.state, block.service, block.block_billing,
        block.effective_date
      from subscriptions as own
      join accounts as account on account.record_id = own.account_record_id
      join blocking_states as block on block.blockable_id in (own.id, own.bundle_id, account.id)
        and block.tenant_record_id in (${tenantsOf(place)}) and block.is_active = true
        and block.state not in ('ENT_STARTED', 'ENT_CANCELLED')
      where own.tenant_record_id in (${tenantsOf(place)}) and own.id in (${textList(ids)})
      order by block.effective_date, block.record_id`,
  )
}

/** Invoices by id. */
export async function readInvoices(place: Place, ids: readonly string[]): Promise<readonly Row[]> {
  if (ids.length === 0) return []
  return place.run(
    'killbill.evidence.invoices',
    sql`select invoice.record_id, invoice.id, invoice.invoice_date, invoice.currency, invoice.status, invoice.created_date
      from invoices as invoice where invoice.tenant_record_id in (${tenantsOf(place)}) and invoice.id in (${textList(ids)})`,
  )
}

/** Invoice items by record id. */
export async function readItems(place: Place, ids: readonly string[]): Promise<readonly Row[]> {
  const known = ids.filter((id) => /^\d{1,15}$/.test(id))
  if (known.length === 0) return []
  return place.run(
    'killbill.evidence.items',
    sql`select item.record_id, item.id, item.invoice_id, item.type, item.amount, item.start_date, item.end_date, item.created_date
      from invoice_items as item where item.tenant_record_id in (${tenantsOf(place)}) and item.record_id in (${integers(known)})`,
  )
}

/** Adjustments of invoice items, which are on the invoices of these items, in their order. */
export async function readAdjustments(place: Place, items: readonly Row[]): Promise<readonly Row[]> {
  if (items.length === 0) return []
  const named = (column: string) => textList([...new Set(items.map((item) => String(item[column])))])
  return place.run(
    'killbill.evidence.adjustments',
    sql`select item.record_id, item.id, item.linked_item_id, item.type, item.amount, item.created_date
      from invoice_items as item
      where item.tenant_record_id in (${tenantsOf(place)}) and item.type = 'ITEM_ADJ' and item.invoice_id in (${named('invoice_id')})
        and item.linked_item_id in (${named('id')})
      order by item.record_id`,
  )
}

/** Successful payments, refunds and chargebacks of invoices, in their order. */
export async function readPayments(place: Place, invoices: readonly string[]): Promise<readonly Row[]> {
  if (invoices.length === 0) return []
  const isSuccess = place.has_payment_status ? sql`payment.status = 'SUCCESS'` : sql`payment.success = true`
  return place.run(
    'killbill.evidence.payments',
    sql`select payment.record_id, payment.invoice_id, payment.payment_date, payment.amount, invoice.currency
      from invoice_payments as payment
      join invoices as invoice on invoice.id = payment.invoice_id
      where payment.tenant_record_id in (${tenantsOf(place)}) and ${isSuccess}
        and payment.invoice_id in (${textList(invoices)})
      order by payment.payment_date, payment.record_id`,
  )
}

/** The tags of invoices that settle them without a payment. */
export async function readWriteOffs(place: Place, invoices: readonly string[]): Promise<readonly Row[]> {
  if (invoices.length === 0) return []
  return place.run(
    'killbill.evidence.tags',
    sql`select tag.record_id, tag.object_id, tag.created_date
      from tags as tag
      where tag.tenant_record_id in (${tenantsOf(place)}) and tag.is_active = true and tag.object_type = 'INVOICE'
        and tag.tag_definition_id = ${value(CONTROL_TAGS.WRITTEN_OFF, 'text')} and tag.object_id in (${textList(invoices)})
      order by tag.record_id`,
  )
}

/** Accounts by id. */
export async function readAccounts(place: Place, ids: readonly string[]): Promise<readonly Row[]> {
  if (ids.length === 0) return []
  return place.run(
    'killbill.evidence.accounts',
    sql`select account.record_id, account.id, account.created_date, account.currency
      from accounts as account where account.tenant_record_id in (${tenantsOf(place)}) and account.id in (${textList(ids)})`,
  )
}

/** The prices of override definitions, by the number of the definition. */
export async function readOverridePrices(place: Place, numbers: readonly number[]): Promise<readonly Row[]> {
  if (numbers.length === 0) return []
  return place.run(
    'killbill.evidence.overrides',
    sql`select phase.record_id, link.target_plan_def_record_id, phase.parent_phase_name, phase.currency, phase.recurring_price
      from catalog_override_plan_phase as link
      join catalog_override_phase_definition as phase on phase.record_id = link.phase_def_record_id
        and phase.tenant_record_id = link.tenant_record_id
      where link.tenant_record_id in (${tenantsOf(place)}) and link.target_plan_def_record_id in (${value(numbers, 'integers')})`,
  )
}

/** An exchange rate as a row behind a number states it. */
export interface StatedRate {
  readonly currency: string
  readonly day: string
}

/** The engine's own rates of some currencies, the newest of each by some days. */
export async function readRates(place: Place, rates: readonly StatedRate[]): Promise<readonly Row[]> {
  if (rates.length === 0) return []
  const isStated = rates.map(({ currency, day }) => {
    const newest = sql`select max(earlier.start_date) from analytics_currency_conversion as earlier
      where earlier.currency = own.currency and earlier.reference_currency = own.reference_currency
        and cast(earlier.start_date as date) <= ${value(day, 'date')}`
    return sql`(own.currency = ${value(currency, 'text')} and own.start_date = (${newest}))`
  })
  return place.run(
    'killbill.evidence.rates',
    sql`select own.record_id, own.currency, own.start_date, own.reference_rate, own.reference_currency
      from analytics_currency_conversion as own where ${join(isStated, sql` or `)} order by own.record_id`,
  )
}

function integers(ids: readonly string[]): Fragment {
  return value(ids.map(Number), 'integers')
}

/** A row of subscription_events: what it sets, from which day. `whose` ends the note. */
export function eventNote(row: Row, whose = ''): Evidence {
  const kind = row['user_type'] === null ? text(row['event_type']) : text(row['user_type'])
  const day = dayOf(row['effective_date'])
  const quantity = row['quantity'] === null || row['quantity'] === undefined ? undefined : `quantity ${text(row['quantity'])}`
  const plan = row['plan_name'] === null ? undefined : `plan ${text(row['plan_name'])}`
  const phase = row['phase_name'] === null || plan !== undefined ? undefined : `phase ${text(row['phase_name'])}`
  const set = [plan, phase, quantity].filter((part) => part !== undefined).join(', ')
  const said = set === '' ? `${kind} on ${day}` : `${set} since ${day} (${kind})`
  return { ...placeOf('subscription_events', row), occurred_at: instantCell(row, 'effective_date'), note: `${said}${whose}` }
}

/** A row of blocking_states. */
export function blockNote(row: Row): Evidence {
  const effect = isTrue(row['block_billing']) ? 'billing blocked' : 'billing not blocked'
  const where = `${text(row['state'])} of ${text(row['service'])} on the ${text(row['type']).toLowerCase().replaceAll('_', ' ')}`
  const note = `${effect} since ${dayOf(row['effective_date'])} (${where})`
  return { ...placeOf('blocking_states', row), occurred_at: instantCell(row, 'effective_date'), note }
}

/** A row of invoices. */
export function invoiceNote(row: Row): Evidence {
  const note = `invoice of ${dayOf(row['invoice_date'])} in ${text(row['currency'])}, ${text(row['status']).toLowerCase()}`
  return { ...placeOf('invoices', row), occurred_at: instantCell(row, 'created_date'), note }
}

/** A row of invoice_items. An item without a first day of service has the day on which it was written. */
export function itemNote(row: Row): Evidence {
  if (row['start_date'] === null) return adjustmentNote(row)
  const end = row['end_date'] === null ? '' : ` to ${dayOf(row['end_date'])}`
  return itemOf(row, `from ${dayOf(row['start_date'])}${end}`)
}

/** A row of invoice_items that adjusts another one. Its days of service may be unknown. */
export function adjustmentNote(row: Row): Evidence {
  return itemOf(row, `on ${dayOf(row['created_date'])}`)
}

function itemOf(row: Row, days: string): Evidence {
  const note = `${text(row['type'])} item of ${amountOf(row['amount'])} ${days}`
  return { ...placeOf('invoice_items', row), occurred_at: instantCell(row, 'created_date'), note }
}

/** A row of invoice_payments. Refunds and chargebacks are negative. */
export function paymentNote(row: Row): Evidence {
  const amount = amountOf(row['amount'])
  const kind = amount < 0 ? 'refund or chargeback' : 'payment'
  const note = `${kind} of ${Math.abs(amount)} ${text(row['currency'])} on ${dayOf(row['payment_date'])}`
  return { ...placeOf('invoice_payments', row), occurred_at: instantCell(row, 'payment_date'), note }
}

/** A row of tags that writes off an invoice. */
export function writeOffNote(row: Row): Evidence {
  const note = `invoice written off on ${dayOf(row['created_date'])} (WRITTEN_OFF)`
  return { ...placeOf('tags', row), occurred_at: instantCell(row, 'created_date'), note }
}

/** A row of accounts. */
export function accountNote(row: Row): Evidence {
  const note = `account created on ${dayOf(row['created_date'])}`
  return { ...placeOf('accounts', row), occurred_at: instantCell(row, 'created_date'), note }
}

/** A row of analytics_currency_conversion. A rate holds from the start of its day. */
export function rateNote(row: Row): Evidence {
  const day = dayOf(row['start_date'])
  const note = `1 ${text(row['currency'])} is ${amountOf(row['reference_rate'])} ${text(row['reference_currency'])} since ${day}`
  return { ...placeOf('analytics_currency_conversion', row), occurred_at: `${day}T00:00:00.000Z`, note }
}

/** A decimal without zeros at its end. */
export function amountOf(cell: Row[string] | undefined): number {
  return Number(text(cell))
}

export function placeOf(table: string, row: Row): Pick<Evidence, 'table' | 'record_id' | 'id'> {
  const id = row['id']
  return { table, record_id: parseInteger(row['record_id']), id: typeof id === 'string' ? id : null }
}

function dayOf(cell: Row[string] | undefined): string {
  return text(cell).slice(0, 10)
}
