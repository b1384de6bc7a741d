import { compare, type Identity, together } from '../check.ts'
import { asList, byKey, keyOf, keysOf, numberIn, total } from '../rows.ts'

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
      ask.rows('mrr.current', { at }, spec).then((rows) => byKey(rows, spec.dimensions)),
      ask.rows('mrr.arr', { at }, spec).then((rows) => byKey(rows, spec.dimensions)),
    ])
    const components = await ask.rows('mrr.components', { at }, spec)
    const years = keysOf(levels, yearly).map((group) => ({
      id: group,
      what: `ARR of ${group}`,
      expected: 12 * total(levels.get(group) ?? [], 'mrr'),
      actual: total(yearly.get(group) ?? [], 'arr'),
    }))
    const parts = components.map((row) => ({
      id: keyOf(row, spec.dimensions),
      what: `components of ${keyOf(row, spec.dimensions)}`,
      expected: numberIn(row, 'mrr'),
      actual: total([row], 'subscription_mrr') + total([row], 'usage_mrr'),
    }))
    const wholes = keysOf(levels, byKey(components, spec.dimensions)).map((group) => ({
      id: group,
      what: `MRR of ${group}`,
      expected: total(levels.get(group) ?? [], 'mrr'),
      actual: total(byKey(components, spec.dimensions).get(group) ?? [], 'mrr'),
    }))
    return together(compare(years), compare(parts), compare(wholes))
  },
}
