import { defineDimension, sql } from 'plumbline'

/** The sales region of the customer. */
export const region = defineDimension({
  key: 'region',
  label: 'Sales region',
  type: 'string',
  description: 'europe, americas or elsewhere, by the country of the account; null without one.',
  of: 'customer',
  reads: ['customer.customer_country'],
  order: ['europe', 'americas', 'elsewhere'],
  expression: sql`case when customer.customer_country in ('DE', 'FR', 'GB', 'IT') then 'europe'
    when customer.customer_country in ('US', 'CA', 'BR') then 'americas'
    when customer.customer_country is not null then 'elsewhere' end`,
})
