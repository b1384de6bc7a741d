import { compare, type Fault, type Identity, together } from '../check.ts'
import { asList, keyOf, numberIn, shareOf, total } from '../rows.ts'

/** I10: the table of customers has the rows that the churn rate counts. */
export const churnedCustomersListed: Identity = {
  name: 'churned_customers_listed',
  description:
    'The table of customers has one row for each customer of the churn rate, and the instant of its churn for each one that churned.',
  identities: ['I10'],
  unit: 'customers and groups',
  queries: ['churn.logo', 'churn.detail'],
  isGrouped: false,
  async holds(ask, { range, dimensions, filters }) {
    const table = await ask.rows('churn.detail', { ...range }, { filters })
    const by = asList(dimensions)
    const groups = await ask.rows('churn.logo', { ...range }, { dimensions: by, filters })
    const left = table.filter((row) => row['churned_at'] !== null)
    const counts = [
      { id: 'churn.detail', what: 'customers in the table', expected: total(groups, 'active_at_start'), actual: table.length },
      { id: 'churn.detail', what: 'churned customers in the table', expected: total(groups, 'churn_count'), actual: left.length },
    ]
    const rates = groups.map((row) => ({
      id: keyOf(row, by),
      what: `logo churn rate of ${keyOf(row, by)}`,
      expected: shareOf(total([row], 'churn_count'), total([row], 'active_at_start')),
      actual: numberIn(row, 'logo_churn_rate'),
    }))
    const bounds = groups.filter((row) => total([row], 'churn_count') > total([row], 'active_at_start'))
    const wrong = table.filter(
      (row) => row['active_at_start'] !== true || (row['fully_churned'] === true && row['churned_at'] === null),
    )
    const faults: readonly Fault[] = [
      ...bounds.map((row) => ({ id: keyOf(row, by), message: `more customers of ${keyOf(row, by)} churned than were live` })),
      ...wrong.map((row) => ({
        id: String(row['customer_id']),
        message: `customer ${row['customer_id']} was not live at the start, or has left without an instant`,
      })),
    ]
    const found = together(compare(counts), compare(rates), { count: table.length, faults })
    return { ...found, expected: total(groups, 'churn_count'), actual: left.length }
  },
}
