import { isoInstant } from '../../core/periods.ts'
import { integerCell } from '../../ports/cells.ts'
import { CUSTOMER_DIMENSIONS } from '../../query/dimensions/customer.ts'
import { LOGO_REASON_DIMENSION } from '../../query/dimensions/movement.ts'
import { rangeTime } from '../../query/request.ts'
import type { MetricContext } from '../readings/context.ts'
import { checkSize } from '../readings/groups.ts'
import { ratioPeriods } from '../readings/periods.ts'
import { matchedChurn, readMembers, readRevenue, withoutEvents } from './rates.ts'

const BY_CUSTOMER = CUSTOMER_DIMENSIONS.filter(({ key }) => key !== 'customer_country')

/** One row per customer live just before the range (D42), by id. */
export async function readDetail(context: MetricContext) {
  const periods = ratioPeriods(rangeTime(context.request))
  const members = await readMembers(context, periods, [...BY_CUSTOMER, LOGO_REASON_DIMENSION])
  checkSize(context, members.length)
  const amounts = await amountsByCustomer(withoutEvents(context), true)
  return members.map(({ row, values }) => {
    const [customer_id = null, customer_name = null, reason = null] = values
    const left = matchedChurn(row)
    const amount = amounts.get(String(customer_id))
    return {
      order: [customer_id],
      keys: { customer_id, customer_name },
      values: [],
      measures: {
        active_at_start: true,
        fully_churned: left !== null && integerCell(row, 'stays_live') === 0,
        churned_at: left === null ? null : isoInstant(left),
        cancel_reason: left === null || reason === null ? null : String(reason),
        churned_mrr_cents: Math.abs(amount?.lost ?? 0),
        starting_mrr_cents: amount?.start ?? 0,
      },
    }
  })
}

/** One row per customer of the start cohort that lost MRR by churn (D44), largest loss first. */
export async function readRevenueEvents(context: MetricContext) {
  const amounts = [...(await amountsByCustomer(context, false)).values()]
  return amounts
    .filter(({ events }) => events > 0)
    .map(({ customer_id, customer_name, lost, events }) => ({
      order: [-lost, customer_id],
      keys: { customer_id, customer_name },
      values: [],
      measures: { mrr_cents: lost, events },
    }))
}

interface CustomerAmounts {
  readonly customer_id: string
  readonly customer_name: string | null
  readonly start: number
  readonly lost: number
  readonly events: number
}

async function amountsByCustomer(context: MetricContext, isEverybody: boolean): Promise<ReadonlyMap<string, CustomerAmounts>> {
  const cells = await readRevenue(context, ratioPeriods(rangeTime(context.request)), BY_CUSTOMER, isEverybody)
  const sums = new Map<string, CustomerAmounts>()
  for (const { values, start, lost, events } of cells) {
    const customer_id = String(values[0])
    const known = sums.get(customer_id) ?? { start: 0, lost: 0, events: 0 }
    const customer_name = values[1] === null || values[1] === undefined ? null : String(values[1])
    sums.set(customer_id, {
      customer_id,
      customer_name,
      start: known.start + start,
      lost: known.lost + lost,
      events: known.events + events,
    })
  }
  return sums
}
