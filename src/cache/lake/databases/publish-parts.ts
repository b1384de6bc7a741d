import { ident, join, sql, statementOf } from '../../../connector-kit/query-runner.ts'
import { InternalError } from '../../../core/errors.ts'
import type { Snapshot } from '../../../ports/snapshot.ts'
import { castsOf } from '../../held/held-tables.ts'
import { inParallel } from '../in-parallel.ts'
import type { Making } from '../making.ts'
import { type Opened, replayed } from '../open-tables.ts'
import { type Opening, sessionDigest } from '../opening.ts'
import { tableIn } from '../place.ts'
import { UnprovenPublication } from '../proofs.ts'
import type { PublishOptions } from '../publish.ts'
import { createFrom, type PublishedTables, type TableStatement, tableOf } from '../steps-as-tables.ts'
import { inDatabase, type LakeDatabase, snapshotOf } from './database.ts'
import { keyFaults, uniqueCells } from './unique-keys.ts'

/** A database of a publication, with the beginning of the names of its tables. */
export interface Part {
  readonly id: string
  readonly options: PublishOptions
  /** Undefined: it is the only one, and its held tables are those of the publication. */
  readonly database: LakeDatabase | undefined
}

/** The databases of a publication. */
export function partsOf(options: PublishOptions, id: string): readonly Part[] {
  if (options.databases === undefined) return [{ id, options, database: undefined }]
  return options.databases.map((database) => {
    const { connector, place: billing } = database
    if (connector.mirror === undefined) throw new InternalError(`the connector "${connector.type}" has no publications`)
    return {
      id: `${id}_${database.number}`,
      options: { ...options, connector, mirror: connector.mirror, billing },
      database,
    }
  })
}

/** A database without a commit in the day before the end of another one counts as unchanged, as a table does. */
const DAY_MS = 86_400_000

/**
 * Opens the tables of all databases for one instant, the earliest up to which one of them is complete. A database in which nothing was committed for a day
 * does not hold it back. A database is opened again if its instant is another one, or if another one has further currencies, whose rates it must record.
 */
export async function openParts(
  parts: readonly Part[],
  snapshot: Snapshot,
  open: (snapshot: Snapshot, options: PublishOptions) => Promise<Opened>,
): Promise<readonly Opened[]> {
  const opened: Opened[] = []
  const openPart = ({ options, database }: Part, changes: Partial<PublishOptions> = {}) => {
    const given = { ...options, ...changes }
    if (database === undefined) return open(snapshot, given)
    return inDatabase(database, () => open(snapshotOf(snapshot, database), given))
  }
  for (const part of parts) opened.push(await openPart(part))
  const instants = opened.map(({ now }) => now.getTime())
  const newest = Math.max(...instants)
  const earliest = new Date(Math.min(...instants.filter((instant) => newest - instant < DAY_MS)))
  const currencies = [...new Set(opened.flatMap(({ session }) => session.currencies))]
  const isRight = ({ now, session }: Opened) =>
    now.getTime() === earliest.getTime() && session.currencies.length === currencies.length
  for (const [index, part] of parts.entries()) {
    const found = openedOf(opened, index)
    const isUnchanged = found.now < earliest
    if (!isRight(found)) opened[index] = await openPart(part, { now: () => earliest, currencies, isUnchanged })
  }
  return opened
}

/** The opened tables of a part. */
export function openedOf(opened: readonly Opened[], index: number): Opened {
  const found = opened[index]
  if (found === undefined) throw new InternalError('a database of the publication is not open')
  return found
}

/** The state and the opening of all databases, as a publication records them. */
export interface United extends Pick<Opened, 'now' | 'opening' | 'digest'> {
  readonly pins: Pick<Opened['pins'], 'versions' | 'data_through' | 'unchanged'>
  /** Up to when each of several databases is complete. Null: nobody knows. */
  readonly ends?: readonly { readonly name: string; readonly through: Date | null }[]
}

/** Unites what was opened, and opens the connector of all from it, as readers do. */
export async function uniteOpened(
  { connector, definitions, dialect }: Pick<PublishOptions, 'connector' | 'definitions' | 'dialect'>,
  parts: readonly Part[],
  opened: readonly Opened[],
): Promise<United> {
  const [first] = opened
  if (first === undefined) throw new InternalError('a publication has no database')
  if (parts[0]?.database === undefined) return first
  const versions = opened.flatMap(({ pins }, index) =>
    Object.entries(pins.versions).map(([table, version]) => [`${parts[index]?.database?.name}/${table}`, version] as const),
  )
  const reads = opened.flatMap(({ opening }, index): Opening['reads'] => {
    const place = parts[index]?.database?.place
    return opening.reads.map((read) => ({
      ...read,
      ...(place !== undefined && { place }),
    }))
  })
  const opening = { reads }
  const { now } = first
  const ends = opened.map(({ pins }, index) => ({ name: parts[index]?.database?.name ?? '', through: pins.data_through }))
  const known = ends.flatMap(({ through }) => through?.getTime() ?? [])
  // Those that ended a day before the others count as unchanged.
  const fresh = known.filter((instant) => instant >= now.getTime())
  return {
    now,
    opening,
    digest: sessionDigest(await replayed(opening, { connector, definitions, dialect, now })),
    ends,
    pins: {
      versions: Object.fromEntries(versions),
      data_through: known.length === ends.length ? new Date(Math.min(...fresh)) : null,
      unchanged: opened.flatMap(({ pins }, index) => pins.unchanged.map((table) => `${parts[index]?.database?.name}/${table}`)),
    },
  }
}

/** The statements that make each held table of a publication from those of its databases. The first creates it, and each further one adds the rows of a database. */
export function unitedTables(
  parts: readonly Part[],
  tables: PublishedTables,
  rows: number,
): readonly (readonly TableStatement[])[] {
  const { place, dialect, keyType, held, id } = tables
  return held.map((each) => {
    const table = tableOf(id, 'held', each.relation)
    const names = join(
      each.columns.map(({ name }) => ident(name)),
      sql`, `,
    )
    return parts.flatMap(({ id: part, database }, index): TableStatement[] => {
      if (database === undefined) return []
      const from = tableIn(place, tableOf(part, 'held', each.relation))
      const unique = sql`select ${uniqueCells(each, database, keyType)} from ${from}`
      const selected = statementOf(unique, dialect, `lake.unite.${each.relation}`)
      if (index === 0) return [createFrom(table, each.columns, selected, tables, rows)]
      const added = sql`insert into ${tableIn(place, table)} (${names}) select ${castsOf(each.columns, dialect)} from (${unique}) as made`
      return [
        {
          table,
          statement: statementOf(added, dialect, `lake.unite.${each.relation}`),
        },
      ]
    })
  })
}

/** Fills the held tables of the publication from those of its databases. */
export async function uniteTables(
  options: PublishOptions,
  parts: readonly Part[],
  tables: PublishedTables,
  { make, written }: Making,
  signal: AbortSignal,
): Promise<void> {
  await options.writer.withSnapshot((snapshot) => refuseLargeKeys(snapshot, parts, tables), { signal })
  const rowsOf = (relation: string) => parts.reduce((sum, { id }) => sum + (written.get(tableOf(id, 'held', relation)) ?? 0), 0)
  const most = Math.max(1, ...tables.held.map(({ relation }) => rowsOf(relation)))
  const fills = unitedTables(parts, tables, most).map((statements) => ({
    table: statements[0]?.table ?? '',
    after: [],
    statements,
  }))
  await inParallel(fills, options.parallel, ({ table, statements }) =>
    make(
      table,
      statements.map(({ statement }) => statement),
    ),
  )
  // The steps have counted the rows of each database. A row that is lost on the way is found by that number.
  for (const { relation } of tables.held) written.set(tableOf(tables.id, 'held', relation), rowsOf(relation))
  options.onProgress(`The tables of ${parts.length} databases are united.`)
}

/** UnprovenPublication if keys of a database leave no room for those of the others. */
async function refuseLargeKeys(snapshot: Snapshot, parts: readonly Part[], tables: PublishedTables): Promise<void> {
  const faults: string[] = []
  for (const { id, database } of parts)
    if (database !== undefined)
      faults.push(
        ...(await keyFaults(snapshot, database, {
          ...tables,
          tableFor: (relation) => tableOf(id, 'held', relation),
        })),
      )
  if (faults.length > 0) throw new UnprovenPublication(faults)
}
