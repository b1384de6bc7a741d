import { sql } from '../../compiler/fragment.ts'
import { BEGINNING } from '../../core/periods.ts'
import { rangeTime } from '../../query/request.ts'
import { compileScope } from '../../query/scope.ts'
import { ratioOf, sumOf } from '../formula.ts'
import { amountsOf, type CellContext } from '../readings/counted.ts'
import { bucketed, defineFact } from '../readings/fact.ts'
import { movementFact, windowOf } from '../readings/facts.ts'
import { bucketStep } from '../readings/periods.ts'

/** New customers of each period, with their first MRR (D96). A row is a customer. */
const SALE = defineFact({
  statement: (context, { dimensions }) => {
    const { from, to, interval } = rangeTime(context.request)
    const scope = compileScope(dimensions, context.request.conditions, movementFact(context))
    return {
      template: 'ltv/sale_price',
      slots: scope.slots,
      params: { start: from, end: to, step: bucketStep(interval) },
      window: windowOf(scope, { from: BEGINNING, to }),
    }
  },
  periodOf: bucketed,
  gaps: 'within',
  sums: {
    customers: { unit: 'count', column: 'customer_count', rows: () => ({ fact: SOLD, measure: { amount: sql`1` } }) },
    mrr: {
      unit: 'cents',
      column: { base: 'amount_base_sum', original: 'amount_sum' },
      rows: (cell: CellContext) => ({ fact: SOLD, measure: { ...amountsOf(cell), fixed_on: sql`fixed_on` } }),
    },
  },
})

const SOLD = {
  customer_key: sql`fact.customer_key`,
  currency: sql`fact.currency`,
  plan: sql`fact.plan`,
  occurred_at: sql`fact.occurred_at`,
}

const new_customers = sumOf(SALE, 'customers')
const new_customer_mrr = sumOf(SALE, 'mrr')

/** Average first MRR of new customers, and its parts (D96). */
export const SALE_PRICE = { average_sale_price: ratioOf(new_customer_mrr, new_customers, 2), new_customer_mrr, new_customers }
