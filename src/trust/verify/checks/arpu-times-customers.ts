import { ratio } from '../../../core/money.ts'
import { compare, type Identity, together } from '../check.ts'
import { asList, keyOf, numberIn, total } from '../rows.ts'

/** I17: ARPU times paying customers is MRR. */
export const arpuTimesCustomers: Identity = {
  name: 'arpu_times_customers',
  description: 'ARPU is MRR divided by paying customers, in each group, and this MRR is that of the MRR metric.',
  identities: ['I17'],
  unit: 'groups',
  queries: ['ltv.arpu', 'mrr.current'],
  isGrouped: true,
  async holds(ask, { range: { end: at }, dimensions, filters }) {
    const spec = { dimensions: asList(dimensions), filters }
    const groups = await ask.rows('ltv.arpu', { at }, spec)
    const levels = await ask.rows('mrr.current', { at }, spec)
    const averages = groups.map((row) => ({
      id: keyOf(row, spec.dimensions),
      what: `ARPU of ${keyOf(row, spec.dimensions)}`,
      expected: ratio(total([row], 'mrr'), total([row], 'active_customers'), 2),
      actual: numberIn(row, 'arpu'),
    }))
    const sums = { id: 'ltv.arpu', what: 'MRR of ARPU', expected: total(levels, 'mrr'), actual: total(groups, 'mrr') }
    return { ...together(compare([sums]), compare(averages)), count: groups.length }
  },
}
