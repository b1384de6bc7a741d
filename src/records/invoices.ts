import { sql } from '../compiler/fragment.ts'
import { dayOrNull, instantCell, integerCell, integerOrNull, textCell } from '../ports/cells.ts'
import type { Row } from '../ports/rows.ts'
import { type ListDefinition, listField, orderFields, TENANT_FIELD } from '../query/lists/definition.ts'
import { ofCustomers } from './filters.ts'
import { INVOICE_AGES, INVOICE_ROW, INVOICE_STATUSES } from './rows.ts'

/** Invoices, newest first. Their subscriptions are added to the page afterwards. */
export const INVOICES: ListDefinition = {
  name: 'invoices',
  template: 'data/invoices',
  reads: ['billed_invoice', 'customer', 'invoice_subscription'],
  fields: [
    TENANT_FIELD,
    listField('status', INVOICE_STATUSES.join(', '), sql`fact.status`, { values: INVOICE_STATUSES }),
    listField('currency', 'Currency of the invoice. customer.currency is that of the account.', sql`fact.currency`, {
      isUpperCase: true,
    }),
    listField('age', INVOICE_AGES.join(', '), sql`fact.age`, { known: INVOICE_AGES }),
  ],
  statuses: INVOICE_STATUSES,
  ...ofCustomers(sql`fact.invoice_id`),
  day: sql`fact.invoice_date`,
  days_open: sql`fact.days_open`,
  order: orderFields({
    texts: {
      id: 'invoice_id',
      source_id: 'source_id',
      tenant: 'tenant_name',
      number: 'invoice_number',
      customer_id: 'customer_id',
      customer_name: 'customer_name',
      status: 'status',
      currency: 'currency',
      age: 'age',
    },
    others: {
      invoice_date: 'invoice_date',
      created_at: 'created_at',
      paid_at: 'paid_at',
      voided_at: 'voided_at',
      tax_cents: 'tax_cents',
      total_cents: 'total_cents',
      usage_cents: 'usage_cents',
      amount_paid_cents: 'amount_paid_cents',
      balance_cents: 'balance_cents',
      total_base_cents: 'total_base_cents',
      balance_base_cents: 'balance_base_cents',
      days_open: 'days_open',
    },
  }),
  row: INVOICE_ROW,
  write: writeInvoice,
}

function writeInvoice(row: Row): Readonly<Record<string, unknown>> {
  const total_cents = integerCell(row, 'total_cents')
  const tax_cents = integerCell(row, 'tax_cents')
  return {
    id: textCell(row, 'invoice_id'),
    source_id: textCell(row, 'source_id'),
    tenant: textCell(row, 'tenant_name'),
    number: textCell(row, 'invoice_number'),
    customer_id: textCell(row, 'customer_id'),
    customer_name: textCell(row, 'customer_name'),
    subscription_ids: [],
    status: textCell(row, 'status'),
    currency: textCell(row, 'currency'),
    invoice_date: dayOrNull(row, 'invoice_date'),
    created_at: instantCell(row, 'created_at'),
    paid_at: instantCell(row, 'paid_at'),
    voided_at: instantCell(row, 'voided_at'),
    subtotal_cents: total_cents - tax_cents,
    tax_cents,
    total_cents,
    usage_cents: integerCell(row, 'usage_cents'),
    amount_paid_cents: integerCell(row, 'amount_paid_cents'),
    balance_cents: integerCell(row, 'balance_cents'),
    total_base_cents: integerOrNull(row, 'total_base_cents'),
    balance_base_cents: integerOrNull(row, 'balance_base_cents'),
    days_open: integerOrNull(row, 'days_open'),
    age: textCell(row, 'age'),
  }
}
