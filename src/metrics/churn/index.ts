import * as z from 'zod'
import { CHURNED_AT_FIELD } from '../../query/dimensions/churn.ts'
import { refuse } from '../../query/issues.ts'
import { isAbsent } from '../../query/raw-parameters.ts'
import { defineMetric, type MetricQuery } from '../define-metric.ts'
import { defineRoute } from '../routes.ts'
import { ANSWERS } from './answers.ts'
import { CHURN_DOCS } from './docs.ts'
import { answerLogo } from './logo.ts'
import { OFFERS } from './offers.ts'
import { answerRevenue } from './revenue.ts'
import { answerDetail, answerRevenueEvents } from './tables.ts'

const SUMMARIES = {
  logo: 'Share of the customers live at the start that churned in the range',
  revenue: 'Share of the MRR at the start that was lost by churn in the range',
  detail: 'Every customer live at the start, with its churn in the range',
  revenue_events: 'Customers that lost MRR by churn in the range, largest loss first',
}

const QUERIES: Readonly<Record<string, MetricQuery>> = {
  logo: { summary: SUMMARIES.logo, offer: OFFERS.logo, ...ANSWERS.logo, run: answerLogo },
  revenue: { summary: SUMMARIES.revenue, offer: OFFERS.revenue, ...ANSWERS.revenue, run: answerRevenue },
  detail: {
    summary: SUMMARIES.detail,
    offer: OFFERS.detail,
    plain: z.array(ANSWERS.detail.row),
    ...ANSWERS.detail,
    run: answerDetail,
  },
  revenue_events: {
    summary: SUMMARIES.revenue_events,
    offer: OFFERS.revenue_events,
    plain: z.array(ANSWERS.revenue_events.row),
    ...ANSWERS.revenue_events,
    run: answerRevenueEvents,
  },
}

/** Logo churn, revenue churn and their tables (http-api.md 3.3). */
export const metric = defineMetric({
  name: 'churn',
  summary: 'Customers and recurring revenue lost',
  depends_on: ['mrr'],
  reads: ['mrr_span', 'customer', 'cancellation'],
  time_fields: [CHURNED_AT_FIELD],
  queries: QUERIES,
  choose: (query_type, params) => chosenType(query_type, params['type']),
  routes: [
    defineRoute('churn', undefined, 'Logo churn rate, or revenue churn rate with type=revenue', OFFERS.logo),
    defineRoute('churn/customers', 'detail', SUMMARIES.detail, OFFERS.detail),
    defineRoute('churn/revenue-events', 'revenue_events', SUMMARIES.revenue_events, OFFERS.revenue_events),
  ],
  docs: CHURN_DOCS,
})

// `type` says the same as `query_type`.
function chosenType(query_type: string | undefined, raw: unknown): string {
  const type = Array.isArray(raw) ? raw[0] : raw
  if (isAbsent(type)) return query_type ?? 'logo'
  const available = Object.keys(QUERIES).sort()
  if (typeof type !== 'string' || !available.includes(type)) {
    throw refuse('invalid_value', 'params.type', 'Unknown type of churn.', {
      value: type,
      known: available,
      context: { available },
    })
  }
  if (query_type !== undefined && query_type !== type) {
    throw refuse('invalid_value', 'params.type', '"type" and "query_type" mean the same here and differ.', { value: type })
  }
  return type
}
