import { compare, type Identity, together } from '../check.ts'
import { asList, byKey, keyOf, keysOf, numberIn, shareOf, total } from '../rows.ts'

const COUNTS = ['started', 'converted', 'expired', 'pending'] as const

/** I13: the outcomes of trials add up, and months add up to the range. */
export const trialsAddUp: Identity = {
  name: 'trials_add_up',
  description: 'Started trials are the converted, expired and pending ones. The months add up to the range.',
  identities: ['I13'],
  unit: 'equations',
  queries: ['trials.funnel', 'trials.series', 'trials.conversion_rate'],
  isGrouped: true,
  async holds(ask, { range, dimensions, filters }) {
    const by = asList(dimensions)
    const spec = { dimensions: by, filters }
    const funnel = await ask.rows('trials.funnel', { ...range }, spec)
    const series = await ask.rows('trials.series', { ...range, interval: 'month' }, spec)
    const rates = byKey(await ask.rows('trials.conversion_rate', { ...range }, spec), by)
    const inRows = [...funnel, ...series].flatMap((row) => {
      const id = [row['period'], keyOf(row, by)].filter((part) => part !== undefined).join(' ')
      const [started, converted] = [total([row], 'started'), total([row], 'converted')]
      return [
        {
          id,
          what: `started trials of ${id}`,
          expected: converted + total([row], 'expired') + total([row], 'pending'),
          actual: started,
        },
        { id, what: `conversion rate of ${id}`, expected: shareOf(converted, started), actual: numberIn(row, 'conversion_rate') },
      ]
    })
    const sums = COUNTS.map((count) => ({
      id: `trials.series ${count}`,
      what: `${count} trials of all months`,
      expected: total(funnel, count),
      actual: total(series, count),
    }))
    const counts = byKey(funnel, by)
    const same = keysOf(rates, counts).flatMap((group) => {
      const [own] = counts.get(group) ?? []
      return (['conversion_rate', 'started', 'converted'] as const).map((name) => ({
        id: `trials.conversion_rate ${group}`,
        what: `${name} of ${group} in the rate`,
        expected: numberIn(own, name),
        actual: numberIn(rates.get(group)?.[0], name),
      }))
    })
    return together(compare(inRows), compare(sums), compare(same))
  },
}
