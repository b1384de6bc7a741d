import { type Fragment, sql } from '../../compiler/fragment.ts'
import { defineField, type Field, type FieldType } from '../field.ts'

function customerField(name: string, column: string, expression: Fragment, type: FieldType = 'string'): Field {
  return defineField({
    key: `customer.${name}`,
    type,
    description: `The customer's ${name.replaceAll('_', ' ')}, as it is now.`,
    joins: ['customer'],
    reads: [`customer.${column}`],
    constant: 'always',
    expression: () => expression,
  })
}

/** `customer.X` filters (http-api.md 6.1), offered by every metric that has customers. */
export const CUSTOMER_FIELDS: readonly Field[] = [
  customerField('id', 'customer_id', sql`customer.customer_id`),
  customerField('external_key', 'external_key', sql`customer.external_key`),
  customerField('name', 'customer_name', sql`customer.customer_name`),
  customerField('email', 'email', sql`customer.email`),
  customerField('country', 'customer_country', sql`customer.customer_country`),
  customerField('currency', 'currency', sql`customer.currency`),
  customerField('created_at', 'created_at', sql`customer.created_at`, 'timestamp'),
  customerField('company_name', 'company_name', sql`customer.company_name`),
  customerField('city', 'city', sql`customer.city`),
  customerField('state', 'state', sql`customer.state`),
  customerField('postal_code', 'postal_code', sql`customer.postal_code`),
  customerField('locale', 'locale', sql`customer.locale`),
  customerField('time_zone', 'time_zone', sql`customer.time_zone`),
]
