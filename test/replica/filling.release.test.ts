import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { patienceFor } from '../../src/cache/mirror/options.ts'
import { postgres as dialect } from '../../src/compiler/dialects/postgres.ts'
import { createPostgresExecutor } from '../../src/databases/postgres/postgres.ts'
import type { Executor } from '../../src/ports/executor.ts'
import type { Snapshot } from '../../src/ports/snapshot.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory } from '../support/data/histories/generated-history.ts'
import { programsOf } from '../support/databases/servers/installed-programs.ts'
import { postgresTarget } from '../support/databases/target-postgres.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { type Held, heldDifferences, soakedCache } from '../support/product/held-rows.ts'
import { type PostgresPair, startPostgresPair } from './postgres-standby.ts'

const programs = programsOf('postgres')
const MOMENT = { now: '2024-05-20 12:00:00', seconds: 0 }
const ACCOUNTS = 40
const BUCKET = 8
/** Parts of a filling are tried again after some milliseconds. */
const PATIENCE = { ...patienceFor(240_000), retryMs: 2_000 }
/** The executor tries a snapshot twice. A part of which both are cancelled is tried again by the filling, and its third one goes well. */
const TRIES = 3
/** The statement of a snapshot before which the primary removes rows that the snapshot sees. */
const MIDDLE = 4

describe.skipIf(programs === undefined)('a filling from a PostgreSQL standby without patience for its readers', () => {
  let pair: PostgresPair
  let database: TestDatabase
  let standby: Executor
  let undisturbed: Held

  beforeAll(async () => {
    if (programs === undefined) return
    pair = await startPostgresPair(programs)
    database = (await fillDatabase(postgresTarget(pair.primaryUrl), generatedHistory(11, ACCOUNTS))).database
    await pair.caughtUp()
    standby = createPostgresExecutor({ url: pair.standbyUrl(database.url), dialect, poolSize: 2 })
    const primary = soakedCache(database.executor({ poolSize: 2 }), 'primary', null, undefined, {
      bucket: BUCKET,
      patience: PATIENCE,
    })
    undisturbed = await primary.held(MOMENT).finally(() => primary.cache.close())
  })
  afterAll(async () => {
    await standby?.close()
    await database?.drop()
    await pair?.close()
  })

  /** No value changes. The earlier versions of the rows, which an open snapshot still sees, are removed. */
  async function conflict(): Promise<void> {
    await database.adminQuery('update accounts set email = email')
    await database.adminQuery('vacuum accounts')
    await pair.caughtUp()
  }

  it('survives cancelled statements in every part, and holds the rows of the primary', async () => {
    const parts = 1 + Math.ceil((undisturbed.tables['customer']?.length ?? 0) / BUCKET)
    expect(parts).toBeGreaterThan(4)
    let snapshots = 0
    const cancelled = (snapshot: Snapshot): Snapshot => {
      snapshots += 1
      const isCancelled = snapshots <= TRIES * parts && snapshots % TRIES !== 0
      let left = isCancelled ? MIDDLE : Number.POSITIVE_INFINITY
      const passing = async <T>(run: () => Promise<T>): Promise<T> => {
        left -= 1
        if (left === 0) await conflict()
        return run()
      }
      const { csv, query } = snapshot
      return {
        ...snapshot,
        query: (statement) => passing(() => query(statement)),
        ...(csv !== undefined && { csv: { ...csv, write: (...rest) => passing(() => csv.write(...rest)) } }),
      }
    }
    const executor: Executor = {
      ...standby,
      withSnapshot: (work, options) => standby.withSnapshot((snapshot) => work(cancelled(snapshot)), options),
    }
    const kept = soakedCache(executor, 'standby', null, undefined, { bucket: BUCKET, patience: PATIENCE })
    try {
      const held = await kept.held(MOMENT)
      expect(heldDifferences(['standby', held.tables], ['primary', undisturbed.tables])).toBeUndefined()
      expect(snapshots).toBeGreaterThan(TRIES * parts)
      expect(kept.failures()).toHaveLength(parts)
      for (const failure of kept.failures()) expect(failure).toMatch(/cancelled the query twice.*hot_standby_feedback = on/)
    } finally {
      await kept.cache.close()
    }
  }, 300_000)
})
