import { compare, type Identity, together } from '../check.ts'
import { asList, keyOf, keysOf, numberIn, sumsBy, total } from '../rows.ts'

/** I3: ARR is twelve times MRR, and MRR is the sum of its components. */
export const mrrAddsUp: Identity = {
  name: 'mrr_adds_up',
  description: 'ARR is twelve times MRR. MRR is its recurring component plus its usage component.',
  identities: ['I3'],
  unit: 'equations',
  queries: ['mrr.current', 'mrr.arr', 'mrr.components'],
  isGrouped: true,
  async holds(ask, { range: { end: at }, dimensions, filters }) {
    const spec = { dimensions: asList(dimensions), filters }
    const [levels, yearly] = await Promise.all([
      ask.rows('mrr.current', { at }, spec).then((rows) => sumsBy(rows, spec.dimensions, 'mrr')),
      ask.rows('mrr.arr', { at }, spec).then((rows) => sumsBy(rows, spec.dimensions, 'arr')),
    ])
    const components = await ask.rows('mrr.components', { at }, spec)
    const years = keysOf(levels, yearly).map((group) => ({
      id: group,
      what: `ARR of ${group}`,
      expected: 12 * (levels.get(group) ?? 0),
      actual: yearly.get(group) ?? 0,
    }))
    const parts = components.map((row) => ({
      id: keyOf(row, spec.dimensions),
      what: `components of ${keyOf(row, spec.dimensions)}`,
      expected: numberIn(row, 'mrr'),
      actual: total([row], 'subscription_mrr') + total([row], 'usage_mrr'),
    }))
    const added = sumsBy(components, spec.dimensions, 'mrr')
    const wholes = keysOf(levels, added).map((group) => ({
      id: group,
      what: `MRR of ${group}`,
      expected: levels.get(group) ?? 0,
      actual: added.get(group) ?? 0,
    }))
    return together(compare(years), compare(parts), compare(wholes))
  },
}
