import { compare, type Identity } from '../check.ts'
import { total } from '../rows.ts'

/** I11: the table of revenue events adds up to the lost revenue. */
export const lostRevenueListed: Identity = {
  name: 'lost_revenue_listed',
  description: 'The rows of the table of lost revenue add up to the lost revenue of the churn rate.',
  identities: ['I11'],
  unit: 'rows',
  queries: ['churn.revenue', 'churn.revenue_events'],
  isGrouped: false,
  async holds(ask, { range, filters }) {
    const figures = await ask.rows('churn.revenue', { ...range }, { dimensions: ['source'], filters })
    const table = await ask.rows('churn.revenue_events', { ...range }, { filters })
    const [expected, actual] = [total(figures, 'revenue_lost'), total(table, 'mrr_cents')]
    const pair = { id: 'churn.revenue_events', what: 'lost revenue in the table', expected, actual }
    return { ...compare([pair]), count: table.length }
  },
}
