import type { Row } from '../../../src/connector-kit/connector.ts'
import { checkCount } from '../../../src/connector-kit/counted-runner.ts'
import { type Fragment, ident, join, type QueryRunner, sql, value } from '../../../src/connector-kit/query-runner.ts'
import { InternalError } from '../../../src/core/errors.ts'
import { parseInteger } from '../../../src/core/money.ts'
import { accountsOf, type Fresh } from './changed-accounts.ts'
import { LOGS, type Log, rowPrint } from './logs.ts'
import { readServerState, type ServerState, tellsCluster } from './server-state.ts'
import { advanceTo, isContradicted, isUnchanged, type Mark, topOf, type Watched, watch } from './watched.ts'

/** Number of a table's newest rows that are watched from the first look on, for rows that are committed late. */
const FIRST_WATCHED = 10_000

/** The positions of the logs in one snapshot, and the server of the snapshot. */
export interface LogState extends ServerState {
  readonly watched: ReadonlyMap<string, Watched>
  readonly tells_cluster: boolean
}

/** The changes of the logs since the last look. */
interface LogChanges {
  /** `lost`: earlier rows are gone, or their numbers belong to other rows. The database is an older copy, or a different one. */
  readonly kind: 'none' | 'some' | 'lost'
  readonly accounts: readonly number[]
  /** Logs with new rows. */
  readonly tables: ReadonlySet<string>
  readonly state: LogState
}

/** First look at the logs. It already watches the newest numbers, because gaps among them may still be filled. */
export async function firstLook(run: QueryRunner, dialect: string): Promise<LogState> {
  const tops = await run(
    'killbill.log.tops',
    unionOf(({ table }) => sql`select ${value(table, 'text')} as log, max(t.record_id) as top from ${ident(table)} as t`),
  )
  checkCount('killbill.log.tops', tops.length, LOGS.length)
  const lows = new Map(tops.map((row) => [String(row['log']), lowBelow(row['top'] ?? null)]))
  const empty = new Map(LOGS.map(({ table }) => [table, watch(lows.get(table) ?? 0, new Map())]))
  const tells_cluster = await tellsCluster(run, dialect)
  const server = await readServerState(run, dialect, tells_cluster)
  const marks = await readMarks(run, empty, dialect)
  const rows = await readRows(run, empty, LOGS, { dialect, marks })
  const watched = new Map(LOGS.map(({ table }) => [table, watch(lows.get(table) ?? 0, printsOf(rows.get(table) ?? []))]))
  return { ...server, watched, tells_cluster }
}

/** Looks again, in a later snapshot. Runs two statements if nothing has changed. */
export async function lookAgain(run: QueryRunner, before: LogState, dialect: string): Promise<LogChanges> {
  const marks = await readMarks(run, before.watched, dialect)
  const server = await readServerState(run, dialect, before.tells_cluster)
  const changes = (kind: LogChanges['kind'], more: Partial<LogChanges> & { watched?: LogState['watched'] } = {}): LogChanges => {
    const { watched = before.watched, accounts = [], tables = new Set<string>() } = more
    return { kind, accounts, tables, state: { ...server, watched, tells_cluster: before.tells_cluster } }
  }
  const moved = LOGS.filter(({ table }) => !isUnchanged(watchedOf(before.watched, table), marksOf(marks, table)))
  if (moved.length === 0) return changes('none')
  const rows = await readRows(run, before.watched, moved, { dialect, marks })
  const watched = new Map(before.watched)
  const fresh: Fresh[] = []
  for (const log of moved) {
    const known = watchedOf(before.watched, log.table)
    const own = rows.get(log.table) ?? []
    const prints = printsOf(own)
    if (isContradicted(known, prints)) return changes('lost')
    const unseen = own.filter((row) => !known.seen.has(parseInteger(row['record_id'])))
    fresh.push({ log, rows: unseen })
    watched.set(
      log.table,
      watch(
        known.low,
        prints,
        unseen.map((row) => parseInteger(row['record_id'])),
      ),
    )
  }
  const accounts = await accountsOf(run, fresh)
  return changes('some', { watched, accounts, tables: new Set(moved.map(({ table }) => table)) })
}

/** Advances the low mark of each log to the position of an earlier look, whose open transactions have ended. */
export function advanceLowMark(state: LogState, upTo: ReadonlyMap<string, number>): LogState {
  const watched = new Map([...state.watched].map(([table, known]) => [table, advanceTo(known, upTo.get(table) ?? known.low)]))
  return { ...state, watched }
}

/** The highest number seen of each log. */
export function topsOf({ watched }: LogState): ReadonlyMap<string, number> {
  return new Map([...watched].map(([table, known]) => [table, topOf(known)]))
}

type Marks = ReadonlyMap<string, Mark>

async function readMarks(run: QueryRunner, watched: LogState['watched'], dialect: string): Promise<Marks> {
  const rows = await run(
    'killbill.log.marks',
    unionOf((log) => {
      const { low, from } = watchedOf(watched, log.table)
      const table = ident(log.table)
      const print = sql`coalesce(sum(${rowPrint(log, 't', dialect)}), 0)`
      // If the prints of all watched rows are compared, a single scan reads them. Otherwise an index gives the numbers of the many
      // rows, and only the newest prints are read.
      const prints =
        from === low + 1 ? print : sql`(select ${print} from ${table} as t where t.record_id >= ${value(from, 'integer')})`
      return sql`select ${value(log.table, 'text')} as log, count(*) as entries, coalesce(sum(t.record_id), 0) as total, ${prints} as print
from ${table} as t where t.record_id > ${value(low, 'integer')}`
    }),
  )
  checkCount('killbill.log.marks', rows.length, LOGS.length)
  return new Map(
    rows.map((row) => {
      const mark = {
        count: parseInteger(row['entries']),
        sum: BigInt(String(row['total'])),
        print: parseInteger(row['print']),
      }
      return [String(row['log']), mark]
    }),
  )
}

/** The rows above the low mark of these logs. Their number must match the marks of the same snapshot. */
async function readRows(
  run: QueryRunner,
  watched: LogState['watched'],
  logs: readonly Log[],
  { dialect, marks }: { readonly dialect: string; readonly marks: Marks },
): Promise<ReadonlyMap<string, readonly Row[]>> {
  const read = new Map<string, readonly Row[]>()
  for (const log of logs) {
    const { table, account, object } = log
    const column = account === null ? sql`0` : sql`t.${ident(account)}`
    const key = object === undefined ? column : sql`t.${ident(object.key)}`
    const rows = await run(
      `killbill.log.${table}`,
      sql`select t.record_id, ${column} as account, ${key} as object, ${rowPrint(log, 't', dialect)} as print from ${ident(table)} as t
where t.record_id > ${value(watchedOf(watched, table).low, 'integer')}`,
    )
    checkCount(`killbill.log.${table}`, rows.length, marksOf(marks, table).count)
    read.set(table, rows)
  }
  return read
}

function printsOf(rows: readonly Row[]): ReadonlyMap<number, number> {
  return new Map(rows.map((row) => [parseInteger(row['record_id']), parseInteger(row['print'])]))
}

function watchedOf(watched: LogState['watched'], table: string): Watched {
  const known = watched.get(table)
  if (known === undefined) throw new InternalError(`the log ${table} is not watched`)
  return known
}

function marksOf(marks: Marks, table: string): Mark {
  const mark = marks.get(table)
  if (mark === undefined) throw new InternalError(`the log ${table} has no mark`)
  return mark
}

function lowBelow(top: Row[string]): number {
  return top === null || top === undefined ? 0 : Math.max(0, parseInteger(top) - FIRST_WATCHED)
}

function unionOf(select: (log: Log) => Fragment): Fragment {
  return join(LOGS.map(select), sql` union all `)
}
