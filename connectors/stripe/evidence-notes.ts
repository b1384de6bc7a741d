import Big from 'big.js'
import type { Row } from '../../src/connector-kit/connector.ts'
import type { Evidence } from '../../src/connector-kit/evidence.ts'
import { isTrue } from '../../src/connector-kit/index.ts'
import { instantCell, text } from '../../src/connector-kit/query-runner.ts'
import { decimalsOf } from './expanded/values.ts'

/** The table of a part of a document: the table of the document and its list. */
export const LINES = 'invoices.lines'
const ITEMS = 'subscriptions.items'

/** A row of subscriptions. */
export function subscriptionNote(row: Row): Evidence {
  const parts = [
    `subscription from ${dayOf(row, 'started_at')}${row['ended_at'] === null ? '' : ` to ${dayOf(row, 'ended_at')}`}`,
    `now ${text(row['status'])}`,
    ...(row['trial_ended_at'] === null ? [] : [`with a trial until ${dayOf(row, 'trial_ended_at')}`]),
    ...(row['canceled_at'] === null ? [] : [`cancellation requested on ${dayOf(row, 'canceled_at')}`]),
    ...(row['synced_at'] === null ? [] : [`last event on ${dayOf(row, 'synced_at')}`]),
  ]
  return evidence('subscriptions', row, 'started_at', parts.join(', '))
}

/** An item of today of a subscription. */
export function itemNote(row: Row): Evidence {
  const note = `item now has ${quantityOf(row)} of price ${text(row['price_id'])}, created on ${dayOf(row, 'created_at')}`
  return evidence(ITEMS, row, 'created_at', note)
}

/** A row of prices. A mirror lacks tiers. */
export function priceNote(row: Row): Evidence {
  const count = Number(row['period_count'] ?? 1)
  const period = count === 1 ? `per ${text(row['period'])}` : `every ${count} ${text(row['period'])}s`
  const each = row['divide_by'] === null ? '' : ` for each ${text(row['divide_by'])}`
  const price =
    row['billing_scheme'] === 'tiered' || row['unit'] === null
      ? 'has tiers'
      : `costs ${money(row['unit'], row['currency'])}${each}`
  const usage = row['usage_type'] === 'metered' ? ', for usage' : ''
  const name = row['nickname'] === null ? '' : ` ${text(row['nickname'])}`
  return {
    table: 'prices',
    record_id: null,
    id: text(row['id']),
    occurred_at: null,
    note: `price${name} ${price} ${period}${usage}`,
  }
}

/** A line of an invoice. */
export function lineNote(row: Row): Evidence {
  const kind = isTrue(row['is_proration']) ? (Number(row['amount']) < 0 ? 'credit' : 'proration') : 'line'
  const amount = `${quantityOf(row)} of price ${text(row['price_id'])} for ${money(row['amount'], row['currency'])}`
  const period = `from ${dayOf(row, 'starts_at')} to ${dayOf(row, 'ends_at')}`
  return evidence(LINES, row, 'starts_at', `${kind} of invoice ${text(row['invoice_id'])}: ${amount} ${period}`)
}

/** A row of invoices. */
export function invoiceNote(row: Row): Evidence {
  const number = row['number'] === null ? '' : ` ${text(row['number'])}`
  const credited = Number(row['credited'] ?? 0) === 0 ? '' : ` less credit notes of ${money(row['credited'], row['currency'])}`
  const state = row['paid_at'] === null ? text(row['status']) : `paid on ${dayOf(row, 'paid_at')}`
  const note = `invoice${number} of ${dayOf(row, 'created_at')}, ${money(row['total'], row['currency'])}${credited}, ${state}`
  return evidence('invoices', row, 'created_at', note)
}

/** A row of refunds, or a dispute that was lost. */
export function refundNote(row: Row): Evidence {
  const of = row['charge_id'] ?? row['payment_intent_id'] ?? null
  const kind = row['table_name'] === 'disputes' ? 'lost dispute' : 'refund'
  const note = `${kind}${of === null ? '' : ` of ${text(of)}`}, ${money(row['amount'], row['currency'])} on ${dayOf(row, 'went_back_at')}`
  return evidence(text(row['table_name']), row, 'went_back_at', note)
}

/** A row of customers. */
export function customerNote(row: Row): Evidence {
  const created = row['created_at'] === null ? 'customer' : `customer created on ${dayOf(row, 'created_at')}`
  return evidence('customers', row, 'created_at', `${created}${isTrue(row['is_deleted']) ? ', deleted since' : ''}`)
}

function evidence(table: string, row: Row, column: string, note: string): Evidence {
  return { table, record_id: null, id: text(row['id']), occurred_at: instantCell(row, column), note }
}

/** An amount of a document in units of its currency. */
function money(amount: Row[string] | undefined, currency: Row[string] | undefined): string {
  const code = text(currency)
  return `${new Big(text(amount)).div(10 ** decimalsOf(code)).toFixed()} ${code.toUpperCase()}`
}

function quantityOf(row: Row): string {
  return new Big(text(row['quantity'])).toFixed()
}

function dayOf(row: Row, column: string): string {
  return text(row[column]).slice(0, 10)
}
