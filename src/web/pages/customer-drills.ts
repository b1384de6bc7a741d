import type { Query } from '../api/question.ts'
import { type Row, textIn } from '../api/use-answer.ts'
import { formatDay, formatPeriod } from '../format/days.ts'
import { labelOf } from '../format/labels.ts'
import type { Drill } from '../parts/drill.tsx'
import { rowsBehind, withFirst } from '../parts/rows-behind.ts'

/** MRR of one customer: at the end of a day, or current. */
export function mrrOfCustomer(row: Row, at?: string): Drill {
  return {
    title: `MRR of ${nameOf(row)}${at === undefined ? '' : ` at the end of ${formatDay(at)}`}`,
    ...rowsBehind('mrr', { filter: only(row), at }, ['mrr']),
  }
}

/** MRR movements of one kind of a customer in a range. */
export function movementsOfCustomer(row: Row, span: Query): Drill {
  const movement_type = textIn(row, 'movement_type') ?? ''
  return {
    title: `Movements of ${nameOf(row)}`,
    ...rowsBehind('mrr', { ...span, query_type: 'breakdown', filter: only(row), movement_type }, ['amount_base']),
  }
}

/** A number of a list of customers that churned or lost MRR. */
export function lossOfCustomer(row: Row, query_type: 'detail' | 'revenue_events', query: Query, field: string): Drill {
  const group = [`customer_id=${idOf(row)}`]
  return { title: `${labelOf(field)} of ${nameOf(row)}`, ...rowsBehind('churn', { ...query, query_type, group }, [field]) }
}

/** Usage revenue of one customer. */
export function usageOfCustomer(row: Row, query: Query): Drill {
  const group = [`customer_id=${idOf(row)}`]
  return {
    title: `Usage revenue of ${nameOf(row)}`,
    ...rowsBehind('usage_revenue', { ...query, query_type: 'by_customer', group }, ['revenue']),
  }
}

/** The current subscriptions of one customer. */
export function subscriptionsOfCustomer(row: Row): Drill {
  return {
    title: `Subscriptions of ${nameOf(row)}`,
    question: { path: '/api/subscriptions', query: { customer_id: idOf(row) } },
    fields: ['plan_name', 'status', 'quantity', 'started_at', 'ended_at', 'mrr_base_cents'],
  }
}

/** Customers of a cohort and the revenue from them in a range. */
export function paidByCohort(query: Query, row: Row, field: string): Drill | undefined {
  const cohort_month = textIn(row, 'cohort_month')
  if (cohort_month === null) return undefined
  return {
    title: `${labelOf(field)}, ${formatPeriod(cohort_month, 'month')} cohort`,
    ...rowsBehind('ltv', { ...query, query_type: 'cohort', cohort_month }, withFirst(['total_revenue', 'customer_count'], field)),
  }
}

// Most rows name the customer in `customer_id`, but the list of customers uses `id`.
function idOf(row: Row): string {
  return textIn(row, 'customer_id') ?? textIn(row, 'id') ?? ''
}

function nameOf(row: Row): string {
  return textIn(row, 'customer_name') ?? textIn(row, 'name') ?? `customer ${idOf(row).slice(0, 8)}`
}

function only(row: Row): readonly string[] {
  return [`customer_id=${idOf(row)}`]
}
