import { AppError } from '../../../core/errors.ts'
import { type Ask, type Check, compare, type Found, type Scope } from '../check.ts'
import { keysOf, sumsBy } from '../rows.ts'
import { levelsAround } from './levels-around.ts'

/** I1: the movements of each customer are the change of the customer's MRR. */
export const movementsExplainCustomers: Check = {
  name: 'movements_explain_customers',
  description: 'For each customer, MRR before the range plus the movements of the range is MRR at its end.',
  identities: ['I1'],
  unit: 'customers',
  run: ({ range, inSnapshot }) =>
    inSnapshot(async (ask) => {
      const by = (dimension: string) => changesAddUp(ask, { range, dimensions: [dimension], filters: {} })
      try {
        return await by('customer_id')
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'result_too_large') throw error
        return { ...(await by('source')), remark: 'by source, because one answer cannot hold all customers' }
      }
    }),
}

/** Level before plus movements is level after, in each group of a dimension that never changes. */
export async function changesAddUp(ask: Ask, scope: Scope): Promise<Found> {
  const { range, dimensions, filters } = scope
  const { before, after } = await levelsAround(ask, scope)
  const moved = sumsBy(await ask.rows('mrr.breakdown', { ...range }, { dimensions, filters }), dimensions, 'amount_base')
  return compare(
    keysOf(before, after, moved).map((group) => ({
      id: group.replace(/^customer_id /, ''),
      what: `MRR on ${range.end} of ${group}`,
      expected: (before.get(group) ?? 0) + (moved.get(group) ?? 0),
      actual: after.get(group) ?? 0,
    })),
  )
}
