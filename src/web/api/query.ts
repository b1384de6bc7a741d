import type { FilePath, paths } from '../../client/index.ts'

/** Parameters of a call; what is absent is left out. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** A path that answers rows as JSON and as a file, without a part to be filled in. */
export type RowsPath = Exclude<FilePath, `${string}{${string}` | '/api/metrics'> & keyof paths
