import type { FilePath, paths } from '../../client/index.ts'

/** Parameters of a call. Undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** A path that has no path parameters and returns rows, as JSON or as a file. */
export type RowsPath = Exclude<FilePath, `${string}{${string}` | '/api/metrics'> & keyof paths

/** A path about one number of a metric. */
export type NumberPath = `/api/metrics/${string}/${'bridge' | 'rows'}`

/** One API call. Its answer is shown as a number, chart or table. */
export interface Question {
  readonly path: RowsPath | NumberPath
  readonly query: Query
}
