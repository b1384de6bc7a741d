import type { Answer, Engine, RawInput } from '../../src/engine/contract.ts'

/** Now of the benchmarks: the day after the recording ends. */
export const NOW = '2026-11-21T00:00:00Z'
export const BASE_CURRENCY = 'USD'

/** A metric of the engine, another question to it, or the MRR of now by the streaming fold. */
export type BenchTask = QueryTask | AskTask | FoldTask

interface NamedTask {
  readonly name: string
  readonly title: string
  /** Tasks of the same answer must agree. */
  readonly answer: string
}

export interface QueryTask extends NamedTask {
  readonly kind: 'query'
  readonly metric: string
  readonly params: RawInput
  readonly spec: RawInput
}

/** The summary or a list, which have no statement of one metric to explain. */
export interface AskTask extends NamedTask {
  readonly kind: 'ask'
  ask(engine: Engine): Promise<Answer>
}

export interface FoldTask extends NamedTask {
  readonly kind: 'fold'
}

const YEAR = { start: '2025-12-01', end: '2026-11-30' }
const MONTH = { start: '2026-10-01', end: '2026-10-31' }

const MRR_QUESTIONS = [
  ['point', 'point MRR', { query_type: 'current' }],
  ['series', '36-month series', { query_type: 'series', start: '2023-12-01', end: '2026-11-30', interval: 'month' }],
  ['breakdown', 'one-month breakdown', { query_type: 'breakdown', ...MONTH }],
  ['waterfall', '12-month waterfall', { query_type: 'waterfall', ...YEAR, interval: 'month' }],
] as const

const OTHER_QUESTIONS = [
  ['churn', 'churn', 'logo churn of a month', MONTH],
  ['nrr', 'retention', 'NRR of 12 months', { query_type: 'nrr', ...YEAR }],
  ['matrix', 'retention', '24 × 24 cohort matrix', { start: '2024-12-01', end: '2026-11-30' }],
  ['cohort_ltv', 'ltv', 'cohort LTV of 24 months', { query_type: 'cohort', start: '2024-12-01', end: '2026-11-30' }],
  ['trials', 'trials', 'trial funnel of 12 months', { query_type: 'funnel', ...YEAR }],
  ['usage', 'usage_revenue', 'usage revenue of 12 months', { query_type: 'series', ...YEAR }],
] as const

/** The MRR family, plain and by plan; the other metrics; the summary and lists; the fold. */
export const TASKS: readonly BenchTask[] = [
  ...MRR_QUESTIONS.map(([name, title, params]) => query(name, 'mrr', title, params)),
  ...MRR_QUESTIONS.map(([name, title, params]) =>
    query(`${name}_by_plan`, 'mrr', `${title} by plan_id`, params, { dimensions: ['plan_id'] }),
  ),
  ...OTHER_QUESTIONS.map(([name, metric, title, params]) => query(name, metric, title, params)),
  ask('summary', 'summary', (engine) => engine.summary()),
  ask('customers', 'first page of customers', (engine) => engine.list('customers')),
  ask('subscriptions', 'first page of subscriptions', (engine) => engine.list('subscriptions')),
  { kind: 'fold', name: 'fold', title: 'streaming fold (all spans; MRR now)', answer: 'point' },
]

function query(name: string, metric: string, title: string, params: RawInput, spec: RawInput = {}): QueryTask {
  return { kind: 'query', name, metric, title, answer: name, params, spec }
}

function ask(name: string, title: string, question: AskTask['ask']): AskTask {
  return { kind: 'ask', name, title, answer: name, ask: question }
}
