import * as z from 'zod'
import { defineMetric } from '../define-metric.ts'
import { defineRoute } from '../routes.ts'
import { ANSWERS } from './answers.ts'
import { RETENTION_DOCS } from './docs.ts'
import { answerMatrix } from './matrix.ts'
import { MATRIX_COHORT_FIELD, OFFERS } from './offers.ts'
import { answerRetained } from './ratios.ts'

const SUMMARIES = {
  cohort_matrix: 'Customers of each monthly cohort that are still live, month by month',
  nrr: 'Net revenue retention of the customers that had MRR at the start',
  grr: 'Gross revenue retention of the customers that had MRR at the start',
}

/** Net and gross revenue retention and the cohort matrix (http-api.md 3.4). */
export const metric = defineMetric({
  name: 'retention',
  summary: 'Customers and recurring revenue kept',
  depends_on: ['mrr'],
  reads: ['mrr_span', 'customer'],
  time_fields: [MATRIX_COHORT_FIELD],
  queries: {
    cohort_matrix: {
      summary: SUMMARIES.cohort_matrix,
      offer: OFFERS.cohort_matrix,
      plain: z.array(ANSWERS.cohort_matrix.row),
      ...ANSWERS.cohort_matrix,
      run: answerMatrix,
    },
    nrr: { summary: SUMMARIES.nrr, offer: OFFERS.nrr, ...ANSWERS.nrr, run: (context) => answerRetained(context, 'nrr') },
    grr: { summary: SUMMARIES.grr, offer: OFFERS.grr, ...ANSWERS.grr, run: (context) => answerRetained(context, 'grr') },
  },
  choose: (query_type) => query_type ?? 'cohort_matrix',
  routes: [defineRoute('retention', undefined, 'Cohort matrix, or net or gross revenue retention by query_type', OFFERS.route)],
  docs: RETENTION_DOCS,
})
