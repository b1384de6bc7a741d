import * as z from 'zod'
import { PERIOD_START_FIELD } from '../../query/dimensions/usage.ts'
import { defineMetric } from '../define-metric.ts'
import { defineRoute } from '../routes.ts'
import { ANSWERS } from './answers.ts'
import { answerByCustomer } from './by-customer.ts'
import { USAGE_REVENUE_DOCS } from './docs.ts'
import { OFFERS } from './offers.ts'
import { answerTotal } from './total.ts'

const SUMMARIES = {
  total: 'Paid usage of the range',
  series: 'Paid usage of each period, by the begin of its service',
  by_customer: 'Paid usage of each customer, largest first',
}

/** Revenue from usage, as it was paid (http-api.md 3.5). */
export const metric = defineMetric({
  name: 'usage_revenue',
  summary: 'Revenue from usage, by the month of its service',
  depends_on: [],
  reads: ['usage_charge'],
  time_fields: [PERIOD_START_FIELD],
  queries: {
    total: { summary: SUMMARIES.total, offer: OFFERS.total, ...ANSWERS.total, run: answerTotal },
    series: {
      summary: SUMMARIES.series,
      offer: OFFERS.series,
      plain: z.array(ANSWERS.series.row),
      ...ANSWERS.series,
      run: answerTotal,
    },
    by_customer: {
      summary: SUMMARIES.by_customer,
      offer: OFFERS.by_customer,
      plain: z.array(ANSWERS.by_customer.row),
      ...ANSWERS.by_customer,
      run: answerByCustomer,
    },
  },
  choose: (query_type) => query_type ?? 'total',
  routes: [
    defineRoute('usage-revenue', undefined, SUMMARIES.total, OFFERS.total),
    defineRoute('usage-revenue/series', 'series', SUMMARIES.series, OFFERS.series),
    defineRoute('usage-revenue/by-customer', 'by_customer', SUMMARIES.by_customer, OFFERS.by_customer),
  ],
  docs: USAGE_REVENUE_DOCS,
})
