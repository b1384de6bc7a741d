import { fn, sql } from '../../compiler/fragment.ts'
import { defineField } from '../field.ts'

/** The customer itself, as it is now. */
export const CUSTOMER_DIMENSIONS = [
  defineField({
    key: 'customer_id',
    type: 'string',
    description: 'Id of the account.',
    joins: ['customer'],
    reads: ['customer.customer_id'],
    constant: 'always',
    expression: () => sql`customer.customer_id`,
  }),
  defineField({
    key: 'customer_name',
    type: 'string',
    description: 'Name of the account; names repeat, so group by customer_id to tell customers apart.',
    joins: ['customer'],
    reads: ['customer.customer_name'],
    constant: 'always',
    expression: () => sql`customer.customer_name`,
  }),
  defineField({
    key: 'customer_country',
    type: 'string',
    description: 'Country of the account.',
    joins: ['customer'],
    reads: ['customer.customer_country'],
    constant: 'always',
    expression: () => sql`customer.customer_country`,
  }),
]

/** Months by which customers are grouped into cohorts. */
export const COHORT_DIMENSIONS = [
  defineField({
    key: 'cohort_month',
    type: 'date',
    description: 'UTC month in which the customer was first live; null for a customer that never was.',
    joins: ['cohort'],
    reads: ['cohort'],
    constant: 'always',
    expression: () => sql`cohort.cohort_month`,
  }),
  defineField({
    key: 'customer_created_month',
    type: 'date',
    description: 'UTC month in which the account was created.',
    joins: ['customer'],
    reads: ['customer.created_at'],
    constant: 'always',
    expression: () => fn('month_start', sql`customer.created_at`),
  }),
]

/** Full months since the account was created, at the instant of the fact (D61). */
export const TENURE_DIMENSION = defineField({
  key: 'tenure_months',
  label: 'Tenure (months)',
  type: 'number',
  description: 'Full months from the creation of the account to the instant of the fact.',
  joins: ['customer'],
  reads: ['customer.created_at'],
  constant: 'never',
  expression: ({ instant, isBefore }) => {
    const months = fn('months_between', sql`customer.created_at`, instant)
    const reached = fn('add_period', sql`customer.created_at`, months, sql`0`)
    return sql`case when ${reached} < ${instant} or (${reached} = ${instant} and not (${isBefore}))
      then ${months} else ${months} - 1 end`
  },
})
