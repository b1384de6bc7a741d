import { compare, type Identity, together } from '../check.ts'
import { byKey, keyOf, keysOf, numberIn } from '../rows.ts'
import { levelsAround } from './levels-around.ts'

const PARTS = ['new', 'expansion', 'contraction', 'churn', 'reactivation', 'transfer', 'fx_effect'] as const

/** I2: each month of the MRR bridge closes, in each group, and the months join. */
export const waterfallCloses: Identity = {
  name: 'waterfall_closes',
  description:
    'Starting MRR plus all movements is ending MRR, in each month and group. A month starts where the month before ended. The ends are the MRR of these days.',
  identities: ['I2'],
  unit: 'equations',
  queries: ['mrr.waterfall', 'mrr.current'],
  isGrouped: true,
  async holds(ask, { range, dimensions, filters }) {
    const rows = await ask.rows('mrr.waterfall', { ...range, interval: 'month' }, { dimensions, filters })
    const { before, after } = await levelsAround(ask, { range, dimensions, filters })
    const groups = byKey(rows, dimensions)
    const closing = rows.map((row) => ({
      id: `${keyOf(row, dimensions)} ${row['month']}`,
      what: `ending MRR of ${row['month']}, ${keyOf(row, dimensions)}`,
      expected: PARTS.reduce((sum, part) => sum + (numberIn(row, part) ?? 0), numberIn(row, 'starting_mrr') ?? 0),
      actual: numberIn(row, 'ending_mrr'),
    }))
    const joints = [...groups].flatMap(([group, months]) =>
      months.slice(1).map((month, index) => ({
        id: `${group} ${month['month']}`,
        what: `starting MRR of ${month['month']}, ${group}`,
        expected: numberIn(months[index], 'ending_mrr'),
        actual: numberIn(month, 'starting_mrr'),
      })),
    )
    const ends = keysOf(groups, before, after).flatMap((group) => {
      const months = groups.get(group) ?? []
      return [
        {
          id: group,
          what: `MRR before ${range.start}, ${group}`,
          expected: before.get(group) ?? 0,
          actual: numberIn(months[0], 'starting_mrr') ?? 0,
        },
        {
          id: group,
          what: `MRR on ${range.end}, ${group}`,
          expected: after.get(group) ?? 0,
          actual: numberIn(months.at(-1), 'ending_mrr') ?? 0,
        },
      ]
    })
    const last =
      rows.length === 0 || dimensions.length > 0
        ? {}
        : { expected: after.get('all') ?? 0, actual: numberIn(rows.at(-1), 'ending_mrr') ?? 0 }
    return { ...together(compare(closing), compare(joints), compare(ends)), ...last }
  },
}
