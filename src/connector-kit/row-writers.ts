import { MOVEMENT_SOURCES, MOVEMENT_TYPES } from '../core/enums.ts'
import { AppError } from '../core/errors.ts'
import { parseInteger } from '../core/money.ts'
import { isoInstant } from '../core/periods.ts'
import { instantCell, integerOrNull, textCell, textOf } from '../ports/cells.ts'
import type { Row } from '../ports/rows.ts'
import {
  type ActiveSubscriptionRow,
  type CustomerRow,
  INVOICE_STATUSES,
  type InvoiceRow,
  LIVE_STATUSES,
  type SubscriptionChangeRow,
} from './row-types.ts'

/** A row of rows/active_subscriptions. */
export function activeSubscription(row: Row): ActiveSubscriptionRow {
  return {
    source_id: textOf(row, 'source_id'),
    subscription_id: textOf(row, 'subscription_id'),
    customer_id: textOf(row, 'customer_id'),
    bundle_id: textCell(row, 'bundle_id'),
    status: canonical(row, 'mrr_span.status', LIVE_STATUSES),
    plan_id: textOf(row, 'plan_id'),
    price_list: textCell(row, 'price_list'),
    quantity: parseInteger(row['quantity'], 'quantity', row),
    currency: textCell(row, 'currency'),
    mrr_cents: integerOrNull(row, 'mrr_cents'),
  }
}

/** A row of rows/subscription_changes whose base amount is known. */
export function subscriptionChange(row: Row): SubscriptionChangeRow {
  return {
    source_id: textOf(row, 'source_id'),
    type: canonical(row, 'mrr_movement.movement_type', MOVEMENT_TYPES),
    movement_source: canonical(row, 'mrr_movement.movement_source', MOVEMENT_SOURCES),
    amount_cents: parseInteger(row['amount_cents'], 'amount_cents', row),
    amount_usd_cents: parseInteger(row['amount_base_cents'], 'amount_base_cents', row),
    currency: textCell(row, 'currency'),
    customer_id: textOf(row, 'customer_id'),
    subscription_id: textOf(row, 'subscription_id'),
    occurred_at: isoInstant(textOf(row, 'occurred_at')),
    reason: textOf(row, 'reason'),
  }
}

/** A row of rows/customers. */
export function customer(row: Row): CustomerRow {
  return {
    source_id: textOf(row, 'source_id'),
    customer_id: textOf(row, 'customer_id'),
    external_key: textCell(row, 'external_key'),
    name: textCell(row, 'customer_name'),
    email: textCell(row, 'email'),
    country: textCell(row, 'customer_country'),
    currency: textCell(row, 'currency'),
    created_at: isoInstant(textOf(row, 'created_at')),
  }
}

/** A row of rows/invoices. */
export function invoice(row: Row): InvoiceRow {
  return {
    source_id: textOf(row, 'source_id'),
    invoice_id: textOf(row, 'invoice_id'),
    invoice_number: textCell(row, 'invoice_number'),
    customer_id: textOf(row, 'customer_id'),
    status: canonical(row, 'billed_invoice.status', INVOICE_STATUSES),
    currency: textOf(row, 'currency'),
    invoice_date: textOf(row, 'invoice_date').slice(0, 10),
    created_at: isoInstant(textOf(row, 'created_at')),
    paid_at: instantCell(row, 'paid_at'),
    voided_at: instantCell(row, 'voided_at'),
    total_cents: parseInteger(row['total_cents'], 'total_cents', row),
    tax_cents: parseInteger(row['tax_cents'], 'tax_cents', row),
    amount_paid_cents: parseInteger(row['amount_paid_cents'], 'amount_paid_cents', row),
    balance_cents: parseInteger(row['balance_cents'], 'balance_cents', row),
  }
}

function canonical<Known extends string>(row: Row, name: string, known: readonly Known[]): Known {
  const [relation = '', column = ''] = name.split('.')
  const value = row[column]
  const found = known.find((one) => one === value)
  if (found !== undefined) return found
  throw new AppError('canonical_enum_violation', `${name} is ${JSON.stringify(value)}, which is none of ${known.join(', ')}.`, {
    context: { relation, column, value },
  })
}
