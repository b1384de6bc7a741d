import type { Row } from '../../../src/connector-kit/connector.ts'
import { type Fragment, ident, join, type QueryRunner, sql, textList, value } from '../../../src/connector-kit/query-runner.ts'
import { chunksOf } from '../../../src/core/batches.ts'
import { InternalError } from '../../../src/core/errors.ts'
import { parseInteger } from '../../../src/core/money.ts'
import { LOGS, type Log, type LogObject } from './logs.ts'
import { readTransactions, type Transactions } from './transactions.ts'

/** How many of a table's newest numbers are watched from the first look on for rows that are committed late. */
const FIRST_WATCHED = 10_000
/** Keys in one statement. */
const CHUNK = 500

/** A log up to `low` is settled; above it each number seen is remembered, because numbers are given before the commit (KB 1.1). */
interface Watched {
  readonly low: number
  readonly seen: ReadonlySet<number>
  readonly sum: bigint
}

/** How many rows stand above the low mark, and the sum of their numbers. */
interface Mark {
  readonly count: number
  readonly sum: bigint
}

/** Where the logs stand in one snapshot. */
export interface LogState {
  readonly watched: ReadonlyMap<string, Watched>
  readonly transactions: Transactions
}

/** What the logs say that they did not say before. */
export interface LogChanges {
  /** `lost`: rows seen before are gone, so this is an older copy of the database or another one. */
  readonly kind: 'none' | 'some' | 'lost'
  readonly accounts: readonly number[]
  /** Logs with new rows. */
  readonly tables: ReadonlySet<string>
  readonly state: LogState
}

/** First look at the logs; the newest numbers are watched although they were there, for gaps among them may still be filled. */
export async function firstLook(run: QueryRunner, dialect: string): Promise<LogState> {
  const tops = await run(
    'killbill.log.tops',
    unionOf(LOGS, ({ table }) => sql`select ${value(table, 'text')} as log, max(t.record_id) as top from ${ident(table)} as t`),
  )
  const lows = new Map(tops.map((row) => [String(row['log']), lowBelow(row['top'] ?? null)]))
  const start: LogState = {
    watched: new Map(LOGS.map(({ table }) => [table, watchedFrom(lows.get(table) ?? 0, [])])),
    transactions: await readTransactions(run, dialect),
  }
  const { watched } = await readNew(run, start, LOGS)
  return { ...start, watched }
}

/** Looks again, in a later snapshot. One statement as long as nothing has changed. */
export async function lookAgain(run: QueryRunner, before: LogState, dialect: string): Promise<LogChanges> {
  const marks = await readMarks(run, before)
  const transactions = await readTransactions(run, dialect)
  const moved = LOGS.filter(({ table }) => !isSame(before.watched.get(table), marks.get(table)))
  if (moved.length === 0) {
    return { kind: 'none', accounts: [], tables: new Set(), state: { watched: before.watched, transactions } }
  }
  const { watched, fresh, isLost } = await readNew(run, before, moved)
  const accounts = await accountsOf(run, fresh)
  const tables = new Set(moved.map(({ table }) => table))
  return { kind: isLost ? 'lost' : 'some', accounts, tables, state: { watched, transactions } }
}

/** The state with everything settled up to where an earlier one stood: what was still open then has ended by now. */
export function settle(state: LogState, upTo: ReadonlyMap<string, number>): LogState {
  const watched = new Map(
    [...state.watched].map(([table, known]) => {
      const top = upTo.get(table) ?? known.low
      return [
        table,
        top <= known.low
          ? known
          : watchedFrom(
              top,
              [...known.seen].filter((id) => id > top),
            ),
      ]
    }),
  )
  return { ...state, watched }
}

/** The highest number seen of each log. */
export function topsOf({ watched }: LogState): ReadonlyMap<string, number> {
  return new Map([...watched].map(([table, { low, seen }]) => [table, [...seen].reduce((top, id) => (id > top ? id : top), low)]))
}

async function readMarks(run: QueryRunner, { watched }: LogState): Promise<ReadonlyMap<string, Mark>> {
  const rows = await run(
    'killbill.log.marks',
    unionOf(
      LOGS,
      ({ table }) => sql`select ${value(table, 'text')} as log, count(*) as entries, coalesce(sum(t.record_id), 0) as total
from ${ident(table)} as t where t.record_id > ${lowOf(watched, table)}`,
    ),
  )
  return new Map(
    rows.map((row) => [String(row['log']), { count: parseInteger(row['entries']), sum: BigInt(String(row['total'])) }]),
  )
}

/** A log with its rows that were not seen before. */
interface Fresh {
  readonly log: Log
  readonly rows: readonly Row[]
}

/** The numbers above the low mark of these logs, with the rows not seen before. */
async function readNew(run: QueryRunner, before: LogState, logs: readonly Log[]) {
  const watched = new Map(before.watched)
  const fresh: Fresh[] = []
  let isLost = false
  for (const log of logs) {
    const { table, account, object } = log
    const known = before.watched.get(table)
    if (known === undefined) throw new InternalError(`the log ${table} is not watched`)
    const column = account === null ? sql`0` : sql`t.${ident(account)}`
    const key = object === undefined ? column : sql`t.${ident(object.key)}`
    const rows = await run(
      `killbill.log.${table}`,
      sql`select t.record_id, ${column} as account, ${key} as object from ${ident(table)} as t
where t.record_id > ${value(known.low, 'integer')}`,
    )
    const seen = rows.map((row) => parseInteger(row['record_id']))
    const now = watchedFrom(known.low, seen)
    isLost ||= [...known.seen].some((id) => !now.seen.has(id))
    fresh.push({ log, rows: rows.filter((row) => !known.seen.has(parseInteger(row['record_id']))) })
    watched.set(table, now)
  }
  return { watched, fresh, isLost }
}

/** The accounts that new rows are about. */
async function accountsOf(run: QueryRunner, fresh: readonly Fresh[]): Promise<readonly number[]> {
  const accounts = new Set<number>()
  for (const { log, rows } of fresh) {
    if (log.account === null) continue
    const owners = log.object === undefined ? new Map<string, number>() : await ownersOf(run, log.object, rows)
    for (const row of rows) accounts.add(owners.get(String(row['object'])) ?? parseInteger(row['account']))
  }
  return [...accounts]
}

/** The account of each object that rows are about, by its key; asked by the keys, as there are few and the tables are large. */
async function ownersOf(run: QueryRunner, { table, id }: LogObject, rows: readonly Row[]): Promise<ReadonlyMap<string, number>> {
  const owners = new Map<string, number>()
  const column = ident(id.column)
  for (const keys of chunksOf([...new Set(rows.map((row) => String(row['object'])))], CHUNK)) {
    const list = id.type === 'text' ? textList(keys) : value(keys.map(Number), 'integers')
    const found = await run(
      `killbill.log.${table}`,
      sql`select t.${column} as object, t.account_record_id as account from ${ident(table)} as t where t.${column} in (${list})`,
    )
    for (const row of found) owners.set(String(row['object']), parseInteger(row['account']))
  }
  return owners
}

function lowOf(watched: LogState['watched'], table: string): Fragment {
  return value(watched.get(table)?.low ?? 0, 'integer')
}

function lowBelow(top: Row[string]): number {
  return top === null || top === undefined ? 0 : Math.max(0, parseInteger(top) - FIRST_WATCHED)
}

function watchedFrom(low: number, seen: readonly number[]): Watched {
  return { low, seen: new Set(seen), sum: seen.reduce((sum, id) => sum + BigInt(id), 0n) }
}

function isSame(before: Watched | undefined, now: Mark | undefined): boolean {
  return before?.seen.size === now?.count && before?.sum === now?.sum
}

function unionOf(logs: readonly Log[], select: (log: Log) => Fragment): Fragment {
  return join(logs.map(select), sql` union all `)
}
