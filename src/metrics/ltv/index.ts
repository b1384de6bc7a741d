import * as z from 'zod'
import { defineMetric } from '../define-metric.ts'
import { defineRoute } from '../routes.ts'
import { ANSWERS } from './answers.ts'
import { answerArpu } from './arpu.ts'
import { answerCohort } from './cohort.ts'
import { LTV_DOCS } from './docs.ts'
import { OFFERS, PAID_AT_FIELD } from './offers.ts'
import { answerSimple } from './simple.ts'

const SUMMARIES = {
  simple: 'Lifetime value of a customer: ARPU divided by the monthly logo churn rate',
  arpu: 'MRR per paying customer at a day, or as a series',
  cohort: 'What the customers of each monthly cohort paid in the range',
}

/** Lifetime value and ARPU (http-api.md 3.5). */
export const metric = defineMetric({
  name: 'ltv',
  summary: 'Lifetime value of customers',
  depends_on: ['churn', 'mrr'],
  reads: ['mrr_span', 'customer', 'invoice'],
  time_fields: [PAID_AT_FIELD],
  queries: {
    simple: { summary: SUMMARIES.simple, offer: OFFERS.simple, ...ANSWERS.simple, run: answerSimple },
    arpu: { summary: SUMMARIES.arpu, offer: OFFERS.arpu, ...ANSWERS.arpu, run: answerArpu },
    cohort: {
      summary: SUMMARIES.cohort,
      offer: OFFERS.cohort,
      plain: z.array(ANSWERS.cohort.row),
      ...ANSWERS.cohort,
      run: answerCohort,
    },
  },
  choose: (query_type) => query_type ?? 'simple',
  routes: [
    defineRoute('ltv', undefined, SUMMARIES.simple, OFFERS.simple),
    defineRoute('ltv/arpu', 'arpu', SUMMARIES.arpu, OFFERS.arpu),
    defineRoute('ltv/cohort', 'cohort', SUMMARIES.cohort, OFFERS.cohort),
  ],
  docs: LTV_DOCS,
})
