import * as z from 'zod'
import { TRIAL_TIME_FIELDS } from '../../query/dimensions/trial.ts'
import { defineMetric } from '../define-metric.ts'
import { defineRoute } from '../routes.ts'
import { ANSWERS } from './answers.ts'
import { TRIALS_DOCS } from './docs.ts'
import { answerConversion, answerFunnel } from './funnel.ts'
import { OFFERS } from './offers.ts'

const SUMMARIES = {
  conversion_rate: 'Share of the trials begun in the range that converted',
  funnel: 'Trials begun in the range: converted, expired and pending',
  series: 'The funnel of each period, by the begin of the trial',
}

/** Trials and what became of them (http-api.md 3.5). */
export const metric = defineMetric({
  name: 'trials',
  summary: 'Trials and their conversion',
  depends_on: [],
  reads: ['trial'],
  time_fields: TRIAL_TIME_FIELDS,
  queries: {
    conversion_rate: {
      summary: SUMMARIES.conversion_rate,
      offer: OFFERS.conversion_rate,
      ...ANSWERS.conversion_rate,
      run: answerConversion,
    },
    funnel: { summary: SUMMARIES.funnel, offer: OFFERS.funnel, ...ANSWERS.funnel, run: answerFunnel },
    series: {
      summary: SUMMARIES.series,
      offer: OFFERS.series,
      plain: z.array(ANSWERS.series.row),
      ...ANSWERS.series,
      run: answerFunnel,
    },
  },
  choose: (query_type) => query_type ?? 'conversion_rate',
  routes: [
    defineRoute('trials', undefined, SUMMARIES.conversion_rate, OFFERS.conversion_rate),
    defineRoute('trials/funnel', 'funnel', SUMMARIES.funnel, OFFERS.funnel),
    defineRoute('trials/series', 'series', SUMMARIES.series, OFFERS.series),
  ],
  docs: TRIALS_DOCS,
})
