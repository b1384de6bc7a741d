import { BASE_URL } from './client.ts'
import type { Query, Question } from './query.ts'

export type { Query, Question, RowsPath } from './query.ts'

/** File formats of an answer. */
export type FileFormat = 'csv' | 'xlsx'

/** A question with more parameters. They replace parameters of the question with equal names. */
export function withParams(question: Question, query: Query): Question {
  return { ...question, query: { ...question.query, ...query } }
}

/** Most rows of a list of records that the API answers at once, also in a file. */
export const MOST_RECORDS = 1_000

/** A list of records as a file: with all rows, up to the API's limit. Without a limit, the file has as few rows as a page. */
export function asFile(question: Question): Question {
  return withParams(question, { limit: MOST_RECORDS })
}

/** The filters of a question, `key=value` each. */
export function filtersOf({ filter }: Query): readonly string[] {
  return Array.isArray(filter) ? filter : filter === undefined ? [] : [String(filter)]
}

/**
 * Filters restricted to one value of a field. Removes other filters on this field, because filters on one field are alternatives.
 */
export function filteredTo(filters: readonly string[], field: string, value: string): readonly string[] {
  return [...filters.filter((filter) => !filter.startsWith(`${field}=`)), `${field}=${value}`]
}

/** URL of a question. */
export function urlOf({ path, query }: Question, format?: FileFormat): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, format }))
    for (const one of [value].flat()) if (one !== undefined) search.append(name, String(one))
  const text = search.toString()
  return `${BASE_URL}${path}${text === '' ? '' : `?${text}`}`
}

/** The question as a curl command. */
export function curlOf(question: Question): string {
  return `curl '${urlOf(question).replaceAll("'", '%27')}'`
}
