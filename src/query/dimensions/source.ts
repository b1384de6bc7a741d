import { sql, value } from '../../compiler/fragment.ts'
import { defineField } from '../field.ts'

/** Source of a row. Every metric has it. */
export const SOURCE_DIMENSIONS = [
  defineField({
    key: 'source',
    type: 'string',
    description: 'Type of the connector.',
    constant: 'always',
    expression: ({ connector }) => value(connector, 'text'),
  }),
  defineField({
    key: 'source_id',
    type: 'string',
    description: 'One tenant of the billing engine.',
    joins: ['customer'],
    reads: ['customer.source_id'],
    constant: 'always',
    expression: () => sql`customer.source_id`,
  }),
]

/** Currency of the customer. Grouped by it, amounts are in original cents (D14). */
export const CURRENCY_DIMENSION = defineField({
  key: 'currency',
  type: 'string',
  description:
    'Currency of the customer. If you group by it, amounts are in that currency. If you filter by it, they stay in the base currency.',
  constant: 'always',
  isUpperCase: true,
  expression: () => sql`fact.currency`,
})
