import { type Check, compare, together } from '../check.ts'
import { total } from '../rows.ts'

/** The field of the segment: each customer has at most one value. */
const FIELD = 'currency'

/** I7, I8: a segment and its complement add up, and a comparison is a filter. */
export const segmentSplitsTotal: Check = {
  name: 'segment_splits_total',
  description: 'A segment and its complement add up to the total. The comparison of a segment is the filter by it.',
  identities: ['I7', 'I8'],
  unit: 'equations',
  run: ({ range, inSnapshot }) =>
    inSnapshot(async (ask) => {
      const levels = await ask.rows('mrr.current', { at: range.end }, { dimensions: [FIELD] })
      const [largest] = levels.filter((row) => row[FIELD] !== null).toSorted((a, b) => Number(b['mrr']) - Number(a['mrr']))
      const value = largest?.[FIELD]
      if (value === undefined || value === null) return { count: 0, faults: [] }
      const segmentOf = (...conditions: readonly object[]) => JSON.stringify({ root: { op: 'or', conditions } })
      const inside = segmentOf({ field: FIELD, op: '=', value })
      const outside = segmentOf({ field: FIELD, op: '!=', value }, { field: FIELD, op: 'is_empty' })
      const sums = async (spec: Readonly<Record<string, unknown>>) => ({
        mrr: total(await ask.rows('mrr.current', { at: range.end }, { dimensions: ['source'], ...spec }), 'mrr'),
        customers: total(await ask.rows('ltv.arpu', { at: range.end }, { dimensions: ['source'], ...spec }), 'active_customers'),
      })
      const [whole, some, others, compared] = [
        await sums({}),
        await sums({ segment: inside }),
        await sums({ segment: outside }),
        await sums({ compare: [inside] }),
      ]
      const names = ['mrr', 'customers'] as const
      return together(
        compare(
          names.map((name) => ({
            id: name,
            what: `${name} of a segment and its complement`,
            expected: whole[name],
            actual: some[name] + others[name],
          })),
        ),
        compare(
          names.map((name) => ({
            id: name,
            what: `${name} of a compared segment`,
            expected: some[name],
            actual: compared[name],
          })),
        ),
      )
    }),
}
