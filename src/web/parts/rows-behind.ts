import type { Query } from '../api/question.ts'
import type { Drill } from './drill.tsx'

/** The rows behind a number: of its measure, or of the parts of a rate. Several measures are choices, the first one is shown first. */
export function rowsBehind(metric: string, query: Query, measures: readonly string[]): Pick<Drill, 'question' | 'measures'> {
  return { question: { path: `/api/metrics/${metric}/rows`, query }, measures }
}

/** The measures of a query with the clicked one first. A rate is none of them. */
export function withFirst(measures: readonly string[], clicked: string | undefined): readonly string[] {
  if (clicked === undefined || !measures.includes(clicked)) return measures
  return [clicked, ...measures.filter((measure) => measure !== clicked)]
}
