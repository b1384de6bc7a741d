import { sql } from '../../compiler/fragment.ts'
import { compileScope } from '../../query/scope.ts'
import { ratioOf, sumOf } from '../formula.ts'
import { type CellContext, justBefore, OF_SUBSCRIPTION } from '../readings/counted.ts'
import { axisOf, defineFact, numberedBy } from '../readings/fact.ts'
import { levelFact, windowOf } from '../readings/facts.ts'
import { instantRelation } from '../readings/periods.ts'

/** MRR and paying customers just before the end of each period (D49). */
const PAYING = defineFact({
  statement: (context, { periods, dimensions }) => {
    const { conditions, unit } = context.request
    const instants = periods.map(({ to }) => to)
    const [start = context.now, end = start] = [instants[0], instants.at(-1)]
    const scope = compileScope(dimensions, conditions, levelFact(context, sql`instant.ends_before`))
    return {
      template: 'ltv/arpu',
      slots: scope.slots,
      params: { start, end, unit },
      window: windowOf(scope, { from: start, to: end }),
      inline: [instantRelation(instants)],
    }
  },
  periodOf: numberedBy('instant_index'),
  gaps: 'at_end',
  sums: {
    /** A row is the span of a subscription. */
    mrr: { unit: 'cents', column: 'mrr_sum', rows: spanRows },
    /** A row is a customer with MRR above 0. */
    payers: {
      unit: 'count',
      column: 'payer_count',
      rows: (cell) => {
        const {
          fact: { subscription_id: _, ...fact },
          measure: { after_at: __, ...measure },
        } = spanRows(cell)
        return { fact, measure, total: sql`case when sum(amount) > 0 then 1 else 0 end` }
      },
    },
  },
})

function spanRows(cell: CellContext) {
  const { periods } = axisOf(cell)
  const after_at = justBefore(periods.at(-1)?.to ?? cell.now, cell)
  return { fact: OF_SUBSCRIPTION, measure: { amount: sql`amount`, fixed_on: sql`fixed_on`, after_at } }
}

const mrr = sumOf(PAYING, 'mrr')
const active_customers = sumOf(PAYING, 'payers')

/** MRR per paying customer, and its parts (D49). */
export const ARPU = { arpu: ratioOf(mrr, active_customers, 2), mrr, active_customers }
