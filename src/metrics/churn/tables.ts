import { isoInstant } from '../../core/periods.ts'
import { integerCell, textCell } from '../../ports/cells.ts'
import { dimensionValue } from '../../query/dimension-value.ts'
import { CUSTOMER_DIMENSIONS } from '../../query/dimensions/customer.ts'
import { LOGO_REASON_DIMENSION } from '../../query/dimensions/movement.ts'
import { readNumbers } from '../formula.ts'
import type { MetricContext } from '../readings/context.ts'
import { axisOf } from '../readings/fact.ts'
import { checkSize } from '../readings/groups.ts'
import { LOST, logoRun, OF_ALL } from './facts.ts'

const BY_CUSTOMER = CUSTOMER_DIMENSIONS.filter(({ key }) => key !== 'customer_country')

/** One row per customer live just before the range (D42), by id. */
export async function readDetail(context: MetricContext) {
  const dimensions = [...BY_CUSTOMER, LOGO_REASON_DIMENSION]
  const { periods } = axisOf(context)
  const members = periods.length === 0 ? [] : await context.run(logoRun(context, { periods, dimensions }))
  checkSize(context, members.length)
  const sums = await readNumbers(context, OF_ALL, { periods, dimensions: BY_CUSTOMER })
  const amounts = new Map(sums.map(({ values: [customer_id], measures: [amount] }) => [customer_id, amount]))
  return members.map((row) => {
    const [customer_id = null, customer_name = null, reason = null] = dimensions.map((field) => dimensionValue(row, field))
    // The first churn in the range, if it matches the filters on events.
    const left = integerCell(row, 'event_matched') === 1 ? textCell(row, 'first_left_at') : null
    const amount = amounts.get(customer_id)
    return {
      order: [customer_id],
      keys: { customer_id, customer_name },
      values: [],
      measures: {
        active_at_start: true,
        fully_churned: left !== null && integerCell(row, 'stays_live') === 0,
        churned_at: left === null ? null : isoInstant(left),
        cancel_reason: left === null || reason === null ? null : String(reason),
        churned_mrr_cents: Math.abs(amount?.churned_mrr_cents ?? 0),
        starting_mrr_cents: amount?.starting_mrr_cents ?? 0,
      },
    }
  })
}

/** One row per customer of the start cohort that lost MRR by churn (D44), largest loss first. */
export async function readRevenueEvents(context: MetricContext) {
  const customers = await readNumbers(context, LOST, { ...axisOf(context), dimensions: BY_CUSTOMER })
  return customers.flatMap(({ values: [customer_id = null, customer_name = null], measures: [lost] }) =>
    lost === undefined || lost.events === 0
      ? []
      : [
          {
            order: [-lost.mrr_cents, customer_id],
            keys: { customer_id, customer_name },
            values: [],
            measures: lost,
          },
        ],
  )
}
