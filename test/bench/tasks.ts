import type { RawInput } from '../../src/engine/contract.ts'

/** Now of the benchmarks: the day after the recording ends. */
export const NOW = '2026-11-21T00:00:00Z'
export const BASE_CURRENCY = 'USD'

/** A question to the engine, or the MRR of now by the streaming fold. */
export type BenchTask = QueryTask | FoldTask

export interface QueryTask {
  readonly kind: 'query'
  readonly name: string
  readonly title: string
  /** Tasks of the same answer must agree. */
  readonly answer: string
  readonly params: RawInput
  readonly spec: RawInput
}

export interface FoldTask {
  readonly kind: 'fold'
  readonly name: string
  readonly title: string
  readonly answer: string
}

const QUESTIONS = [
  { name: 'point', title: 'point MRR', params: { query_type: 'current' } },
  {
    name: 'series',
    title: '36-month series',
    params: { query_type: 'series', start: '2023-12-01', end: '2026-11-30', interval: 'month' },
  },
  {
    name: 'breakdown',
    title: 'one-month breakdown',
    params: { query_type: 'breakdown', start: '2026-10-01', end: '2026-10-31' },
  },
  {
    name: 'waterfall',
    title: '12-month waterfall',
    params: { query_type: 'waterfall', start: '2025-12-01', end: '2026-11-30', interval: 'month' },
  },
] as const

/** The questions of the MRR family, plain and sliced by plan, then the fold. */
export const TASKS: readonly BenchTask[] = [
  ...QUESTIONS.map((question) => ({ kind: 'query', ...question, answer: question.name, spec: {} }) as const),
  ...QUESTIONS.map((question) => {
    const name = `${question.name}_by_plan`
    const title = `${question.title} by plan_id`
    return { kind: 'query', name, title, answer: name, params: question.params, spec: { dimensions: ['plan_id'] } } as const
  }),
  { kind: 'fold', name: 'fold', title: 'streaming fold (all spans; MRR now)', answer: 'point' },
]

/** The metric of all questions. */
export const METRIC = 'mrr'
