import { dayBefore, dayStart } from '../../../core/periods.ts'
import type { Ask, Scope } from '../check.ts'
import { asList, sumsBy } from '../rows.ts'

/** MRR of each group just before the range and at its end. */
export async function levelsAround(ask: Ask, { range, dimensions, filters }: Scope) {
  const at = async (day: string) => {
    const rows = await ask.rows('mrr.current', { at: day }, { dimensions: asList(dimensions), filters })
    return sumsBy(rows, dimensions, 'mrr')
  }
  return { before: await at(dayBefore(dayStart(range.start))), after: await at(range.end) }
}
