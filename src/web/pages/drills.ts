import { filteredTo, filtersOf, type Query, type Question } from '../api/question.ts'
import type { Row } from '../api/use-answer.ts'
import type { Days } from '../controls/ranges.ts'
import type { PageState } from '../controls/use-page.ts'
import type { Window } from '../controls/windows.ts'
import { formatDay, formatDays, formatPeriod, lastDayOf, type Step } from '../format/days.ts'
import { labelOf } from '../format/labels.ts'
import type { Drill } from '../parts/drill.tsx'
import { narrowToGroups } from '../parts/drill-groups.ts'
import { rowsBehind, withFirst } from '../parts/rows-behind.ts'
import { partsOf } from './explore-figures.ts'

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

/** MRR at the end of a period. */
export function mrrDrill(scope: DrillScope, period: string, audience: Query): Drill {
  const { end } = spanOf(period, scope.step, scope.days)
  return {
    title: `MRR at the end of ${formatDay(end)}`,
    ...rowsBehind('mrr', { ...audience, at: end, ...aheadOf(scope) }, ['mrr']),
  }
}

/** MRR on a day. Each paid subscription has a row. */
export function paidSubscriptions(audience: Query, { name, query }: Pick<Window, 'name' | 'query'>): Drill {
  return {
    title: `Paid subscriptions, ${name}`,
    note: 'A row is a paid subscription.',
    ...rowsBehind('mrr', { ...audience, ...query }, ['mrr']),
  }
}

/** MRR and paying customers at the end of a period, whose quotient is the revenue per customer. */
export function arpuDrill({ step, days, audience }: DrillScope, period: string, field?: string): Drill {
  const { end } = spanOf(period, step, days)
  return {
    title: `${labelOf(field ?? 'arpu')} at the end of ${formatDay(end)}`,
    ...rowsBehind('ltv', { ...audience, query_type: 'arpu', at: end }, withFirst(['mrr', 'active_customers'], field)),
  }
}

/** Usage MRR at the end of a period. */
export function usageMrrDrill(scope: DrillScope, period: string): Drill {
  const { end } = spanOf(period, scope.step, scope.days)
  const query = { ...scope.audience, query_type: 'components', at: end, ...aheadOf(scope) }
  return { title: `Usage MRR at the end of ${formatDay(end)}`, ...rowsBehind('mrr', query, ['usage_mrr']) }
}

/** Movements of a period, largest first: a column of the waterfall, or all of them. */
export function movementDrill(scope: DrillScope, period: string, audience: Query, type?: string): Drill {
  const { days, step } = scope
  return movementsOf({ ...spanOf(period, step, days), ...aheadOf(scope) }, periodName(period, step, days), audience, type)
}

/** Movements of any range of days. All movements of a group include MRR that entered or left it. */
export function movementsOf(span: Query, when: string, audience: Query, type = 'net_change'): Drill {
  const name = type === 'net_change' ? 'Movements' : labelOf(type)
  return {
    title: `${name} in ${when}`,
    ...rowsBehind('mrr', { ...audience, query_type: 'waterfall', ...span, period: 'all' }, [type]),
    ...(type === 'net_change' && span['forecast'] === undefined ? { why: true } : {}),
  }
}

/** Filters for subscriptions that are cancelled and have not ended. */
function pending(audience: Query): Query {
  return { ...audience, filter: filteredTo(filtersOf(audience), 'pending_cancellation', 'true') }
}

/** Current MRR of subscriptions that are cancelled and have not ended. */
export function atRisk(audience: Query, dimensions: string): Question {
  return { path: '/api/metrics/mrr', query: { ...pending(audience), dimensions, order: '-mrr' } }
}

/** MRR at risk of one plan. */
export function riskDrill(audience: Query, row: Row): Drill {
  return narrowToGroups({ title: 'MRR at risk', ...rowsBehind('mrr', pending(audience), ['mrr']) }, ['plan_id'], row)
}

/** Customers that churned in a range, or MRR that churned, with those at the start. A clicked part of the rate comes first. */
export function lossDrill(type: 'logo' | 'revenue', audience: Query, span: Query, when: string, field?: string): Drill {
  const measures = withFirst(partsOf(`${type}_churn`), field)
  const titles: Readonly<Record<string, string>> = {
    churn_count: 'Customers that churned in',
    active_at_start: 'Customers active at the start of',
    revenue_lost: 'Churned MRR in',
    start_mrr: 'MRR at the start of',
  }
  return { title: `${titles[measures[0] ?? '']} ${when}`, ...rowsBehind('churn', { ...audience, ...span, type }, measures) }
}

/** The parts of net or gross retention of a period. */
export function retentionDrill({ days, step, audience }: DrillScope, period: string, type: 'nrr' | 'grr', field?: string): Drill {
  const query = { ...audience, ...spanOf(period, step, days), query_type: type }
  return {
    title: `${labelOf(type)} in ${periodName(period, step, days)}`,
    ...rowsBehind('retention', query, withFirst(partsOf(type), field)),
  }
}

/** Trials that started in a period, or those of them with an outcome. */
export function trialDrill({ days, step, audience }: DrillScope, period: string, field: string): Drill {
  return trialsOf({ ...audience, ...spanOf(period, step, days) }, periodName(period, step, days), field)
}

const OUTCOMES = ['started', 'converted', 'pending', 'expired']
const RATES: Readonly<Record<string, readonly string[]>> = {
  conversion_rate: ['converted', 'started'],
  decided_conversion_rate: ['converted', 'expired'],
}

/** Trials of any range of days. A rate opens both its parts. */
export function trialsOf(query: Query, when: string, field: string): Drill {
  return {
    title: `${field === 'started' ? 'Trials started' : `Trials: ${labelOf(field).toLowerCase()}`}, ${when}`,
    ...rowsBehind('trials', { ...query, query_type: 'funnel' }, RATES[field] ?? withFirst(OUTCOMES, field)),
  }
}

/** Usage revenue of a period. */
export function usageDrill({ days, step, audience }: DrillScope, period: string): Drill {
  return {
    title: `Usage revenue in ${periodName(period, step, days)}`,
    ...rowsBehind('usage_revenue', { ...audience, ...spanOf(period, step, days) }, ['revenue']),
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
