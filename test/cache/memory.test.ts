import { afterAll, beforeAll, expect, it } from 'vitest'
import { WANTED } from '../../src/cache/mirror/work-area.ts'
import { ident, sql, statementOf } from '../../src/connector-kit/query-runner.ts'
import type { CacheDatabase, CacheWriter } from '../../src/ports/cache-database.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory } from '../support/data/histories/generated-history.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { type SoakedCache, soakedCache } from '../support/product/held-rows.ts'

const FILLED = { now: '2024-05-20 12:00:00', seconds: 0 }
/** By then, the rows of most customers have changed by themselves. */
const LATER = { now: '2025-05-20 12:00:00', seconds: 0 }
const ACCOUNTS = 60
const BUCKET = 15
const STORED = /^insert into (cached_\w+)/

/** The insertions into held tables, and how many of them were in a transaction. */
interface Stored {
  alone: number
  together: number
}

firstEngineAndOneOther('the memory of a cache', (target) => {
  let database: TestDatabase
  let kept: SoakedCache
  let own: CacheDatabase
  let stored: Stored = { alone: 0, together: 0 }

  beforeAll(async () => {
    database = (await fillDatabase(target, generatedHistory(12, ACCOUNTS))).database
    const wrap = (real: CacheDatabase): CacheDatabase => {
      own = { ...real, write: (work) => real.write((writer) => work(noting(writer, stored))) }
      return own
    }
    kept = soakedCache(database.executor({ poolSize: 2 }), 'memory', null, wrap, { bucket: BUCKET })
    await kept.held(FILLED)
  })
  afterAll(() => kept.cache.close())

  /** Names of tables with raw rows or with rows of steps. */
  const left = () =>
    own.write(async (writer) => {
      const run = (statement: ReturnType<typeof sql>) => writer.query(statementOf(statement, writer.dialect, 'test'))
      const tables = await run(sql`select table_name from duckdb_tables() where database_name = 'work'`)
      const names = tables.map((row) => String(row['table_name'])).filter((name) => !/^inline_|^wanted$/.test(name))
      expect(names.length).toBeGreaterThan(40)
      const found: string[] = []
      for (const name of names)
        if ((await run(sql`select 1 as found from work.${ident(name)} limit 1`)).length > 0) found.push(name)
      // The keys of the last customers show that something was made there.
      expect((await run(sql`select * from ${WANTED}`)).length).toBeGreaterThan(0)
      return found
    })

  it('holds no rows of the last bucket after a filling, and a filling commits each table', async () => {
    expect(stored.alone).toBeGreaterThan(10)
    expect(stored.together).toBe(0)
    expect(await left()).toEqual([])
  })

  it('holds no rows of a refresh, which replaces the rows in one transaction', async () => {
    stored = Object.assign(stored, { alone: 0, together: 0 })
    await kept.held(LATER)
    expect(stored.together).toBeGreaterThan(10)
    expect(stored.alone).toBe(0)
    expect(await left()).toEqual([])
  })
})

/** A writer that counts the insertions into held tables. */
function noting(writer: CacheWriter, stored: Stored): CacheWriter {
  let isTogether = false
  return {
    ...writer,
    query(statement) {
      if (STORED.test(statement.text)) stored[isTogether ? 'together' : 'alone'] += 1
      return writer.query(statement)
    },
    async transaction(work) {
      isTogether = true
      try {
        return await writer.transaction(work)
      } finally {
        isTogether = false
      }
    },
  }
}
