import { isDeepStrictEqual } from 'node:util'
import type { InlineRelation } from '../../compiler/inline.ts'
import type { Statement } from '../../compiler/statement.ts'
import type { KeyType, RawTable } from '../../connector-kit/mirror-source.ts'
import { type Fragment, ident, sql, statementOf } from '../../connector-kit/query-runner.ts'
import { InternalError } from '../../core/errors.ts'
import { parseInteger } from '../../core/money.ts'
import { sqlInstant } from '../../core/periods.ts'
import { mapInSlices } from '../../core/slices.ts'
import type { CacheColumn, CacheWriter, ScratchWriter } from '../../ports/cache-database.ts'
import type { Row } from '../../ports/rows.ts'
import { RELATION_CONTRACTS } from '../../relations/contracts.ts'
import { inlineColumns } from '../../relations/define-relation.ts'
import { CUSTOMER_KEY, castsOf, createTable, send } from '../held/held-tables.ts'
import { inlineTable, type Plan, type Step } from '../held/steps.ts'
import type { ReadRows } from './copy-rows.ts'
import type { Beat } from './liveness.ts'

/**
 * The tables of `work` in which the rows of some customers are made: raw tables, inline relations, steps, and the keys of the wanted
 * customers. They exist as long as the mirror.
 */
export interface WorkArea {
  /** Runs statements over the tables. */
  query(statement: Statement): Promise<readonly Row[]>
  /** True if the tables are in a scratch database, apart from the held tables. */
  readonly isApart: boolean
  /** Runs work that loads rows and runs steps. In a scratch database, no rows are left after it. */
  within<T>(work: () => Promise<T>): Promise<T>
  /** Makes the tables that are missing, and writes the inline relations that have changed. */
  prepare(plan: Plan, tables: readonly RawTable[]): Promise<void>
  /** Replaces all raw rows. */
  load(rows: ReadRows): Promise<void>
  /** Runs the steps that fill tables. */
  run(steps: readonly Step[], beat: Beat): Promise<void>
  /** False if the step has no rows. */
  mayHaveRows(step: Step): boolean
  /** Replaces the keys in `work.wanted`. */
  want(keys: readonly string[]): Promise<void>
  /** Removes the rows of all raw tables and steps. */
  clear(): Promise<void>
}

/** Rows of an inline relation that are compared one by one. */
const SHORT = 1_000

/** The table of the wanted customers. */
export const WANTED = sql`work.wanted`

/** An empty work area of a writer: that of the cache's database, or that of its scratch database. */
export function createWorkArea(writer: CacheWriter | ScratchWriter, keyType: KeyType): WorkArea {
  const isApart = 'undone' in writer
  const made = new Set<string>()
  /** Tables that may have rows. To empty an empty table costs as much as a small step. */
  const filled = new Set<string>()
  /** The keys in `work.wanted`. */
  let wanted: readonly string[] | undefined
  const written = new Map<string, InlineRelation>()
  let raw: readonly RawTable[] = []
  let stepTables: readonly string[] = []
  const inWork = (name: string): Fragment => sql`work.${ident(name)}`
  const keyColumn: CacheColumn = { name: CUSTOMER_KEY, type: keyType }

  const make = async (name: string, columns: readonly CacheColumn[]): Promise<void> => {
    if (made.has(name)) return
    await send(writer, createTable(inWork(name), columns, writer.dialect))
    made.add(name)
  }
  /**
   * Empties a table. DuckDB keeps the memory of truncated rows until its next checkpoint, so the table is made again. The plans of a scratch
   * database need the same table.
   */
  const empty = async (name: string): Promise<void> => {
    if (!filled.has(name)) return
    const table = inWork(name)
    await send(writer, isApart ? sql`truncate ${table}` : sql`create or replace table ${table} as from ${table} with no data`)
    filled.delete(name)
  }
  const append = async (name: string, columns: readonly CacheColumn[], rows: readonly Row[]): Promise<void> => {
    if (rows.length === 0) return
    filled.add(name)
    await writer.append(name, columns, rows, 'work')
  }

  /** Gives columns the types of the relation's contract. DuckDB takes a column that is always null for a number. */
  const typesOf = (relation: string): string => {
    const contract = RELATION_CONTRACTS.find(({ name }) => name === relation)
    if (contract === undefined) return ''
    const casts = castsOf(inlineColumns(contract, keyType), writer.dialect)
    return statementOf(sql`replace (${casts})`, writer.dialect, 'mirror').text
  }

  const writeInline = async (relation: InlineRelation): Promise<void> => {
    if (isSame(written.get(relation.name), relation)) return
    const name = inlineTable(relation.name)
    await make(name, relation.columns)
    await empty(name)
    const rows = await mapInSlices(
      relation.rows,
      (cells): Row => Object.fromEntries(relation.columns.map((column, index) => [column.name, cellOf(cells[index])])),
    )
    await append(name, relation.columns, rows)
    written.set(relation.name, relation)
  }

  const isPossible = (needs: Step['needs']) => needs.length === 0 || needs.some((table) => filled.has(table))

  /** The transaction of a scratch database takes back all rows that came after its begin. */
  const undone = async <T>(scratch: ScratchWriter, work: () => Promise<T>): Promise<T> => {
    const before = [...filled]
    try {
      return await scratch.undone(work)
    } finally {
      filled.clear()
      for (const name of before) filled.add(name)
      wanted = undefined
    }
  }

  return {
    query: writer.query,
    isApart,
    within: (work) => ('undone' in writer ? undone(writer, work) : work()),
    mayHaveRows: ({ table, needs }) => (table === undefined ? isPossible(needs) : filled.has(table)),
    async prepare({ steps, inline, params }, tables) {
      raw = tables
      stepTables = steps.flatMap(({ table = [] }) => table)
      await make('wanted', [keyColumn])
      for (const table of tables) await make(table.name, table.columns)
      for (const relation of params.columns.length === 0 ? inline : [...inline, params]) await writeInline(relation)
      for (const { relation, table, rows, needs } of steps) {
        // A name that is never filled would leave the step out for ever.
        const unknown = needs.find((needed) => !made.has(needed))
        if (unknown !== undefined)
          throw new InternalError(`relation.${relation} needs ${unknown}, which the mirror does not have`)
        if (table === undefined || made.has(table)) continue
        await writer.query(prefixed('create table', table, rows, ` as select * ${typesOf(relation)} from (`, ') with no data'))
        made.add(table)
      }
    },
    async load(rows) {
      for (const { name } of raw) await empty(name)
      for (const name of rows.filled) filled.add(name)
      await rows.load(writer)
    },
    async run(steps, beat) {
      for (const { table, rows, needs } of steps) {
        if (table === undefined) continue
        await empty(table)
        if (!isPossible(needs)) continue
        filled.add(table)
        const [inserted] = await writer.query(prefixed('insert into', table, rows))
        if (inserted !== undefined && parseInteger(inserted['Count']) === 0) filled.delete(table)
        beat()
      }
    },
    async clear() {
      for (const name of [...raw.map((table) => table.name), ...stepTables]) await empty(name)
    },
    async want(keys) {
      if (isDeepStrictEqual(keys, wanted)) return
      wanted = undefined
      await make('wanted', [keyColumn])
      await empty('wanted')
      await append(
        'wanted',
        [keyColumn],
        keys.map((key) => ({ [CUSTOMER_KEY]: key })),
      )
      wanted = keys
    },
  }
}

/** Connectors share unchanged relations between sessions, except for short ones. */
function isSame(before: InlineRelation | undefined, now: InlineRelation): boolean {
  if (before === undefined || before === now) return before === now
  return now.rows.length <= SHORT && JSON.stringify(before.rows) === JSON.stringify(now.rows)
}

/** A statement about a table of `work` that takes the rows of another statement. */
function prefixed(verb: 'create table' | 'insert into', table: string, rows: Statement, before = '', after = ''): Statement {
  return { ...rows, text: `${verb} work.${table}${before}\n${rows.text}${after}` }
}

function cellOf(cell: InlineRelation['rows'][number][number] | undefined): Row[string] {
  if (cell === undefined || cell === null) return null
  if (cell instanceof Date) return sqlInstant(cell)
  return typeof cell === 'object' ? String(cell) : cell
}
