import { dayBefore, dayOf, dayStart } from '../../../core/periods.ts'
import { compare, type Identity, together } from '../check.ts'
import { asList, keysOf, sumsBy } from '../rows.ts'

/** I4: the breakdown is the net movement of the series, and two adjacent ranges add up. */
export const breakdownIsNetChange: Identity = {
  name: 'breakdown_is_net_change',
  description: 'The movements of the range are the net movements of its months. The two halves of the range add up to the whole.',
  identities: ['I4'],
  unit: 'equations',
  queries: ['mrr.breakdown', 'mrr.series'],
  isGrouped: true,
  async holds(ask, { range, dimensions, filters }) {
    const spec = { dimensions: asList(dimensions), filters }
    const movements = async (days: typeof range) =>
      sumsBy(await ask.rows('mrr.breakdown', { ...days }, spec), spec.dimensions, 'amount_base')
    const whole = await movements(range)
    const monthly = sumsBy(await ask.rows('mrr.series', { ...range, interval: 'month' }, spec), spec.dimensions, 'amount_base')
    const net = keysOf(whole, monthly).map((group) => ({
      id: group,
      what: `net movement of ${group}`,
      expected: whole.get(group) ?? 0,
      actual: monthly.get(group) ?? 0,
    }))
    if (range.start === range.end) return compare(net)
    const middle = dayOf(new Date((dayStart(range.start).getTime() + dayStart(range.end).getTime()) / 2 + HALF_DAY))
    const first = await movements({ start: range.start, end: dayBefore(dayStart(middle)) })
    const second = await movements({ start: middle, end: range.end })
    const halves = keysOf(whole, first, second).map((group) => ({
      id: group,
      what: `movements of ${group} in both halves`,
      expected: whole.get(group) ?? 0,
      actual: (first.get(group) ?? 0) + (second.get(group) ?? 0),
    }))
    return together(compare(net), compare(halves))
  },
}

const HALF_DAY = 43_200_000
