import { ratio } from '../../core/money.ts'
import { rangeTime } from '../../query/request.ts'
import type { AnswerRow, MetricContext, MetricResult } from '../define-metric.ts'
import { periodResult } from '../period-rows.ts'
import { periodNames } from '../start-scope.ts'
import { NO_TRIALS, readTrials, type TrialCounts } from './read.ts'

const SHAPES = {
  conversion_rate: {
    measures: ['conversion_rate', 'started', 'converted'],
    write: ({ started, converted }: Readonly<TrialCounts>): AnswerRow => ({
      conversion_rate: ratio(converted, started),
      started,
      converted,
    }),
  },
  funnel: {
    measures: ['started', 'converted', 'expired', 'pending', 'conversion_rate'],
    write: ({ started, converted, expired }: Readonly<TrialCounts>): AnswerRow => ({
      started,
      converted,
      expired,
      pending: started - converted - expired,
      conversion_rate: ratio(converted, started),
    }),
  },
} as const

/** Share of the trials begun in the range that converted (D58). */
export async function answerConversion(context: MetricContext): Promise<MetricResult> {
  return answerTrials(context, 'conversion_rate')
}

/** Trials begun in the range, or in each of its periods, by outcome (D58, I13). */
export async function answerFunnel(context: MetricContext): Promise<MetricResult> {
  return answerTrials(context, 'funnel')
}

async function answerTrials(context: MetricContext, figure: keyof typeof SHAPES): Promise<MetricResult> {
  const names = periodNames(rangeTime(context.request))
  const { measures, write } = SHAPES[figure]
  const groups = (await readTrials(context)).map(({ values, periods }) => ({ values, measures: periods.map(write) }))
  const nothing = write(NO_TRIALS)
  if (figure === 'funnel' && names === undefined && context.request.dimensions.length === 0) {
    return { kind: 'object', columns: measures, value: groups[0]?.measures[0] ?? nothing }
  }
  return periodResult(context, names, { scalar: 'conversion_rate', measures, nothing }, groups)
}
