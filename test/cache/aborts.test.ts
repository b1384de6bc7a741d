import { tmpdir } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { compileFragment } from '../../src/compiler/compile.ts'
import { duckdb } from '../../src/compiler/dialects/duckdb.ts'
import { sql } from '../../src/compiler/fragment.ts'
import { openDuckdb } from '../../src/databases/duckdb/duckdb.ts'
import type { CacheDatabase } from '../../src/ports/cache-database.ts'
import { dice } from '../support/data/histories/seeded-dice.ts'
import { catalogOf, runFragment } from '../support/product/run-fragment.ts'

const SEED = 20261101
const READERS = 4
const LATE_MS = 20_000

let database: CacheDatabase
beforeAll(async () => {
  database = await openDuckdb({ dialect: duckdb, memoryMb: 200, directory: tmpdir(), poolSize: READERS, queueLimit: 100 })
})
afterAll(() => database.close())

const statement = compileFragment({
  fragment: sql`select count(*) as n from range(1000) as a, range(100) as b`,
  catalog: catalogOf({}),
  inline: new Map(),
  params: {},
  dialect: duckdb,
  label: 'test',
})

/** A snapshot whose client goes away while it opens, reads or ends. */
async function left(afterMs: number): Promise<string> {
  const control = new AbortController()
  const asked = database.reader
    .withSnapshot(
      async (snapshot) => {
        await snapshot.query(statement)
        await snapshot.query(statement)
      },
      { signal: control.signal },
    )
    .then(
      () => 'answered',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
  const settled = asked.finally(() => control.abort())
  await setTimeout(afterMs, undefined, { signal: control.signal }).catch(() => {})
  control.abort(new Error('gone'))
  return Promise.race([settled, setTimeout(LATE_MS, 'still waiting', { ref: false })])
}

it('releases a reader whenever its client goes away, and serves the next ones', async () => {
  const draw = dice(SEED)
  const met = new Set<string>()
  for (let round = 0; round < 60; round += 1) {
    const moments = Array.from({ length: READERS }, () => draw.below(40) / 10)
    for (const outcome of await Promise.all(moments.map(left))) met.add(outcome)
    expect(
      [...met].every((outcome) => ['answered', 'gone'].includes(outcome)),
      `seed ${SEED} round ${round}: ${[...met]}`,
    ).toBe(true)
  }
  expect(met).toContain('gone')
  expect(await runFragment(database.reader, sql`select 1 as n`)).toEqual([{ n: 1 }])
})
