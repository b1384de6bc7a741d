import type { Row } from '../../../src/connector-kit/connector.ts'
import { type Fragment, ident, join, type QueryRunner, sql, value } from '../../../src/connector-kit/query-runner.ts'
import { InternalError } from '../../../src/core/errors.ts'
import { parseInteger } from '../../../src/core/money.ts'
import { LOGS, type Log } from './logs.ts'
import { readTransactions, type Transactions } from './transactions.ts'

/** How many of a table's newest numbers are watched from the first look on for rows that are committed late. */
const FIRST_WATCHED = 10_000

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
  const { watched, accounts, isLost } = await readNew(run, before, moved)
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

/** The numbers above the low mark of these logs, with the accounts of those not seen before. */
async function readNew(run: QueryRunner, before: LogState, logs: readonly Log[]) {
  const watched = new Map(before.watched)
  const accounts = new Set<number>()
  let isLost = false
  for (const { table, account } of logs) {
    const known = before.watched.get(table)
    if (known === undefined) throw new InternalError(`the log ${table} is not watched`)
    const column = account === null ? sql`0` : sql`t.${ident(account)}`
    const rows = await run(
      `killbill.log.${table}`,
      sql`select t.record_id, ${column} as account from ${ident(table)} as t where t.record_id > ${value(known.low, 'integer')}`,
    )
    const seen = rows.map((row) => parseInteger(row['record_id']))
    const now = watchedFrom(known.low, seen)
    isLost ||= [...known.seen].some((id) => !now.seen.has(id))
    if (account !== null) for (const key of newAccounts(rows, known.seen)) accounts.add(key)
    watched.set(table, now)
  }
  return { watched, accounts: [...accounts], isLost }
}

function newAccounts(rows: readonly Row[], seen: ReadonlySet<number>): number[] {
  return rows.filter((row) => !seen.has(parseInteger(row['record_id']))).map((row) => parseInteger(row['account']))
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
