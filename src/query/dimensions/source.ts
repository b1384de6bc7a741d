import { sql, value } from '../../compiler/fragment.ts'
import { defineField, type Field } from '../field.ts'

/** Key of the dimension whose values are names of tenants. */
export const TENANT_KEY = 'tenant'

/** Source of a row. Every metric has it. */
export const SOURCE_DIMENSIONS = [
  defineField({
    key: 'source',
    shows: 'totals',
    type: 'string',
    description: 'Type of the connector.',
    constant: 'always',
    expression: ({ connector }) => value(connector, 'text'),
  }),
  defineField({
    key: 'source_id',
    shows: 'totals',
    type: 'string',
    description: 'Id of the tenant of the billing engine. It stays the same if the tenant gets another name.',
    joins: ['customer'],
    reads: ['customer.source_id'],
    constant: 'always',
    expression: () => sql`customer.source_id`,
  }),
  defineField({
    key: TENANT_KEY,
    shows: 'totals',
    type: 'string',
    description: 'Name of the tenant of the billing engine.',
    joins: ['customer', 'tenant'],
    reads: ['customer.source_id'],
    constant: 'always',
    expression: () => sql`tenant.tenant_name`,
  }),
]

/** True for the dimension `tenant`, and for the same field of a record. */
export function isTenantField({ key }: Pick<Field, 'key'>): boolean {
  return key === TENANT_KEY || key.endsWith(`.${TENANT_KEY}`)
}

/** The field with the names of the tenants as its allowed values. Other fields do not change. */
export function withTenantNames(field: Field, tenants: readonly string[] | undefined): Field {
  return isTenantField(field) && tenants !== undefined ? { ...field, known: tenants } : field
}

/** Currency of the subscription, invoice or charge (D9). Grouped by it, amounts are in original cents (D14). */
export const CURRENCY_DIMENSION = defineField({
  key: 'currency',
  shows: 'totals',
  type: 'string',
  description:
    'Currency of the subscription or payment. If you group by it, amounts are in that currency. If you filter by it, they stay in the base currency.',
  constant: 'always',
  isUpperCase: true,
  expression: () => sql`fact.currency`,
})
