import { integerCell } from '../../query/cells.ts'
import { LOGO_REASON_DIMENSION } from '../../query/dimensions/churn.ts'
import { CUSTOMER_DIMENSIONS } from '../../query/dimensions/customer.ts'
import { compareValues } from '../../query/order.ts'
import { rangeTime } from '../../query/request.ts'
import type { AnswerRow, MetricContext, MetricResult } from '../define-metric.ts'
import { checkSize } from '../rows.ts'
import { ratioPeriods } from '../start-scope.ts'
import { matchedChurn, readMembers } from './logo.ts'
import { isEventField } from './offers.ts'
import { readRevenue } from './revenue.ts'

const BY_CUSTOMER = CUSTOMER_DIMENSIONS.filter(({ key }) => key !== 'customer_country')

const DETAIL_COLUMNS = [
  'customer_id',
  'customer_name',
  'active_at_start',
  'fully_churned',
  'churned_at',
  'cancel_reason',
  'churned_mrr_cents',
  'starting_mrr_cents',
]

/** One row per customer live just before the range (D42), by id. */
export async function answerDetail(context: MetricContext): Promise<MetricResult> {
  const periods = ratioPeriods(rangeTime(context.request))
  const members = await readMembers(context, periods, [...BY_CUSTOMER, LOGO_REASON_DIMENSION])
  checkSize(context, members.length)
  const amounts = await amountsByCustomer(withoutEvents(context), true)
  const rows = members.map(({ row, values }): AnswerRow => {
    const [customer_id = null, customer_name = null, reason = null] = values
    const left = matchedChurn(row)
    const amount = amounts.get(String(customer_id))
    return {
      customer_id,
      customer_name,
      active_at_start: true,
      fully_churned: left !== null && integerCell(row, 'stays_live') === 0,
      churned_at: left === null ? null : isoInstant(left),
      cancel_reason: left === null ? null : reason,
      churned_mrr_cents: Math.abs(amount?.lost ?? 0),
      starting_mrr_cents: amount?.start ?? 0,
    }
  })
  rows.sort((a, b) => compareValues(a['customer_id'] ?? null, b['customer_id'] ?? null))
  return { kind: 'rows', columns: DETAIL_COLUMNS, rows }
}

/** One row per customer of the start cohort that lost MRR by churn (D44), largest loss first. */
export async function answerRevenueEvents(context: MetricContext): Promise<MetricResult> {
  const rows = [...(await amountsByCustomer(context, false)).values()]
    .filter(({ events }) => events > 0)
    .sort((a, b) => b.lost - a.lost || compareValues(a.customer_id, b.customer_id))
    .map(({ customer_id, customer_name, lost, events }) => ({ customer_id, customer_name, mrr_cents: lost, events }))
  checkSize(context, rows.length)
  return { kind: 'rows', columns: ['customer_id', 'customer_name', 'mrr_cents', 'events'], rows }
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

// Filters on events choose the churn that a row shows; its amounts are those of the whole range.
function withoutEvents(context: MetricContext): MetricContext {
  const conditions = context.request.conditions.filter(({ field }) => !isEventField(field))
  return { ...context, request: { ...context.request, conditions } }
}

// `YYYY-MM-DD HH:MM:SS` of the executors as the instant of an answer.
function isoInstant(text: string): string {
  return `${text.slice(0, 19).replace(' ', 'T')}.000Z`
}
