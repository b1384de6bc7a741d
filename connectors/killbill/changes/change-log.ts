import type { Row } from '../../../src/connector-kit/connector.ts'
import { checkCount } from '../../../src/connector-kit/counted-runner.ts'
import { ident, join, type QueryRunner, sql, value } from '../../../src/connector-kit/query-runner.ts'
import { InternalError } from '../../../src/core/errors.ts'
import { parseInteger } from '../../../src/core/money.ts'
import { accountsOf } from './changed-accounts.ts'
import {
  type Findings,
  type FindingsWith,
  findingOf,
  findingsWith,
  type Known,
  readFindings,
  readFindingsWith,
  readProbes,
  readRowsAbove,
  readRowsWithin,
  readSettled,
  readZones,
  singleOf,
  tallyOfEarlier,
  watchedOf,
  zonesOf,
} from './log-statements.ts'
import { LOGS, type Log } from './logs.ts'
import { readServerState, type ServerState, selectServerState, serverStateOf, tellsCluster } from './server-state.ts'
import {
  type Printed,
  readTail,
  type Tally,
  tallyOfTail,
  tallyOfZone,
  type Watched,
  watchAbove,
  watchedStretch,
  withLateRows,
} from './watched.ts'

/** Number of a table's newest rows that are watched from the first look on, for rows that are committed late. */
const FIRST_WATCHED = 10_000
/** Most rows in one result. */
const PAGE = 10_000

/** The known rows of the logs, by table. It is JSON. */
export interface LogMarks {
  readonly watched: Known
  /** True if the server reports its cluster to this role (`tellsCluster`). */
  readonly tells_cluster: boolean
}

/** The logs in one snapshot, and the server of the snapshot. */
export interface LogState {
  readonly marks: LogMarks
  readonly server: ServerState
}

/** The changes of the logs since earlier marks. */
export interface LogChanges extends LogState {
  /** `lost`: earlier rows are gone, or their numbers belong to other rows. The database is an older copy, or a different one. */
  readonly kind: 'none' | 'some' | 'lost'
  /** Logs with new rows. */
  readonly moved: readonly string[]
  readonly accounts: readonly number[]
}

/** First look at the logs. It already watches the newest numbers, because gaps among them may still be filled. */
export async function firstLook(run: QueryRunner, dialect: string): Promise<LogState> {
  const selects = LOGS.map(
    ({ table }) => sql`select ${value(table, 'text')} as log, max(t.record_id) as top from ${ident(table)} as t`,
  )
  const tops = await run('killbill.log.tops', join(selects, sql` union all `))
  checkCount('killbill.log.tops', tops.length, LOGS.length)
  const lows = new Map(tops.map((row) => [String(row['log']), lowBelow(row['top'] ?? null)]))
  const tells_cluster = await tellsCluster(run, dialect)
  const server = await readServerState(run, dialect, tells_cluster)
  const probes = await readProbes(run, lows, dialect)
  const empty = Object.fromEntries(
    LOGS.map(({ table }) => [table, watchAbove(lows.get(table) ?? 0, probes.get(table) ?? [])] as const),
  )
  const found = await readFindings(run, empty, dialect)
  const watched: Record<string, Watched> = {}
  for (const log of LOGS) {
    const known = watchedOf(empty, log.table)
    const read = await readNewRows(run, known, {
      log,
      dialect,
      expected: findingOf(found, log.table).count,
      take: async () => {},
    })
    if (read === null) throw new InternalError(`the log ${log.table} contradicts itself`)
    watched[log.table] = read
  }
  return { marks: { watched, tells_cluster }, server }
}

/**
 * Looks again, in a later snapshot. Runs one statement if nothing has changed. `isStranger`: this process has not yet looked with these
 * marks, so all known rows are counted, and some of the oldest ones are compared.
 */
export async function lookAgain(
  run: QueryRunner,
  before: LogMarks,
  { dialect, isStranger = false }: { readonly dialect: string; readonly isStranger?: boolean },
): Promise<LogChanges> {
  const known = before.watched
  const [found, row] = await readFindingsWith(run, lookOnce(before, dialect))
  const server = serverStateOf(row, dialect)
  const changes = (kind: LogChanges['kind'], watched = known, accounts: Iterable<number> = []): LogChanges => {
    const moved = LOGS.flatMap(({ table }) => (watched[table] === known[table] ? [] : [table]))
    return { kind, moved, accounts: [...accounts], marks: { ...before, watched }, server }
  }
  const accounts = new Set<number>()
  const watched: Record<string, Watched> = { ...known }
  const late = new Map<string, number>()
  for (const log of LOGS) {
    const old = watchedOf(known, log.table)
    const changed = whatChanged(old, found, log.table)
    if (changed === 'lost') return changes('lost')
    if (changed === 'nothing') continue
    const take = async (rows: readonly Row[]) => {
      for (const account of await accountsOf(run, log, rows)) accounts.add(account)
    }
    const searched = changed.zones
      ? await readLateRows(run, old, { log, dialect, take })
      : { watched: { ...old, late: [] }, count: 0 }
    if (searched === null) return changes('lost')
    late.set(log.table, searched.count)
    const expected = findingOf(found, log.table).count
    const read = changed.tail ? await readNewRows(run, searched.watched, { log, dialect, expected, take }) : searched.watched
    if (read === null) return changes('lost')
    watched[log.table] = read
  }
  if (isStranger && !(await areAllThere(run, known, { dialect, late }))) return changes('lost')
  const looked = changes('some', watched, accounts)
  return looked.moved.length === 0 ? { ...looked, kind: 'none' } : looked
}

/** The statement of a look, by its marks. As long as nothing changes, each look has the same marks. */
const looks = new WeakMap<LogMarks, FindingsWith>()

function lookOnce(marks: LogMarks, dialect: string): FindingsWith {
  const look = looks.get(marks) ?? findingsWith(marks.watched, dialect, selectServerState(dialect, marks.tells_cluster))
  looks.set(marks, look)
  return look
}

interface Expected {
  readonly tail: Tally
  readonly earlier: Tally
}

/** The tallies that a look finds if nothing has changed. They take a while to add up, and each look has the same ones. */
const tallies = new WeakMap<Watched, Expected>()

function expectedOf(known: Watched): Expected {
  const expected = tallies.get(known) ?? { tail: tallyOfTail(known), earlier: tallyOfEarlier(known) }
  tallies.set(known, expected)
  return expected
}

type Take = (rows: readonly Row[]) => Promise<void>

function whatChanged(
  known: Watched,
  found: Findings,
  table: string,
): 'nothing' | 'lost' | { readonly tail: boolean; readonly zones: boolean } {
  const { zones, late } = known
  const tail = findingOf(found, table)
  const wanted = expectedOf(known)
  const isTailSame = tail.print === known.print && isSame(tail, wanted.tail)
  const isZonesSame = zones.length === 0 || isSame(findingOf(found, zonesOf(table)), wanted.earlier)
  if (late.length > 0) {
    const again = findingOf(found, singleOf(table))
    if (again.count !== late.length || again.print !== printOf(late)) return 'lost'
  }
  return isTailSame && isZonesSame ? 'nothing' : { tail: !isTailSame, zones: !isZonesSame }
}

/** Reads the rows above the tail, a page at a time. `take` gets those that have not been seen before. */
async function readNewRows(
  run: QueryRunner,
  known: Watched,
  { log, dialect, expected, take }: { log: Log; dialect: string; expected: number; take: Take },
): Promise<Watched | null> {
  const reading = readTail(known)
  let count = 0
  for (;;) {
    const rows = await readRowsAbove(run, log, dialect, { above: reading.last(), most: PAGE })
    count += rows.length
    await take(rows.filter((row) => reading.add(parseInteger(row['record_id']), parseInteger(row['print']))))
    if (rows.length < PAGE) break
  }
  checkCount(`killbill.log.${log.table}`, count, expected)
  return reading.end()
}

/** Reads the rows of the zones that have changed. All of them count as new, because their numbers are not known one by one. */
async function readLateRows(
  run: QueryRunner,
  known: Watched,
  { log, dialect, take }: { log: Log; dialect: string; take: Take },
): Promise<{ readonly watched: Watched; readonly count: number } | null> {
  const { zones } = known
  const found = await readZones(run, log, zones)
  const changed = zones.filter((zone, place) => !isSame(found[place] ?? NOTHING, tallyOfZone(zone)))
  // A row is gone from between the zones.
  if (changed.length === 0) return null
  const printed: Printed[] = []
  let count = 0
  for (const zone of changed) {
    const now = found[zones.indexOf(zone)] ?? NOTHING
    const before = tallyOfZone(zone)
    if (now.count <= before.count) return null
    count += now.count - before.count
    const rows = await readRowsWithin(run, log, dialect, zone)
    checkCount(`killbill.log.${log.table}`, rows.length, now.count)
    await take(rows)
    printed.push(...rows.map((row) => [parseInteger(row['record_id']), parseInteger(row['print'])] as const))
  }
  return { watched: withLateRows(known, new Set(changed), printed), count }
}

/** True if all known rows are still there. `late` is the number of rows that this look has found in zones. */
async function areAllThere(
  run: QueryRunner,
  known: Known,
  { dialect, late }: { readonly dialect: string; readonly late: ReadonlyMap<string, number> },
): Promise<boolean> {
  const found = await readSettled(run, known, dialect)
  return LOGS.every(({ table }) => {
    const watched = watchedOf(known, table)
    const { probes } = watched
    if (findingOf(found, table).count !== watchedStretch(watched).tally.count + (late.get(table) ?? 0)) return false
    if (probes.length === 0) return true
    const again = findingOf(found, singleOf(table))
    return again.count === probes.length && again.print === printOf(probes)
  })
}

const NOTHING: Tally = { count: 0, sum: 0n }

function isSame(a: Tally, b: Tally): boolean {
  return a.count === b.count && a.sum === b.sum
}

function printOf(rows: readonly Printed[]): number {
  return rows.reduce((sum, [, print]) => sum + print, 0)
}

function lowBelow(top: Row[string]): number {
  return top === null || top === undefined ? 0 : Math.max(0, parseInteger(top) - FIRST_WATCHED)
}
