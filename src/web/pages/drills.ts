import { filteredTo, filtersOf, type Query, type Question, withParams } from '../api/question.ts'
import type { Row } from '../api/use-answer.ts'
import { ANY_VALUE } from '../controls/panel.ts'
import type { Days } from '../controls/ranges.ts'
import type { PageState } from '../controls/use-page.ts'
import { formatDay, formatDays, formatPeriod, lastDayOf, type Step } from '../format/days.ts'
import { labelOf } from '../format/labels.ts'
import type { Drill } from '../parts/drill.tsx'
import { narrowToGroups } from '../parts/drill-groups.ts'

/** Dimensions that list an answer by customer. */
export const BY_CUSTOMER = 'customer_id,customer_name'

/** The parts of a page's state that the questions below need. */
type DrillScope = Pick<PageState, 'audience' | 'days' | 'step' | 'range'>

// A range after today is a forecast, and so are its days.
function aheadOf({ range: { forecast } }: Pick<PageState, 'range'>): Query {
  return forecast === undefined ? {} : { forecast }
}

/** The days of a period that are in the range. */
export function spanOf(period: string, step: Step, days: Days): { readonly start: string; readonly end: string } {
  const last = lastDayOf(period, step)
  return { start: days.start !== undefined && days.start > period ? days.start : period, end: last < days.end ? last : days.end }
}

/** The days of a period that are in the range, in words. A period that the range contains has its own name, such as “Q3 2026”. */
export function periodName(period: string, step: Step, days: Days): string {
  const { start, end } = spanOf(period, step, days)
  return start === period && end === lastDayOf(period, step) ? formatPeriod(period, step) : formatDays(start, end)
}

/** MRR at the end of a period by customer. */
export function mrrDrill(scope: DrillScope, period: string, audience: Query): Drill {
  const { end } = spanOf(period, scope.step, scope.days)
  return {
    title: `MRR at the end of ${formatDay(end)}`,
    question: {
      path: '/api/metrics/mrr',
      query: { ...audience, at: end, ...aheadOf(scope), dimensions: BY_CUSTOMER, order: '-mrr' },
    },
    sum: 'mrr',
  }
}

/** Usage MRR at the end of a period by customer. */
export function usageMrrDrill(scope: DrillScope, period: string): Drill {
  const { end } = spanOf(period, scope.step, scope.days)
  return {
    title: `Usage MRR at the end of ${formatDay(end)}`,
    question: {
      path: '/api/metrics/mrr/components',
      query: { ...scope.audience, at: end, ...aheadOf(scope), dimensions: BY_CUSTOMER, order: '-usage_mrr' },
    },
    sum: 'usage_mrr',
  }
}

const GAINS = ['new', 'expansion', 'reactivation']

/** Movements of a period by customer, largest first: of one type, or of all types with a summary in sentences. */
export function movementDrill(scope: DrillScope, period: string, audience: Query, type?: string): Drill {
  const { days, step } = scope
  return movementsOf({ ...spanOf(period, step, days), ...aheadOf(scope) }, periodName(period, step, days), audience, type)
}

/** Movements of any range of days by customer. */
export function movementsOf(span: Query, when: string, audience: Query, type?: string): Drill {
  const filters = filtersOf(audience)
  const filter = type === undefined ? filters : filteredTo(filters, 'movement_type', type)
  const name = type === undefined ? 'Movements' : labelOf(type)
  const order = type !== undefined && GAINS.includes(type) ? '-amount_base' : 'amount_base'
  return {
    title: `${name} in ${when}`,
    question: {
      path: '/api/metrics/mrr/breakdown',
      query: { ...audience, ...span, filter, dimensions: type === undefined ? `${BY_CUSTOMER},plan_id` : BY_CUSTOMER, order },
    },
    sum: 'amount_base',
    ...(type === undefined && span['forecast'] === undefined ? { why: true } : {}),
  }
}

/** Current MRR of subscriptions that are cancelled and have not ended. */
export function atRisk(audience: Query, dimensions: string): Question {
  const filter = filteredTo(filtersOf(audience), 'pending_cancellation', 'true')
  return { path: '/api/metrics/mrr', query: { ...audience, filter, dimensions, order: '-mrr' } }
}

/** MRR at risk of one plan by customer. */
export function riskDrill(audience: Query, row: Row): Drill {
  const drill: Drill = { title: 'MRR at risk', question: atRisk(audience, BY_CUSTOMER), sum: 'mrr' }
  return narrowToGroups(drill, ['plan_id'], row)
}

/** Customers that churned in a range, or MRR that churned. */
export function lossDrill(type: 'logo' | 'revenue', audience: Query, span: Query, when: string): Drill {
  if (type === 'revenue')
    return {
      title: `Churned MRR in ${when}`,
      question: { path: '/api/metrics/churn/revenue-events', query: { ...audience, ...span } },
      sum: 'mrr_cents',
    }
  const { fields, question } = activeAtStart(audience, span, when)
  return {
    title: `Customers that churned in ${when}`,
    // Churned customers come first, so the first rows of the list include them.
    question: withParams(question, { limit: MOST_CHURNED }),
    fields,
    only: { churned_at: ANY_VALUE },
    sum: 'churned_mrr_cents',
  }
}

const MOST_CHURNED = 1_000

/** Customers active at the start of a range, those that churned first. */
export function activeAtStart(audience: Query, span: Query, when: string) {
  return {
    title: `Customers active at the start of ${when}, churned first`,
    question: {
      path: '/api/metrics/churn/customers',
      query: { ...audience, ...span, order: '-churned_at,-churned_mrr_cents' },
    },
    fields: ['customer_name', 'churned_at', 'cancel_reason', 'churned_mrr_cents', 'starting_mrr_cents'],
    note: 'Customers with a date under “Churned on” churned.',
  } satisfies Drill
}

/** Net or gross retention of a period by customer. */
export function retentionDrill({ days, step, audience }: DrillScope, period: string, type: 'nrr' | 'grr'): Drill {
  return {
    title: `${labelOf(type)} in ${periodName(period, step, days)} by customer`,
    question: {
      path: '/api/metrics/retention',
      query: {
        ...audience,
        ...spanOf(period, step, days),
        query_type: type,
        dimensions: BY_CUSTOMER,
        order: 'retention_rate,-start_mrr',
      },
    },
  }
}

/** Trials that started in a period by customer. */
export function trialDrill({ days, step, audience }: DrillScope, period: string): Drill {
  return {
    title: `Trials started in ${periodName(period, step, days)}`,
    question: { path: '/api/metrics/trials', query: { ...audience, ...spanOf(period, step, days), dimensions: BY_CUSTOMER } },
    fields: ['customer_name', 'started', 'converted', 'expired'],
    sum: 'started',
  }
}

/** Usage revenue of a period by customer. */
export function usageDrill({ days, step, audience }: DrillScope, period: string): Drill {
  return {
    title: `Usage revenue in ${periodName(period, step, days)}`,
    question: { path: '/api/metrics/usage-revenue/by-customer', query: { ...audience, ...spanOf(period, step, days) } },
    sum: 'revenue',
  }
}

/** Expense lines of a range, for an account type, vendor or class. */
export function expenseDrill(
  span: { readonly start?: string | undefined; readonly end: string },
  title: string,
  filter: readonly string[],
): Drill {
  return {
    title,
    question: { path: '/api/expenses/lines', query: { ...span, filter } },
    fields: ['txn_date', 'vendor_name', 'account_name', 'description', 'amount_base_cents'],
    sum: 'amount_base_cents',
  }
}
