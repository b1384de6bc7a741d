import { tmpdir } from 'node:os'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Step } from '../../src/cache/held/steps.ts'
import type { ReadRows } from '../../src/cache/mirror/copy-rows.ts'
import { createWorkArea, type WorkArea } from '../../src/cache/mirror/work-area.ts'
import { duckdb } from '../../src/compiler/dialects/duckdb.ts'
import type { RawTable } from '../../src/connector-kit/mirror-source.ts'
import { empty, ident, sql, statementOf } from '../../src/connector-kit/query-runner.ts'
import { openDuckdb } from '../../src/databases/duckdb/duckdb.ts'
import type { CacheDatabase, CacheWriter } from '../../src/ports/cache-database.ts'

const COLUMNS = [{ name: 'customer_key', type: 'integer' }] as const
const RAW: readonly RawTable[] = ['fruit', 'nut'].map((name) => ({ name, columns: COLUMNS, select: () => empty }))
const STEPS = RAW.map(({ name }) => ({
  relation: name,
  table: `step_${name}`,
  needs: [],
  rows: { text: `select customer_key from work.${name}`, values: [], label: name },
}))

const SOME = { values: [], label: 'test' }
const MANY = 200_000

/** Keys that the source sends, by raw table. */
type Sent = Readonly<Record<'fruit' | 'nut', readonly number[]>>

const readOf = (sent: Sent): ReadRows => ({
  rows: sent.fruit.length + sent.nut.length,
  filled: RAW.map(({ name }) => name).filter((name) => sent[name as keyof Sent].length > 0),
  async load(writer) {
    for (const { name } of RAW)
      await writer.append(
        name,
        COLUMNS,
        sent[name as keyof Sent].map((customer_key) => ({ customer_key })),
        'work',
      )
  },
  discard: async () => {},
})

describe('the work area of a mirror', () => {
  let database: CacheDatabase
  let emptied: string[]
  beforeEach(async () => {
    database = await openDuckdb({ dialect: duckdb, memoryMb: 200, directory: tmpdir() })
  })
  afterEach(() => database.close())

  const within = <T>(use: (work: WorkArea, keysIn: (table: string) => Promise<readonly number[]>) => Promise<T>) =>
    database.write(async (writer) => {
      emptied = []
      const noting: CacheWriter = {
        ...writer,
        query(statement) {
          const [, table] = /create or replace table work\.(\w+)/.exec(statement.text) ?? []
          if (table !== undefined) emptied.push(table)
          return writer.query(statement)
        },
      }
      const keysIn = async (table: string) => {
        const rows = await writer.query(
          statementOf(sql`select customer_key from work.${ident(table)} order by customer_key`, duckdb, 'test'),
        )
        return rows.map((row) => Number(row['customer_key']))
      }
      return use(createWorkArea(noting, 'integer'), keysIn)
    })

  it('holds the rows of the last customers alone, and empties no empty table', async () => {
    await within(async (work, keysIn) => {
      const params = { name: 'params', columns: [], rows: [] }
      await work.prepare({ steps: STEPS, inline: [], params: { ...params, columns: COLUMNS } }, RAW)
      const tables = ['fruit', 'nut', 'step_fruit', 'step_nut']
      const make = async (sent: Sent) => {
        emptied = []
        await work.load(readOf(sent))
        await work.run(STEPS, () => {})
        return Promise.all(tables.map(keysIn))
      }
      expect(await make({ fruit: [1, 2], nut: [] })).toEqual([[1, 2], [], [1, 2], []])
      expect(emptied).toEqual([])
      expect(await make({ fruit: [], nut: [3] })).toEqual([[], [3], [], [3]])
      expect(emptied).toEqual(['fruit', 'step_fruit'])
      expect(await make({ fruit: [4], nut: [3] })).toEqual([[4], [3], [4], [3]])
      expect(emptied).toEqual(['nut', 'step_nut'])
    })
  })

  it('gives the memory of the rows back at once', async () => {
    const memory = async (writer: CacheWriter): Promise<number> => {
      const used = sql`select sum(memory_usage_bytes) as bytes from duckdb_memory() where tag = 'IN_MEMORY_TABLE'`
      return Number((await writer.query(statementOf(used, duckdb, 'test')))[0]?.['bytes'])
    }
    const many: ReadRows = {
      ...readOf({ fruit: [], nut: [] }),
      filled: ['fruit'],
      load: async (writer) =>
        void (await writer.query({ ...SOME, text: `insert into work.fruit select i from range(${MANY}) r(i)` })),
    }
    await database.write(async (writer) => {
      const work = createWorkArea(writer, 'integer')
      await work.prepare({ steps: STEPS, inline: [], params: { name: 'params', columns: [], rows: [] } }, RAW)
      const before = await memory(writer)
      const used: number[] = []
      for (let round = 0; round < 4; round += 1) {
        await work.load(many)
        await work.run(STEPS, () => {})
        used.push(await memory(writer))
        await work.clear()
        expect(await memory(writer)).toBe(before)
      }
      // Two tables of eight bytes a row.
      expect(Math.min(...used)).toBeGreaterThan(before + 2 * 8 * MANY)
      expect(Math.max(...used)).toBeLessThan(before + 2 * 2 * 8 * MANY)
    })
  })

  it('leaves out steps whose needs have no rows, also when they had some before', async () => {
    const ran: string[] = []
    await within(async (area, keysIn) => {
      const step = (relation: string, needs: readonly string[]): Step => ({
        relation,
        table: `step_${relation}`,
        needs,
        rows: { text: `select customer_key from work.nut`, values: [], label: relation },
      })
      // Wrong on purpose: the step has rows without the table that it says it needs.
      const steps = [...STEPS, step('cake', ['fruit']), step('slice', ['step_cake']), step('either', ['fruit', 'nut'])]
      await area.prepare({ steps, inline: [], params: { name: 'params', columns: [], rows: [] } }, RAW)
      const make = async (sent: Sent) => {
        await area.load(readOf(sent))
        await area.run(steps, () => ran.push('step'))
        return Promise.all(['step_cake', 'step_slice', 'step_either'].map(keysIn))
      }
      expect(await make({ fruit: [1], nut: [2] })).toEqual([[2], [2], [2]])
      expect(await make({ fruit: [], nut: [2] })).toEqual([[], [], [2]])
      expect(await make({ fruit: [], nut: [] })).toEqual([[], [], []])
      expect(ran).toHaveLength(5 + 3 + 2)
      const unknown = { steps: [step('tart', ['berry'])], inline: [], params: { name: 'params', columns: [], rows: [] } }
      await expect(area.prepare(unknown, RAW)).rejects.toThrow('relation.tart needs berry, which the mirror does not have')
    })
  })

  it('of a scratch database holds no rows after the work, and makes them again', async () => {
    const scratch = await database.scratch()
    const keysIn = async (table: string) =>
      (
        await scratch.query(statementOf(sql`select customer_key from work.${ident(table)} order by customer_key`, duckdb, 'test'))
      ).map((row) => Number(row['customer_key']))
    const work = createWorkArea(scratch, 'integer')
    const tables = ['fruit', 'nut', 'step_fruit', 'step_nut', 'wanted', 'inline_params']
    const make = (sent: Sent) =>
      work.within(async () => {
        await work.want(['7'])
        await work.load(readOf(sent))
        await work.run(STEPS, () => {})
        return [await Promise.all(tables.map(keysIn)), STEPS.map(work.mayHaveRows)]
      })
    await work.prepare({ steps: STEPS, inline: [], params: { name: 'params', columns: COLUMNS, rows: [[8]] } }, RAW)
    expect(await make({ fruit: [1, 2], nut: [] })).toEqual([
      [[1, 2], [], [1, 2], [], [7], [8]],
      [true, false],
    ])
    expect(await Promise.all(tables.map(keysIn))).toEqual([[], [], [], [], [], [8]])
    expect(STEPS.map(work.mayHaveRows)).toEqual([false, false])
    expect(await make({ fruit: [], nut: [3] })).toEqual([
      [[], [3], [], [3], [7], [8]],
      [false, true],
    ])
    await expect(work.within(() => Promise.reject(new Error('the source is gone')))).rejects.toThrow('the source is gone')
    expect(await make({ fruit: [4], nut: [3] })).toEqual([
      [[4], [3], [4], [3], [7], [8]],
      [true, true],
    ])
  })

  it('holds the wanted keys of the last call', async () => {
    await within(async (work, keysIn) => {
      const want = async (keys: readonly string[]) => {
        await work.want(keys)
        return keysIn('wanted')
      }
      expect(await want(['1', '2'])).toEqual([1, 2])
      expect(await want(['1', '2'])).toEqual([1, 2])
      expect(emptied).toEqual([])
      expect(await want(['3'])).toEqual([3])
      expect(await want([])).toEqual([])
      expect(await want(['1', '2'])).toEqual([1, 2])
    })
  })
})
