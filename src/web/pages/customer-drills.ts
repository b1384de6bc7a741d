import { filteredTo, filtersOf, type Query, withParams } from '../api/question.ts'
import { type Row, textIn } from '../api/use-answer.ts'
import type { PageState } from '../controls/use-page.ts'
import { daysLater, formatDay, formatPeriod } from '../format/days.ts'
import type { Drill } from '../parts/drill.tsx'
import { BY_CUSTOMER } from './drills.ts'

const BY_PLAN = 'plan_id,product_name'

/** What one customer pays, plan by plan: at the end of a day, or now. */
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

/** What one customer paid before the first of some days; without a first day there is no before. */
export function mrrBefore(row: Row, { start }: PageState['days']): Drill | undefined {
  return start === undefined ? undefined : mrrOfCustomer(row, daysLater(start, -1))
}

/** What moved the MRR of one customer in some days, plan by plan. */
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
    why: { ...span, filter: only(row) },
  }
}

/** MRR that one customer lost by churn in some days, plan by plan. */
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

/** Usage that one customer was billed for, plan by plan. */
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

/** The subscriptions of one customer as they are now. */
export function subscriptionsOfCustomer(row: Row): Drill {
  return {
    title: `Subscriptions of ${nameOf(row)}`,
    question: { path: '/api/subscriptions', query: { customer_id: idOf(row) } },
    fields: ['plan_name', 'status', 'quantity', 'started_at', 'ended_at', 'mrr_base_cents'],
  }
}

/** What the customers of a cohort paid in some days, customer by customer. */
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
    fields: ['customer_name', 'total_revenue'],
    sum: 'total_revenue',
  }
}

// Rows about customers name them in a column of their own; the list of customers is about nothing else.
function idOf(row: Row): string {
  return textIn(row, 'customer_id') ?? textIn(row, 'id') ?? ''
}

function nameOf(row: Row): string {
  return textIn(row, 'customer_name') ?? textIn(row, 'name') ?? `customer ${idOf(row).slice(0, 8)}`
}

function only(row: Row): readonly string[] {
  return [`customer_id=${idOf(row)}`]
}
