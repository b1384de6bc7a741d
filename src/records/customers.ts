import { sql } from '../compiler/fragment.ts'
import type { Calendar } from '../core/calendar.ts'
import { instantCell, integerCell, integerOrNull, textCell } from '../ports/cells.ts'
import type { Row } from '../ports/rows.ts'
import { CUSTOMER_DIMENSIONS } from '../query/dimensions/customer.ts'
import { type ListDefinition, listField, orderFields, TENANT_FIELD } from '../query/lists/definition.ts'
import { CUSTOMER_ROW, CUSTOMER_STATUSES } from './rows.ts'

const COUNTRY = CUSTOMER_DIMENSIONS.find(({ key }) => key === 'customer_country')

/** Customers, newest first. */
export const CUSTOMERS: ListDefinition = {
  name: 'customers',
  template: 'data/customers',
  reads: ['customer', 'mrr_span'],
  fields: [
    TENANT_FIELD,
    listField('country', 'Country of the account.', sql`fact.customer_country`, { same_as: COUNTRY }),
    listField(
      'currency',
      'Currency of the amounts: that of the running subscriptions, else that of the account, which is customer.currency.',
      sql`coalesce(state.currency, fact.currency)`,
      { isUpperCase: true },
    ),
    listField('status', CUSTOMER_STATUSES.join(', '), sql`coalesce(state.status, 'lead')`, { values: CUSTOMER_STATUSES }),
  ],
  statuses: CUSTOMER_STATUSES,
  searched: {
    parts: [sql`fact.customer_name`, sql`fact.email`, sql`fact.external_key`],
    ids: [sql`fact.customer_id`],
  },
  source_id: sql`fact.source_id`,
  order: orderFields({
    texts: {
      id: 'customer_id',
      source_id: 'source_id',
      tenant: 'tenant_name',
      external_key: 'external_key',
      name: 'customer_name',
      email: 'email',
      country: 'customer_country',
      currency: 'currency',
      status: 'status',
    },
    others: {
      created_at: 'created_at',
      first_active_at: 'first_active_at',
      churned_at: 'churned_at',
      live_subscriptions: 'live_subscriptions',
      mrr_cents: 'mrr_cents',
      mrr_base_cents: 'mrr_base_cents',
    },
  }),
  row: CUSTOMER_ROW,
  write: writeCustomer,
}

function writeCustomer(row: Row, calendar: Calendar): Readonly<Record<string, unknown>> {
  const first_active_at = instantCell(row, 'first_active_at')
  return {
    id: textCell(row, 'customer_id'),
    source_id: textCell(row, 'source_id'),
    tenant: textCell(row, 'tenant_name'),
    external_key: textCell(row, 'external_key'),
    name: textCell(row, 'customer_name'),
    email: textCell(row, 'email'),
    country: textCell(row, 'customer_country'),
    currency: textCell(row, 'currency'),
    status: textCell(row, 'status'),
    created_at: instantCell(row, 'created_at'),
    first_active_at,
    churned_at: instantCell(row, 'churned_at'),
    cohort_month: first_active_at === null ? null : `${calendar.dayAt(new Date(first_active_at)).slice(0, 7)}-01`,
    live_subscriptions: integerCell(row, 'live_subscriptions'),
    mrr_cents: integerOrNull(row, 'mrr_cents'),
    mrr_base_cents: integerOrNull(row, 'mrr_base_cents'),
  }
}
