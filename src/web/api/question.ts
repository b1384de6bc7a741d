import type { AskedPath, Query } from './asked-path.ts'
import { BASE_URL } from './base.ts'

export type { AskedPath, Query } from './asked-path.ts'

/** One call of the API: what a figure, chart or table shows, and what anybody else can ask too. */
export interface Question {
  readonly path: AskedPath
  readonly query: Query
}

/** A question with further parameters, which win. */
export function narrowed(question: Question, query: Query): Question {
  return { ...question, query: { ...question.query, ...query } }
}

/** The question of a record of its own: its days and what narrows it, nothing that groups, sorts or cuts. */
export function filtersOf({ filter }: Query): readonly string[] {
  return Array.isArray(filter) ? filter : filter === undefined ? [] : [String(filter)]
}

/** Full address of a question. */
export function addressOf({ path, query }: Question, format?: 'csv' | 'xlsx'): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, format }))
    for (const one of [value].flat()) if (one !== undefined) search.append(name, String(one))
  const text = search.toString()
  return `${BASE_URL}${path}${text === '' ? '' : `?${text}`}`
}

/** The question as a command for a shell. */
export function curlOf(question: Question): string {
  return `curl '${addressOf(question).replaceAll("'", '%27')}'`
}
