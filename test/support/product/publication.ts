import { join } from 'node:path'
import type { LakeDatabase } from '../../../src/cache/lake/databases/database.ts'
import type { LakePlace } from '../../../src/cache/lake/place.ts'
import type { PublishOptions } from '../../../src/cache/lake/publish.ts'
import { createLakeCache, type LakeCache } from '../../../src/cache/lake/read-lake.ts'
import { loadCatalog, type SqlCatalog } from '../../../src/compiler/catalog.ts'
import { trino } from '../../../src/compiler/dialects/trino.ts'
import type { DatabaseConnector } from '../../../src/connector-kit/connector.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import type { Executor } from '../../../src/ports/executor.ts'
import { DEFINITIONS } from './held-rows.ts'
import { END_OF_RECORDING, killbillCatalog } from './recorded-engine.ts'

/** The year before the end of the recording. */
export const LAST_YEAR = { start: '2025-11-21', end: '2026-11-20' } as const

interface Publishing {
  readonly connector: DatabaseConnector
  readonly databases?: readonly LakeDatabase[]
  readonly writer: Executor
  /** The schema of the billing tables. */
  readonly billing: LakePlace
  /** The schema of the publications. */
  readonly place: LakePlace
  readonly told: string[]
  readonly failures: unknown[]
  /** The product's SQL with that of the connector. Absent: that of Kill Bill. */
  readonly catalog?: SqlCatalog
  /** Absent: the end of the recording. */
  readonly now?: Date
}

/** Options of a publication, of the recording unless told. */
export function publishOptions({
  told,
  failures,
  catalog = killbillCatalog(),
  now = END_OF_RECORDING,
  ...given
}: Publishing): PublishOptions {
  const { mirror } = given.connector
  if (mirror === undefined) throw new Error(`${given.connector.type} has no publications`)
  return {
    ...given,
    mirror,
    catalog,
    definitions: DEFINITIONS,
    dialect: trino,
    header: { version: '1', code: '', identity: '', definitions: DEFINITIONS },
    now: () => now,
    name: 'the test',
    parallel: 2,
    keep: 2,
    maxSkewMs: 3_600_000,
    onProgress: (text) => told.push(text),
    onFailure: (error) => failures.push(error),
  }
}

/** The publications of these options as the cache of an engine, which closes the executor. */
export function publishedCache(options: PublishOptions, executor: Executor): LakeCache {
  return createLakeCache({
    ...options,
    executor,
    load: (tables) => loadCatalog({ sql: join(packageRoot(), 'sql'), relations: [], tables }),
    lookEveryMs: 600_000,
    isStraightAllowed: false,
  })
}
