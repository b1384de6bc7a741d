import { compare, type Identity } from '../check.ts'
import { asList, byKey, keysOf, total } from '../rows.ts'

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
    const totals = byKey(await ask.rows('usage_revenue.total', { ...range }, spec), by)
    const months = byKey(await ask.rows('usage_revenue.series', { ...range, interval: 'month' }, spec), by)
    const customers = byKey(await ask.rows('usage_revenue.by_customer', { ...range }, spec), by)
    const groups = keysOf(totals, months, customers)
    const pairs = groups.flatMap((group) => {
      const expected = total(totals.get(group) ?? [], 'revenue')
      return [
        {
          id: `usage_revenue.series ${group}`,
          what: `usage of all months, ${group}`,
          expected,
          actual: total(months.get(group) ?? [], 'revenue'),
        },
        {
          id: `usage_revenue.by_customer ${group}`,
          what: `usage of all customers, ${group}`,
          expected,
          actual: total(customers.get(group) ?? [], 'revenue'),
        },
      ]
    })
    return { ...compare(pairs), count: groups.length }
  },
}
