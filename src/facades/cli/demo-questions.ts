import { dayOf, dayStart } from '../../core/periods.ts'
import type { Answer, Engine } from '../../engine/engine.ts'

/** The answers that the demo's summary is made of. */
export interface SummaryAnswers {
  readonly today: string
  readonly mrr: Answer
  /** MRR by month, the last twelve. */
  readonly series: Answer
  /** Movements of the running month. */
  readonly breakdown: Answer
}

/** Asks the engine what the summary shows; `today` is the engine's own UTC day. */
export async function askSummary(engine: Engine, today: string): Promise<SummaryAnswers> {
  const monthStart = `${today.slice(0, 7)}-01`
  const start = monthsBefore(monthStart, 11)
  return {
    today,
    mrr: await engine.query('mrr', { query_type: 'current', at: today }),
    series: await engine.query('mrr', {
      query_type: 'series',
      start,
      end: today,
      interval: 'month',
    }),
    breakdown: await engine.query('mrr', {
      query_type: 'breakdown',
      start: monthStart,
      end: today,
    }),
  }
}

/** Paths of further questions that the demo's data answers; `today` is the engine's own UTC day. */
export function furtherQuestions(today: string): readonly string[] {
  const monthStart = `${today.slice(0, 7)}-01`
  const range = `start=${monthsBefore(monthStart, 6)}&end=${dayOf(new Date(dayStart(monthStart).getTime() - 1))}`
  return [
    '/api/metrics/summary',
    `/api/metrics/churn?${range}&granularity=month`,
    `/api/metrics/retention?${range}`,
    `/api/metrics/ltv?${range}`,
  ]
}

function monthsBefore(monthStart: string, months: number): string {
  const first = dayStart(monthStart)
  return dayOf(new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() - months, 1)))
}
