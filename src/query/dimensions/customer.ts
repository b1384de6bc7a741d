import { type Fragment, fn, sql } from '../../compiler/fragment.ts'
import { defineField, FIRST_DAYS, type Field, type FieldType, WHOLE_NUMBERS } from '../field.ts'

/** The customer, with its current values. */
export const CUSTOMER_DIMENSIONS = [
  defineField({
    key: 'customer_id',
    type: 'string',
    description: 'Id of the customer account.',
    joins: ['customer'],
    reads: ['customer.customer_id'],
    constant: 'always',
    expression: () => sql`customer.customer_id`,
  }),
  defineField({
    key: 'customer_name',
    type: 'string',
    description: 'Name of the customer. Names can repeat, so group by customer_id to keep customers apart.',
    joins: ['customer'],
    reads: ['customer.customer_name'],
    constant: 'always',
    expression: () => sql`customer.customer_name`,
  }),
  defineField({
    key: 'customer_country',
    shows: 'totals',
    type: 'string',
    description: 'Country of the customer.',
    joins: ['customer'],
    reads: ['customer.customer_country'],
    constant: 'always',
    expression: () => sql`customer.customer_country`,
  }),
]

/** Cohort months of customers. */
export const COHORT_DIMENSIONS = [
  defineField({
    key: 'cohort_month',
    shows: 'totals',
    type: 'date',
    description: 'Month in which the customer was first live; null if it never was.',
    joins: ['cohort'],
    reads: ['cohort'],
    constant: 'always',
    possible: FIRST_DAYS,
    expression: () => sql`cohort.cohort_month`,
  }),
  defineField({
    key: 'customer_created_month',
    shows: 'totals',
    type: 'date',
    description: 'Month in which the account was created.',
    joins: ['customer'],
    reads: ['customer.created_at'],
    constant: 'always',
    possible: FIRST_DAYS,
    expression: () => fn('month_start', fn('clock', sql`customer.created_at`)),
  }),
]

/** Full months since the account was created, at the instant of the fact (D61). */
export const TENURE_DIMENSION = defineField({
  key: 'tenure_months',
  shows: 'totals',
  label: 'Tenure (months)',
  type: 'number',
  description: 'Full months from the creation of the account to the date of the figure or event.',
  joins: ['customer'],
  reads: ['customer.created_at'],
  constant: 'never',
  possible: WHOLE_NUMBERS,
  grows: true,
  expression: ({ instant, isBefore }) => {
    const months = fn('months_between', sql`customer.created_at`, instant)
    const reached = fn('add_period', sql`customer.created_at`, months, sql`0`)
    return sql`case when ${reached} < ${instant} or (${reached} = ${instant} and not (${isBefore}))
      then ${months} else ${months} - 1 end`
  },
})

function customerField(name: string, column: string, expression: Fragment, type: FieldType = 'string'): Field {
  return defineField({
    key: `customer.${name}`,
    type,
    description: `Current ${name.replaceAll('_', ' ')} of the customer.`,
    joins: ['customer'],
    reads: [`customer.${column}`],
    constant: 'always',
    expression: () => expression,
  })
}

/** `customer.X` filters (http-api.md 6.1) of every metric that has customers. */
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
