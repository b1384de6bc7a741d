import { type Check, compare, DETAILED } from '../check.ts'
import { withinBudget } from '../parts.ts'
import { numberIn } from '../rows.ts'

const QUERY = 'mrr.current'

/** I6: the filter by a value gives the row of this value. */
export const filterGivesGroup: Check = {
  name: 'filter_gives_group',
  description: 'MRR filtered by a value is the row of this value in MRR grouped by it. One value of each dimension is tried.',
  identities: ['I6'],
  unit: 'filters',
  run: (context) =>
    context.inSnapshot((ask) => {
      const at = context.range.end
      const dimensions = context.dimensionsOf([QUERY]).filter((key) => !DETAILED.includes(key))
      return withinBudget(dimensions, context, async (dimension) => {
        const rows = await ask.rows(QUERY, { at }, { dimensions: [dimension] })
        // The largest group tells most.
        const [largest] = rows.toSorted((a, b) => Math.abs(Number(b['mrr'])) - Math.abs(Number(a['mrr'])))
        const value = largest?.[dimension]
        if (largest === undefined || value === undefined) return { count: 0, faults: [] }
        const filters = { [dimension]: value === null ? { is_empty: true } : value }
        const [row] = await ask.rows(QUERY, { at }, { dimensions: [dimension], filters })
        const id = `${dimension} ${value ?? 'null'}`
        return compare([
          { id, what: `MRR filtered by ${id}`, expected: numberIn(largest, 'mrr'), actual: numberIn(row, 'mrr') ?? 0 },
        ])
      })
    }),
}
