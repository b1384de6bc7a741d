import type { Row } from '../../../../../src/connector-kit/connector.ts'
import { isTrue } from '../../../../../src/connector-kit/index.ts'
import { InternalError } from '../../../../../src/core/errors.ts'
import { parseInteger } from '../../../../../src/core/money.ts'
import { readAmount } from './amount.ts'
import type { InvoiceTables } from './paid-invoices.ts'
import type {
  AccountRow,
  AccountRows,
  BlockingRow,
  BundleRow,
  EventRow,
  InvoiceHistoryRow,
  InvoiceItemRow,
  InvoicePaymentRow,
  InvoiceRow,
  SubscriptionRow,
  TagRow,
} from './rows.ts'

/** Rows of the tables that the fold reads, all of one account, as an executor or a file returns them. */
export type AccountTables = { readonly [table in Exclude<keyof AccountRows, 'account'>]: readonly Row[] } & {
  readonly account: Row
}

/** Converts the driver's cells to the fold's types. Booleans may arrive as 0 and 1. */
export function readAccount(tables: AccountTables): AccountRows {
  return {
    account: readAccountRow(tables.account),
    bundles: tables.bundles.map(readBundle),
    subscriptions: tables.subscriptions.map(readSubscription),
    events: tables.events.map(readEvent),
    blocking_states: tables.blocking_states.map(readBlocking),
    ...readInvoiceTables(tables),
  }
}

/** The tables that show when an invoice was paid. */
export function readInvoiceTables(tables: { readonly [table in keyof InvoiceTables]: readonly Row[] }): InvoiceTables {
  return {
    invoices: tables.invoices.map(readInvoice),
    invoice_history: tables.invoice_history.map(readInvoiceHistory),
    invoice_items: tables.invoice_items.map(readInvoiceItem),
    invoice_payments: tables.invoice_payments.map(readInvoicePayment),
    tags: tables.tags.map(readTag),
  }
}

type Cell = Row[string] | undefined

// Callers look up the cells. So each look-up in the code always meets rows of one shape, which is much faster.
function text(cell: Cell, column: string): string {
  if (typeof cell === 'string') return cell
  if (cell === null || cell === undefined) throw new InternalError(`column ${column} is empty`)
  return String(cell)
}

function optional(cell: Cell): string | null {
  if (typeof cell === 'string') return cell
  return cell === null || cell === undefined ? null : String(cell)
}

function readAccountRow(row: Row): AccountRow {
  return {
    record_id: parseInteger(row['record_id']),
    tenant_record_id: parseInteger(row['tenant_record_id']),
    id: text(row['id'], 'id'),
    external_key: optional(row['external_key']),
    currency: optional(row['currency']),
  }
}

function readBundle(row: Row): BundleRow {
  return { id: text(row['id'], 'id'), external_key: text(row['external_key'], 'external_key') }
}

function readSubscription(row: Row): SubscriptionRow {
  return {
    id: text(row['id'], 'id'),
    bundle_id: text(row['bundle_id'], 'bundle_id'),
    category: text(row['category'], 'category'),
    start_date: text(row['start_date'], 'start_date'),
  }
}

function readEvent(row: Row): EventRow {
  return {
    record_id: parseInteger(row['record_id']),
    subscription_id: text(row['subscription_id'], 'subscription_id'),
    event_type: text(row['event_type'], 'event_type'),
    user_type: optional(row['user_type']),
    effective_date: text(row['effective_date'], 'effective_date'),
    plan_name: optional(row['plan_name']),
    phase_name: optional(row['phase_name']),
    price_list_name: optional(row['price_list_name']),
    quantity: (row['quantity'] ?? null) === null ? null : parseInteger(row['quantity']),
    is_active: isTrue(row['is_active']),
    created_date: text(row['created_date'], 'created_date'),
  }
}

function readBlocking(row: Row): BlockingRow {
  return {
    record_id: parseInteger(row['record_id']),
    blockable_id: text(row['blockable_id'], 'blockable_id'),
    type: text(row['type'], 'type'),
    service: text(row['service'], 'service'),
    block_billing: isTrue(row['block_billing']),
    effective_date: text(row['effective_date'], 'effective_date'),
    created_date: text(row['created_date'], 'created_date'),
    is_active: isTrue(row['is_active']),
  }
}

function readInvoice(row: Row): InvoiceRow {
  return {
    record_id: parseInteger(row['record_id']),
    id: text(row['id'], 'id'),
    currency: text(row['currency'], 'currency'),
    status: text(row['status'], 'status'),
    migrated: isTrue(row['migrated']),
    parent_invoice: isTrue(row['parent_invoice']),
    created_date: text(row['created_date'], 'created_date'),
  }
}

function readInvoiceHistory(row: Row): InvoiceHistoryRow {
  return {
    target_record_id: parseInteger(row['target_record_id']),
    status: text(row['status'], 'status'),
    created_date: text(row['created_date'], 'created_date'),
  }
}

function readInvoiceItem(row: Row): InvoiceItemRow {
  return {
    record_id: parseInteger(row['record_id']),
    id: text(row['id'], 'id'),
    invoice_id: text(row['invoice_id'], 'invoice_id'),
    type: text(row['type'], 'type'),
    subscription_id: optional(row['subscription_id']),
    phase_name: optional(row['phase_name']),
    start_date: optional(row['start_date']),
    end_date: optional(row['end_date']),
    amount: readAmount(text(row['amount'], 'amount')),
    linked_item_id: optional(row['linked_item_id']),
    created_date: text(row['created_date'], 'created_date'),
  }
}

function readInvoicePayment(row: Row): InvoicePaymentRow {
  return {
    invoice_id: text(row['invoice_id'], 'invoice_id'),
    payment_date: text(row['payment_date'], 'payment_date'),
    amount: readAmount(text(row['amount'], 'amount')),
    status: text(row['status'], 'status'),
  }
}

function readTag(row: Row): TagRow {
  return {
    object_id: text(row['object_id'], 'object_id'),
    object_type: text(row['object_type'], 'object_type'),
    tag_definition_id: text(row['tag_definition_id'], 'tag_definition_id'),
    created_date: text(row['created_date'], 'created_date'),
    is_active: isTrue(row['is_active']),
  }
}
