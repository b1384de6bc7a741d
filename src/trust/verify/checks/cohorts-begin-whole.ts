import { compare, type Fault, type Identity, together } from '../check.ts'
import { keyOf, numberIn, shareOf, total } from '../rows.ts'

/** I14: each cohort begins whole, and no month has more customers than the cohort. */
export const cohortsBeginWhole: Identity = {
  name: 'cohorts_begin_whole',
  description: 'A cohort is complete in its first month, and no month has more of its customers. Groups add up to the cohorts.',
  identities: ['I14'],
  unit: 'cells',
  queries: ['retention.cohort_matrix'],
  isGrouped: false,
  async holds(ask, { range, dimensions, filters }) {
    const by = dimensions.length === 0 ? {} : { dimensions }
    const cells = await ask.rows('retention.cohort_matrix', { ...range }, { ...by, filters })
    const columns = [...dimensions, 'cohort_month', 'active_month']
    const rates = cells.map((row) => ({
      id: keyOf(row, columns),
      what: `retention of ${keyOf(row, columns)}`,
      expected: row['months_since'] === 0 ? 1 : shareOf(total([row], 'active_count'), total([row], 'cohort_size')),
      actual: numberIn(row, 'retention_rate'),
    }))
    const faults: readonly Fault[] = cells
      .filter((row) => total([row], 'active_count') > total([row], 'cohort_size'))
      .map((row) => ({
        id: keyOf(row, columns),
        message: `more customers are active than the cohort has: ${keyOf(row, columns)}`,
      }))
    const found = together(compare(rates), { count: 0, faults })
    if (dimensions.length === 0) return found
    const whole = await ask.rows('retention.cohort_matrix', { ...range }, { filters })
    const sizes = {
      id: 'retention.cohort_matrix',
      what: 'customers of all cohorts',
      expected: sizeOf(whole),
      actual: sizeOf(cells),
    }
    return together(found, compare([sizes]))
  },
}

/** Customers of all cohorts. */
function sizeOf(cells: Parameters<typeof total>[0]): number {
  return total(
    cells.filter((row) => row['months_since'] === 0),
    'cohort_size',
  )
}
