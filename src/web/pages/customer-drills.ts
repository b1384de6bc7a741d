import { filteredTo, filtersOf, type Query, withParams } from '../api/question.ts'
import { type Row, textIn } from '../api/use-answer.ts'
import type { PageState } from '../controls/use-page.ts'
import { daysLater, formatDay, formatPeriod } from '../format/days.ts'
import type { Drill } from '../parts/drill.tsx'
import { BY_CUSTOMER } from './drills.ts'

const BY_PLAN = 'plan_id,product_name'

/** MRR of one customer by plan: at the end of a day, or current. */
export function mrrOfCustomer(row: Row, at?: string): Drill {
  return {
    title: `MRR of ${nameOf(row)}${at === undefined ? '' : ` at the end of ${formatDay(at)}`}`,
    question: {
      path: '/api/metrics/mrr',
      query: { filter: only(row), at, dimensions: BY_PLAN, order: '-mrr' },
    },
    sum: 'mrr',
  }
}

/** MRR of one customer on the day before a range. Undefined if the range has no first day. */
export function mrrBefore(row: Row, { start }: PageState['days']): Drill | undefined {
  return start === undefined ? undefined : mrrOfCustomer(row, daysLater(start, -1))
}

/** MRR movements of one customer in a range by plan. */
export function movementsOfCustomer(row: Row, span: Query): Drill {
  return {
    title: `Movements of ${nameOf(row)}`,
    question: {
      path: '/api/metrics/mrr/breakdown',
      query: {
        ...span,
        filter: only(row),
        dimensions: BY_PLAN,
        order: 'amount_base',
      },
    },
    sum: 'amount_base',
    why: true,
  }
}

/** Churned MRR of one customer in a range by plan. */
export function lossOfCustomer(row: Row, span: Query): Drill {
  const filter = [...only(row), 'movement_type=churn']
  return {
    title: `Churned MRR of ${nameOf(row)}`,
    question: {
      path: '/api/metrics/mrr/breakdown',
      query: { ...span, filter, dimensions: BY_PLAN, order: 'amount_base' },
    },
    sum: 'amount_base',
  }
}

/** Usage revenue of one customer by plan. */
export function usageOfCustomer(row: Row, span: Query): Drill {
  return {
    title: `Usage revenue of ${nameOf(row)}`,
    question: {
      path: '/api/metrics/usage-revenue',
      query: {
        ...span,
        filter: only(row),
        dimensions: BY_PLAN,
        order: '-revenue',
      },
    },
    sum: 'revenue',
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

/** Revenue of a cohort in a range by customer. */
export function paidByCohort(audience: Query, span: Query, row: Row): Drill | undefined {
  const cohort = textIn(row, 'cohort_month')
  if (cohort === null) return undefined
  const filter = filteredTo(filtersOf(audience), 'cohort_month', cohort)
  const question = {
    path: '/api/metrics/ltv/cohort',
    query: { ...audience, ...span, filter },
  } as const
  return {
    title: `Revenue from the ${formatPeriod(cohort, 'month')} cohort`,
    question: withParams(question, {
      dimensions: BY_CUSTOMER,
      order: '-total_revenue',
    }),
    // The answer has a row for each month and customer. The customer counts in one of them.
    only: { cohort_month: cohort, customer_count: '1' },
    fields: ['customer_name', 'total_revenue'],
    sum: 'total_revenue',
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
