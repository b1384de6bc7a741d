import { MOVEMENT_SOURCES, MOVEMENT_TYPES } from '../core/enums.ts'
import { AppError } from '../core/errors.ts'
import type { Row } from '../engine/ports.ts'
import { instant, instantOrNull, integerOrNull, parseInteger, text, textOrNull } from './reading.ts'
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
    source_id: text(row['source_id']),
    subscription_id: text(row['subscription_id']),
    customer_id: text(row['customer_id']),
    bundle_id: textOrNull(row['bundle_id']),
    status: canonical(row, 'mrr_span.status', LIVE_STATUSES),
    plan_id: text(row['plan_id']),
    price_list: textOrNull(row['price_list']),
    quantity: parseInteger(row['quantity']),
    currency: textOrNull(row['currency']),
    mrr_cents: integerOrNull(row['mrr_cents']),
  }
}

/** A row of rows/subscription_changes whose base amount is known. */
export function subscriptionChange(row: Row): SubscriptionChangeRow {
  return {
    source_id: text(row['source_id']),
    type: canonical(row, 'mrr_movement.movement_type', MOVEMENT_TYPES),
    movement_source: canonical(row, 'mrr_movement.movement_source', MOVEMENT_SOURCES),
    amount_cents: parseInteger(row['amount_cents']),
    amount_usd_cents: parseInteger(row['amount_base_cents']),
    currency: textOrNull(row['currency']),
    customer_id: text(row['customer_id']),
    subscription_id: text(row['subscription_id']),
    occurred_at: instant(row['occurred_at']),
    reason: text(row['reason']),
  }
}

/** A row of rows/customers. */
export function customer(row: Row): CustomerRow {
  return {
    source_id: text(row['source_id']),
    customer_id: text(row['customer_id']),
    external_key: textOrNull(row['external_key']),
    name: textOrNull(row['customer_name']),
    email: textOrNull(row['email']),
    country: textOrNull(row['customer_country']),
    currency: textOrNull(row['currency']),
    created_at: instant(row['created_at']),
  }
}

/** A row of rows/invoices. */
export function invoice(row: Row): InvoiceRow {
  return {
    source_id: text(row['source_id']),
    invoice_id: text(row['invoice_id']),
    invoice_number: textOrNull(row['invoice_number']),
    customer_id: text(row['customer_id']),
    status: canonical(row, 'billed_invoice.status', INVOICE_STATUSES),
    currency: text(row['currency']),
    invoice_date: text(row['invoice_date']).slice(0, 10),
    created_at: instant(row['created_at']),
    paid_at: instantOrNull(row['paid_at']),
    voided_at: instantOrNull(row['voided_at']),
    total_cents: parseInteger(row['total_cents']),
    tax_cents: parseInteger(row['tax_cents']),
    amount_paid_cents: parseInteger(row['amount_paid_cents']),
    balance_cents: parseInteger(row['balance_cents']),
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
