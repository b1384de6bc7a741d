import type { Row } from '../../../src/connector-kit/connector.ts'
import { checkCount } from '../../../src/connector-kit/counted-runner.ts'
import { digits, type Fragment, ident, join, type QueryRunner, sql, value } from '../../../src/connector-kit/query-runner.ts'
import { InternalError } from '../../../src/core/errors.ts'
import { parseInteger } from '../../../src/core/money.ts'
import { LOGS, type Log, rowPrint } from './logs.ts'
import { endOf, type Printed, type Tally, tallyOfZone, type Watched, watchedStretch, type Zone } from './watched.ts'

/** The known rows of the logs, by table. */
export type Known = Readonly<Record<string, Watched>>

/** Number of rows, sum of their numbers, and sum of the prints that are compared. */
export interface Finding extends Tally {
  readonly print: number
}

/** Findings by log. Those of zones and of single rows have other names. */
export type Findings = ReadonlyMap<string, Finding>

/** Name of the finding of a log's zones. */
export const zonesOf = (table: string) => `${table} zones`
/** Name of the finding of a log's single rows. */
export const singleOf = (table: string) => `${table} single`

/** Number of stretches of a log from which the first look takes a row to compare. */
const STRETCHES = 4

/** Counts the rows of the tails and zones, and compares the prints of the newest ones, in one statement. */
export function readFindings(run: QueryRunner, known: Known, dialect: string): Promise<Findings> {
  return findingsOf(run, 'killbill.log.marks', findingSelects(known, dialect))
}

/** A look in one statement: the findings of `readFindings`, joined with the only row of another statement. */
export interface FindingsWith {
  readonly statement: Fragment
  readonly names: readonly string[]
}

/** Builds the statement of a look. `other` selects one row. */
export function findingsWith(known: Known, dialect: string, other: Fragment): FindingsWith {
  const selects = findingSelects(known, dialect)
  const statement = sql`select found.*, other.* from (${together(selects)}) as found cross join (${other}) as other`
  return { statement, names: selects.map(({ name }) => name) }
}

/** Runs the statement of a look. Resolves to the findings, and to a row with the columns of `other`. */
export async function readFindingsWith(
  run: QueryRunner,
  { statement, names }: FindingsWith,
): Promise<readonly [Findings, Row | undefined]> {
  const rows = await run('killbill.log.marks', statement)
  return [findingsIn('killbill.log.marks', rows, names), rows[0]]
}

/** The select of a finding, without the column that tells which one it is. */
interface Selected {
  readonly name: string
  readonly rows: Fragment
}

function findingSelects(known: Known, dialect: string): readonly Selected[] {
  return LOGS.flatMap((log) => {
    const { tail, from, zones, late } = watchedOf(known, log.table)
    const table = ident(log.table)
    const print = sql`coalesce(sum(${rowPrint(log, 't', dialect)}), 0)`
    // If the prints of all counted rows are compared, a single scan reads them. Otherwise an index gives the numbers of the many
    // rows, and only the newest prints are read.
    const prints = from === tail + 1 ? print : sql`(select ${print} from ${table} as t where t.record_id >= ${digits(from)})`
    return [
      select(log.table, prints, sql`${table} as t where t.record_id > ${digits(tail)}`),
      ...(zones.length === 0
        ? []
        : [select(zonesOf(log.table), sql`0`, sql`${table} as t where ${earlier(watchedOf(known, log.table))}`)]),
      ...(late.length === 0 ? [] : [select(singleOf(log.table), print, sql`${table} as t where ${among(late)}`)]),
    ]
  })
}

/** Rows that a server counts in one scan in the time that it takes to plan and read one more range. */
const ROWS_OF_A_RANGE = 150

/** The rows up to the tail that a look counts: those of the whole stretch if that costs less, otherwise those of the zones. */
export function tallyOfEarlier(known: Watched): Tally {
  if (isCountedWhole(known)) return watchedStretch(known).tally
  const none: Tally = { count: 0, sum: 0n }
  return known.zones.map(tallyOfZone).reduce((sum, zone) => ({ count: sum.count + zone.count, sum: sum.sum + zone.sum }), none)
}

function earlier(known: Watched): Fragment {
  return isCountedWhole(known) ? stretchOf(known) : within(known.zones)
}

function isCountedWhole(known: Watched): boolean {
  return known.tail - watchedStretch(known).above <= known.zones.length * ROWS_OF_A_RANGE
}

function stretchOf(known: Watched): Fragment {
  return sql`t.record_id > ${digits(watchedStretch(known).above)} and t.record_id <= ${digits(known.tail)}`
}

/** Counts the rows from the first zone to the tail of each log, and compares its probes, in one statement. */
export async function readSettled(run: QueryRunner, known: Known, dialect: string): Promise<Findings> {
  const selects = LOGS.flatMap((log) => {
    const watched = watchedOf(known, log.table)
    const { probes } = watched
    const table = ident(log.table)
    const print = sql`coalesce(sum(${rowPrint(log, 't', dialect)}), 0)`
    return [
      select(log.table, sql`0`, sql`${table} as t where ${stretchOf(watched)}`),
      ...(probes.length === 0 ? [] : [select(singleOf(log.table), print, sql`${table} as t where ${among(probes)}`)]),
    ]
  })
  return findingsOf(run, 'killbill.log.settled', selects)
}

/** Counts the rows of each zone of a log. */
export async function readZones(run: QueryRunner, log: Log, zones: readonly Zone[]): Promise<readonly Finding[]> {
  const names = zones.map((_, place) => String(place))
  const selects = zones.map((zone, place) =>
    select(names[place] ?? '', sql`0`, sql`${ident(log.table)} as t where ${within([zone])}`),
  )
  const found = await findingsOf(run, 'killbill.log.zones', selects)
  return names.map((name) => findingOf(found, name))
}

/** The next rows of a log above a number, in the order of their numbers. */
export function readRowsAbove(run: QueryRunner, log: Log, dialect: string, page: { above: number; most: number }) {
  const { above, most } = page
  return run(
    `killbill.log.${log.table}`,
    sql`${rowsOf(log, dialect)} where t.record_id > ${value(above, 'integer')} order by t.record_id limit ${digits(most)}`,
  )
}

/** The rows of a zone, in the order of their numbers. */
export function readRowsWithin(run: QueryRunner, log: Log, dialect: string, zone: Zone): Promise<readonly Row[]> {
  return run(`killbill.log.${log.table}`, sql`${rowsOf(log, dialect)} where ${within([zone])} order by t.record_id`)
}

/** The last row of each of a few stretches up to the low marks. */
export async function readProbes(
  run: QueryRunner,
  lows: ReadonlyMap<string, number>,
  dialect: string,
): Promise<ReadonlyMap<string, readonly Printed[]>> {
  const selects = LOGS.map((log) => {
    const low = lows.get(log.table) ?? 0
    const ends = [...new Set(Array.from({ length: STRETCHES }, (_, place) => Math.ceil((low * (place + 1)) / STRETCHES)))]
    const table = ident(log.table)
    const last = (end: number) => sql`(select max(o.record_id) from ${table} as o where o.record_id <= ${value(end, 'integer')})`
    return sql`select ${value(log.table, 'text')} as log, t.record_id, ${rowPrint(log, 't', dialect)} as print from ${table} as t
where t.record_id in (${join(ends.map(last), sql`, `)})`
  })
  const probes = new Map<string, Printed[]>()
  for (const row of await run('killbill.log.probes', join(selects, sql` union all `))) {
    const own = probes.get(String(row['log'])) ?? []
    own.push([parseInteger(row['record_id']), parseInteger(row['print'])])
    probes.set(String(row['log']), own)
  }
  for (const own of probes.values()) own.sort(([a], [b]) => a - b)
  return probes
}

async function findingsOf(run: QueryRunner, label: string, selects: readonly Selected[]): Promise<Findings> {
  return findingsIn(
    label,
    await run(label, together(selects)),
    selects.map(({ name }) => name),
  )
}

/** All findings in one statement. Each row has its place among them. */
function together(selects: readonly Selected[]): Fragment {
  return join(
    selects.map(({ rows }, place) => sql`select ${digits(place)} as place, ${rows}`),
    sql` union all `,
  )
}

function findingsIn(label: string, rows: readonly Row[], names: readonly string[]): Findings {
  checkCount(label, rows.length, names.length)
  return new Map(rows.map((row) => [names[parseInteger(row['place'])] ?? '', finding(row)]))
}

/** The finding of that name. InternalError if there is none. */
export function findingOf(found: Findings, name: string): Finding {
  const own = found.get(name)
  if (own === undefined) throw new InternalError(`nothing was read of ${name}`)
  return own
}

/** A log among known ones. InternalError if there is none. */
export function watchedOf(known: Known, table: string): Watched {
  const watched = known[table]
  if (watched === undefined) throw new InternalError(`the log ${table} is not watched`)
  return watched
}

function rowsOf(log: Log, dialect: string): Fragment {
  const { table, account, object } = log
  const column = account === null ? sql`0` : sql`t.${ident(account)}`
  const key = object === undefined ? column : sql`t.${ident(object.key)}`
  return sql`select t.record_id, ${column} as account, ${key} as object, ${rowPrint(log, 't', dialect)} as print from ${ident(table)} as t`
}

function select(name: string, print: Fragment, from: Fragment): Selected {
  return { name, rows: sql`count(*) as entries, coalesce(sum(t.record_id), 0) as total, ${print} as print from ${from}` }
}

// Numbers of rows are written as digits. A thousand placeholders would cost more than the statement, and a look without values has the same
// text until something changes.
function within(zones: readonly Zone[]): Fragment {
  const conditions = zones.map((zone) => sql`t.record_id between ${digits(zone[0])} and ${digits(endOf(zone))}`)
  return sql`(${join(conditions, sql` or `)})`
}

function among(rows: readonly Printed[]): Fragment {
  return sql`t.record_id in (${join(
    rows.map(([number]) => digits(number)),
    sql`, `,
  )})`
}

function finding(row: Row): Finding {
  const [count, print] = [parseInteger(row['entries']), parseInteger(row['print'])]
  return { count, sum: BigInt(String(row['total'])), print }
}
