import * as z from 'zod'
import { OCCURRED_AT_FIELD } from '../../query/dimensions/movement.ts'
import { isAbsent, type Raw } from '../../query/raw-parameters.ts'
import { defineMetric } from '../define-metric.ts'
import { defineRoute } from '../routes.ts'
import { ANSWERS } from './answers.ts'
import { answerBreakdown } from './breakdown.ts'
import { MRR_DOCS } from './docs.ts'
import { answerLevels, type LevelShape, total } from './level-answer.ts'
import { OFFERS } from './offers.ts'
import { answerWaterfall } from './waterfall.ts'

const mrr: LevelShape = {
  point: ['mrr'],
  series: ['mrr', 'amount_base'],
  scalar: 'mrr',
  measures: (level, net) => ({ mrr: total(level), amount_base: net }),
}

const arr: LevelShape = {
  point: ['mrr', 'arr'],
  series: ['arr', 'mrr', 'amount_base'],
  scalar: 'arr',
  measures: (level, net) => ({ mrr: total(level), arr: 12 * total(level), amount_base: net }),
}

const components: LevelShape = {
  point: ['subscription_mrr', 'usage_mrr', 'mrr'],
  series: ['subscription_mrr', 'usage_mrr', 'mrr'],
  scalar: undefined,
  measures: (level) => ({ subscription_mrr: level.subscription, usage_mrr: level.usage, mrr: total(level) }),
}

const SUMMARIES = {
  mrr: 'Monthly recurring revenue at a day, or as a series with the net movement of each period',
  arr: 'Annual recurring revenue, 12 times MRR, at a day or as a series',
  components: 'MRR split into its recurring and its usage component, at a day or as a series',
  breakdown: 'MRR movements of a range by type',
  waterfall: 'From starting to ending MRR, period by period',
}

/** MRR, ARR, components, breakdown and waterfall (http-api.md 3.2). */
export const metric = defineMetric({
  name: 'mrr',
  summary: 'Monthly recurring revenue, its parts and its movements',
  depends_on: [],
  reads: ['mrr_span'],
  time_fields: [OCCURRED_AT_FIELD],
  queries: {
    current: { summary: SUMMARIES.mrr, offer: OFFERS.current, ...ANSWERS.mrr, run: (context) => answerLevels(context, mrr) },
    series: {
      summary: 'MRR at the end of each period with the net movement inside it',
      offer: OFFERS.series,
      plain: z.array(ANSWERS.mrr.series_row),
      row: ANSWERS.mrr.series_row,
      run: (context) => answerLevels(context, mrr),
    },
    components: {
      summary: SUMMARIES.components,
      offer: OFFERS.components,
      ...ANSWERS.components,
      run: (context) => answerLevels(context, components),
    },
    breakdown: {
      summary: SUMMARIES.breakdown,
      offer: OFFERS.breakdown,
      plain: z.array(ANSWERS.breakdown.row),
      row: ANSWERS.breakdown.row,
      run: answerBreakdown,
    },
    waterfall: {
      summary: SUMMARIES.waterfall,
      offer: OFFERS.waterfall,
      plain: z.array(ANSWERS.waterfall.row),
      row: ANSWERS.waterfall.row,
      run: answerWaterfall,
    },
    arr: { summary: SUMMARIES.arr, offer: OFFERS.arr, ...ANSWERS.arr, run: (context) => answerLevels(context, arr) },
  },
  choose: (query_type = 'current', params, spec) =>
    query_type === 'current' && asksForRange(params, spec) ? 'series' : query_type,
  routes: [
    defineRoute('mrr', undefined, SUMMARIES.mrr, OFFERS.current),
    defineRoute('arr', 'arr', SUMMARIES.arr, OFFERS.arr),
    defineRoute('mrr/components', 'components', SUMMARIES.components, OFFERS.components),
    defineRoute('mrr/breakdown', 'breakdown', SUMMARIES.breakdown, OFFERS.breakdown),
    defineRoute('mrr/waterfall', 'waterfall', SUMMARIES.waterfall, OFFERS.waterfall),
  ],
  docs: MRR_DOCS,
})

function asksForRange(params: Raw, spec: Raw): boolean {
  return [spec['time_range'], params['start'], params['end']].some((given) => !isAbsent(given))
}
