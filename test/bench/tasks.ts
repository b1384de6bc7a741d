import type { Engine, RawInput } from '../../src/engine/contract.ts'

/** Now of the benchmarks: the day after the recording ends. */
export const NOW = '2026-11-21T00:00:00Z'

/** One question, asked again and again. */
export interface QueryTask {
  readonly name: string
  readonly title: string
  readonly metric: string
  readonly params: RawInput
  readonly spec: RawInput
}

const PLAIN: readonly Omit<QueryTask, 'spec'>[] = [
  { name: 'point', title: 'point MRR', metric: 'mrr', params: { query_type: 'current' } },
  {
    name: 'series',
    title: '36-month series',
    metric: 'mrr',
    params: { query_type: 'series', start: '2023-12-01', end: '2026-11-30', interval: 'month' },
  },
  {
    name: 'breakdown',
    title: 'one-month breakdown',
    metric: 'mrr',
    params: { query_type: 'breakdown', start: '2026-10-01', end: '2026-10-31' },
  },
  {
    name: 'waterfall',
    title: '12-month waterfall',
    metric: 'mrr',
    params: { query_type: 'waterfall', start: '2025-12-01', end: '2026-11-30', interval: 'month' },
  },
]

/** The questions of the benchmarks, plain and sliced by plan. */
export const QUERY_TASKS: readonly QueryTask[] = [
  ...PLAIN.map((task) => ({ ...task, spec: {} })),
  ...PLAIN.map((task) => ({
    ...task,
    name: `${task.name}_by_plan`,
    title: `${task.title} by plan_id`,
    spec: { dimensions: ['plan_id'] },
  })),
]

/** Asks once and gives the data of the answer. */
export async function ask(engine: Engine, task: QueryTask): Promise<unknown> {
  return (await engine.query(task.metric, task.params, task.spec)).data
}
