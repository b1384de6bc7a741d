import { AppError } from '../../core/errors.ts'
import { sqlInstant } from '../../core/periods.ts'
import type { Snapshot } from '../../ports/snapshot.ts'
import { isIceberg, type LakePlace, sourceIn } from './place.ts'

/** The state of the billing tables that a publication reads. */
export interface Pins {
  /** The rows of each table, as a select. */
  readonly rows: ReadonlyMap<string, string>
  /** The Iceberg snapshot of each table. Null: the table has none, so each statement reads its rows of that moment. */
  readonly versions: Readonly<Record<string, string | null>>
  /** The instant up to which the rows are surely complete. Null: a table has no snapshot, so nobody knows. */
  readonly data_through: Date | null
  /** Tables without a commit in the day before the newest one. They count as unchanged. */
  readonly unchanged: readonly string[]
}

/** Tables whose last commits are asked for in one statement. */
const TOGETHER = 30
const DAY_MS = 86_400_000

interface Commit {
  readonly table: string
  readonly version: string
  readonly at: Date
}

/** A table or a view of the billing schema. */
export interface BillingTable {
  /** The engine's name. */
  readonly name: string
  /** The name on Trino. */
  readonly source: string
  /** A view has no Iceberg snapshot. */
  readonly isView: boolean
}

/** The tables and views of a schema that a connector can name. `names` are the names on Trino that differ from the engine's. */
export async function tablesOf(
  snapshot: Snapshot,
  { catalog, schema }: LakePlace,
  names: Readonly<Record<string, string>> = {},
): Promise<readonly BillingTable[]> {
  const rows = await snapshot.query({
    text: `select table_name, table_type from ${catalog}.information_schema.tables where table_schema = ? order by table_name`,
    values: [schema],
    label: 'lake.tables',
  })
  const found = rows.map((row) => ({ source: String(row['table_name']), isView: row['table_type'] !== 'BASE TABLE' }))
  const renamed = Object.entries(names).map(([name, given]) => {
    const table = found.find(({ source }) => source === given.toLowerCase())
    if (table !== undefined) return { name, ...table }
    const text = `lake.tables.${name}: Trino finds no table ${given} in ${catalog}.${schema}.`
    throw new AppError('unsupported_by_connector', text, { context: { missing: [given] } })
  })
  const own = found.filter(({ source }) => /^[a-z_][a-z0-9_]*$/.test(source) && !Object.hasOwn(names, source))
  return [...own.map((table) => ({ name: table.source, ...table })), ...renamed]
}

/**
 * Pins tables of Iceberg to their newest snapshots, so that every statement reads the same rows. Views and other tables have no such snapshots, so
 * each statement reads their rows of that moment. AppError `replica_lagging` if one table lies more than `maxSkewMs` behind another.
 */
export async function pinTables(
  snapshot: Snapshot,
  place: LakePlace,
  tables: readonly BillingTable[],
  maxSkewMs: number,
): Promise<Pins> {
  const pinned = tables.filter(({ isView }) => !isView)
  const commits = (await isIceberg(snapshot, place)) ? await commitsOf(snapshot, place, pinned) : []
  const versions = new Map(commits.map(({ table, version }) => [table, version]))
  const rows = tables.map(({ name, source }) => {
    const version = versions.get(name)
    const at = version === undefined ? '' : ` for version as of ${version}`
    return [name, `select * from ${sourceIn(place, source)}${at}`] as const
  })
  return {
    rows: new Map(rows),
    versions: Object.fromEntries(tables.map(({ name }) => [name, versions.get(name) ?? null])),
    ...ageOf(commits, tables.length, maxSkewMs),
  }
}

async function commitsOf(snapshot: Snapshot, place: LakePlace, tables: readonly BillingTable[]): Promise<readonly Commit[]> {
  const commits: Commit[] = []
  for (let from = 0; from < tables.length; from += TOGETHER) {
    const parts = tables.slice(from, from + TOGETHER).map(({ name, source }) => {
      const metadata = (kind: string) => sourceIn(place, `${source}$${kind}`)
      // A commit that only rewrites files brings no rows, so it says nothing about their age.
      return `select '${name}' as table_name, cast(made.snapshot_id as varchar) as version, cast(coalesce((
  select max(earlier.committed_at) from ${metadata('snapshots')} as earlier join ${metadata('history')} as line on line.snapshot_id = earlier.snapshot_id
  where line.is_current_ancestor and earlier.operation <> 'replace'), made.committed_at) as timestamp(3)) as at
from ${metadata('refs')} as named join ${metadata('snapshots')} as made on made.snapshot_id = named.snapshot_id where named.name = 'main'`
    })
    const rows = await snapshot.query({ text: `select * from (${parts.join('\nunion all\n')})`, values: [], label: 'lake.pins' })
    for (const row of rows)
      commits.push({
        table: String(row['table_name']),
        version: String(row['version']),
        at: new Date(`${String(row['at']).replace(' ', 'T')}Z`),
      })
  }
  return commits
}

/** A table without a commit for a day is one that nothing changes, so it says nothing about the copy. */
function ageOf(commits: readonly Commit[], count: number, maxSkewMs: number): Pick<Pins, 'data_through' | 'unchanged'> {
  const inOrder = [...commits].sort((a, b) => a.at.getTime() - b.at.getTime())
  const newest = inOrder.at(-1)
  if (newest === undefined) return { data_through: null, unchanged: [] }
  const isFresh = ({ at }: Commit) => newest.at.getTime() - at.getTime() < DAY_MS
  const oldest = inOrder.find(isFresh) ?? newest
  const skew = newest.at.getTime() - oldest.at.getTime()
  if (skew > maxSkewMs) {
    const text = `The copy of ${oldest.table} ends at ${sqlInstant(oldest.at)}, and that of ${newest.table} at ${sqlInstant(newest.at)}. Half of a change must not be published. Wait until both are copied, or raise lake.max_skew_seconds.`
    throw new AppError('replica_lagging', text)
  }
  const unchanged = inOrder.filter((commit) => !isFresh(commit)).map(({ table }) => table)
  return { data_through: commits.length === count ? oldest.at : null, unchanged }
}
