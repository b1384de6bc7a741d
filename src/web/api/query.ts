import type { FilePath, paths } from '../../client/index.ts'

/** Parameters of a call. Undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** A path that has no path parameters and returns rows, as JSON or as a file. */
export type RowsPath = Exclude<FilePath, `${string}{${string}` | '/api/metrics'> & keyof paths
