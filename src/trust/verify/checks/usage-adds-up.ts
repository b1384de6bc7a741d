import { compare, type Identity } from '../check.ts'
import { asList, keysOf, sumsBy } from '../rows.ts'

/** I15: usage revenue by month and by customer adds up to the total. */
export const usageAddsUp: Identity = {
  name: 'usage_adds_up',
  description: 'Usage revenue of all months and of all customers is the usage revenue of the range, in each group.',
  identities: ['I15'],
  unit: 'groups',
  queries: ['usage_revenue.total', 'usage_revenue.series', 'usage_revenue.by_customer'],
  isGrouped: true,
  async holds(ask, { range, dimensions, filters }) {
    const by = asList(dimensions)
    const spec = { dimensions: by, filters }
    const totals = sumsBy(await ask.rows('usage_revenue.total', { ...range }, spec), by, 'revenue')
    const months = sumsBy(await ask.rows('usage_revenue.series', { ...range, interval: 'month' }, spec), by, 'revenue')
    const customers = sumsBy(await ask.rows('usage_revenue.by_customer', { ...range }, spec), by, 'revenue')
    const groups = keysOf(totals, months, customers)
    const pairs = groups.flatMap((group) => {
      const expected = totals.get(group) ?? 0
      return [
        {
          id: `usage_revenue.series ${group}`,
          what: `usage of all months, ${group}`,
          expected,
          actual: months.get(group) ?? 0,
        },
        {
          id: `usage_revenue.by_customer ${group}`,
          what: `usage of all customers, ${group}`,
          expected,
          actual: customers.get(group) ?? 0,
        },
      ]
    })
    return { ...compare(pairs), count: groups.length }
  },
}
