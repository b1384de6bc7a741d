import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileFragment } from '../../src/compiler/compile.ts'
import { duckdb } from '../../src/compiler/dialects/duckdb.ts'
import { type Fragment, fn, relation, sql, value } from '../../src/compiler/fragment.ts'
import type { InlineRelation } from '../../src/compiler/inline.ts'
import { SLICE_MS } from '../../src/core/slices.ts'
import { openDuckdb } from '../../src/databases/duckdb/duckdb.ts'
import type { CacheDatabase } from '../../src/ports/cache-database.ts'
import type { Row } from '../../src/ports/rows.ts'
import type { Snapshot } from '../../src/ports/snapshot.ts'
import { DIALECT_CASES, spelled } from '../support/data/dialect-cases.ts'
import { drawnConversions } from '../support/data/drawn-conversions.ts'
import { catalogOf, runFragment } from '../support/product/run-fragment.ts'

const COLUMNS = [
  { name: 'whole', type: 'integer' },
  { name: 'word', type: 'text' },
  { name: 'moment', type: 'timestamp' },
  { name: 'day', type: 'date' },
  { name: 'truth', type: 'boolean' },
] as const
const CELLS = { whole: '9007199254740993', word: "Zoë '😀 ", moment: '2024-02-29 23:59:59', day: '0999-12-31', truth: true }
const NOTHING = { whole: null, word: null, moment: null, day: null, truth: null }

describe('DuckDB', () => {
  let database: CacheDatabase
  const statement = (fragment: Fragment, inline: readonly InlineRelation[] = []) =>
    compileFragment({
      fragment,
      catalog: catalogOf({}),
      inline: new Map(inline.map((rows) => [rows.name, rows])),
      params: {},
      dialect: duckdb,
      label: 'test',
    })
  const count = async (snapshot: Snapshot): Promise<unknown> =>
    (await snapshot.query(statement(sql`select count(*) as n from kept`)))[0]?.['n']

  beforeAll(async () => {
    database = await openDuckdb({ dialect: duckdb, memoryMb: 200, directory: tmpdir() })
    await database.write((writer) =>
      writer.query(statement(sql`create table kept (whole bigint, word varchar, moment timestamp, day date, truth boolean)`)),
    )
  })
  afterAll(() => database.close())

  it.each(DIALECT_CASES)('%s', async (_name, call, expected) => {
    const [row] = await runFragment(database.reader, sql`select ${call} as answer`)
    expect(spelled(row?.['answer'], call)).toBe(expected)
  })

  it('converted is the exact product, whatever the cents and the rate', async () => {
    const { statement: converting, relation: pairs, expected } = drawnConversions(7)
    const converted = await runFragment(database.reader, converting, { inline: [pairs] })
    expect(converted.map((row) => Number(row['answer']))).toEqual(expected)
  })

  it.each([0, 2, 30])('reads %i rows computed here, every cell exact', async (size) => {
    const rows = Array.from({ length: size }, (_, index) => [
      index,
      ...Object.values(index % 2 === 0 ? CELLS : NOTHING),
      '-1.000000000001',
    ])
    const columns = [{ name: 'position', type: 'integer' }, ...COLUMNS, { name: 'part', type: 'decimal' }] as const
    const found = await database.reader.withSnapshot((snapshot) =>
      snapshot.query(
        statement(sql`select r.* from ${relation('inline')} as r order by position`, [{ name: 'inline', columns, rows }]),
      ),
    )
    expect(found).toEqual(
      rows.map((_, index) => ({ position: String(index), ...(index % 2 === 0 ? CELLS : NOTHING), part: '-1.000000000001' })),
    )
  })

  it('gives freed memory back without waiting for the thread that allocated it', async () => {
    const setting = sql`select value from duckdb_settings() where name = 'allocator_background_threads'`
    expect(await runFragment(database.reader, setting)).toEqual([{ value: 'true' }])
  })

  it('counts all rows next to a page of them, however few there are and however often it is asked', async () => {
    const few = sql`with first_rows as (select i from range(1) as r(i)),
      listed as (select i from first_rows where i >= 5000 union all
        select i from first_rows where not exists (select 1 from first_rows where i >= 5000))
      select i, ${fn('total_of', sql`listed`)} as total_count from listed order by i desc limit 5`
    for (let turn = 0; turn < 150; turn += 1) {
      expect(await runFragment(database.reader, few)).toEqual([{ i: '0', total_count: '1' }])
    }
  })

  it('keeps appended cells unchanged, and sums beyond 64 bits', async () => {
    const huge = '9223372036854775807'
    await database.write(async (writer) => {
      await writer.query(statement(sql`delete from kept`))
      await writer.append('kept', COLUMNS, [CELLS, NOTHING, { ...NOTHING, whole: huge }])
    })
    const rows = await runFragment(database.reader, sql`select * from kept order by whole`)
    expect(rows).toEqual([CELLS, { ...NOTHING, whole: huge }, NOTHING])
    expect(await runFragment(database.reader, sql`select sum(whole) as total, 2.50 as part from kept`)).toEqual([
      { total: '9232379236109516800', part: '2.50' },
    ])
  })

  it('lets others have the thread while many rows are appended', async () => {
    let turns = 0
    let isDone = false
    const watch = () => {
      turns += 1
      if (!isDone) setImmediate(watch)
    }
    watch()
    /** The turns of the event loop in which rows were taken. */
    const seen = new Set<number>()
    const rows = Array.from({ length: 640 }, () => ({
      ...NOTHING,
      get word() {
        seen.add(turns)
        const until = performance.now() + SLICE_MS / 16
        while (performance.now() < until);
        return 'one of many'
      },
    }))
    const counted = await database.write((writer) =>
      writer.transaction(async () => {
        await writer.query(
          statement(sql`create table many (whole bigint, word varchar, moment timestamp, day date, truth boolean)`),
        )
        await writer.append('many', COLUMNS, rows)
        return writer.query(statement(sql`select count(word) as n from many`))
      }),
    )
    isDone = true
    expect(counted).toEqual([{ n: String(rows.length) }])
    // 32 rows of a sixteenth are two slices, and the clock is read after each 32.
    expect(seen.size).toBeGreaterThanOrEqual(rows.length / 32)
  })

  it('shows a snapshot nothing that was committed after it began, and a failed write to nobody', async () => {
    await database.reader.withSnapshot(async (snapshot) => {
      await database.write((writer) => writer.append('kept', COLUMNS, [CELLS]))
      expect(await count(snapshot)).toBe('3')
    })
    const failed = database.write((writer) =>
      writer.transaction(async () => {
        await writer.append('kept', COLUMNS, [CELLS, CELLS])
        throw new Error('half-way')
      }),
    )
    await expect(failed).rejects.toThrow('half-way')
    await database.reader.withSnapshot(async (snapshot) => expect(await count(snapshot)).toBe('4'))
  })

  it('ends a snapshot whose work has failed only after the statement that still runs', async () => {
    const heavy = statement(sql`select count(*) as n from range(20000) as a(i), range(1000) as b(j) where (i * j) % 7 = 3`)
    const ended: string[] = []
    const asked = database.reader.withSnapshot((snapshot) =>
      Promise.all([
        count(snapshot).then(() => Promise.reject(new Error('refused'))),
        snapshot.query(heavy).then(() => ended.push('statement')),
      ]),
    )
    await expect(asked.finally(() => ended.push('snapshot'))).rejects.toThrow('refused')
    expect(ended).toEqual(['statement', 'snapshot'])
    await database.reader.withSnapshot(async (snapshot) => expect(await count(snapshot)).toBe('4'))
  })

  it('keeps what does not fit into memory apart from another database of the same directory, and leaves nothing behind', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'plumbline-test-'))
    const open = () => openDuckdb({ dialect: duckdb, memoryMb: 64, directory })
    const [one, other] = [await open(), await open()]
    for (const [held, number] of [
      [one, 1],
      [other, 2],
    ] as const) {
      await held.write(async (writer) => {
        await writer.query(statement(sql`create table large (whole bigint, double bigint)`))
        for (let part = 0; part < 6; part += 1)
          await writer.query(
            statement(
              sql`insert into large select ${value(number, 'integer')}, ${value(number, 'integer')} * 1000 from range(1000000)`,
            ),
          )
      })
    }
    expect((await readdir(directory, { recursive: true })).filter((name) => name.endsWith('.tmp')).length).toBeGreaterThan(0)
    const sums = sql`select sum(whole) as total, sum(double) as doubled from large`
    for (let round = 0; round < 2; round += 1) {
      expect(await runFragment(one.reader, sums)).toEqual([{ total: '6000000', doubled: '6000000000' }])
      expect(await runFragment(other.reader, sums)).toEqual([{ total: '12000000', doubled: '12000000000' }])
    }
    await one.close()
    await other.close()
    expect(await readdir(directory)).toEqual([])
    await rm(directory, { recursive: true })
  })

  it('ends a statement that takes too long or that nobody waits for', async () => {
    const endless = sql`select sum(a.range * b.range) as n from range(${value(10_000_000, 'integer')}) as a, range(10000000) as b`
    const impatient = await openDuckdb({ dialect: duckdb, memoryMb: 200, directory: tmpdir(), statementTimeoutMs: 1 })
    await expect(runFragment(impatient.reader, endless)).rejects.toMatchObject({ code: 'query_timeout' })
    await impatient.close()
    const control = new AbortController()
    const left = database.reader.withSnapshot(
      async (snapshot) => {
        const running: Promise<readonly Row[]> = snapshot.query(statement(endless))
        control.abort(new Error('gone'))
        return running
      },
      { signal: control.signal },
    )
    await expect(left).rejects.toThrow('gone')
  })
})
