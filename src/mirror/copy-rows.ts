import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { checkCount, countedRunner } from '../connector-kit/counted-runner.ts'
import type { Customers, RawTable } from '../connector-kit/mirror-source.ts'
import { createQueryRunner, statementOf } from '../connector-kit/query-runner.ts'
import type { CacheWriter } from '../ports/cache-database.ts'
import type { Row } from '../ports/rows.ts'
import type { Snapshot } from '../ports/snapshot.ts'

/** The rows of a raw table: in a CSV file of the server, or in memory. */
type RawRows =
  | { readonly table: RawTable; readonly label: string; readonly file: string; readonly count: number | undefined }
  | { readonly table: RawTable; readonly rows: readonly Row[] }

/** Rows of raw tables that have been read and not yet loaded. */
export interface ReadRows {
  readonly rows: number
  /** The tables that have rows, or may have some. */
  readonly filled: readonly string[]
  /** Appends the rows to the tables of the same names in `work`. */
  load(writer: CacheWriter): Promise<void>
  /** Removes the files. May be called twice. */
  discard(): Promise<void>
}

/**
 * The largest results that were counted, by table. A limit of rows or of size that had not cut one of them does not cut a smaller one. So a
 * filling counts few results in a separate statement, and compares all others with the number of rows that the server says that it has sent.
 */
export type Counted = Map<string, ResultSize>

interface ResultSize {
  readonly rows: number
  readonly bytes: number
}

/** The number of customers up to which rows come through memory: below it, a file for each table costs more than it saves. */
const FEW = 500

/** Number of files made so far, for their names. */
let files = 0

/**
 * Reads the raw rows of some customers. Large sets become CSV files in `directory` if the server writes them. AppError
 * `unsupported_by_connector` if the server or a proxy cuts results. `onTable` is called with the number of rows of each table. `counted` are the
 * earlier results of the same filling.
 */
export async function readRows(
  snapshot: Snapshot,
  tables: readonly RawTable[],
  customers: Customers,
  directory: string,
  { onTable = () => {}, counted = new Map() }: ReadOptions = {},
): Promise<ReadRows> {
  const isFew = customers !== 'all' && customers.range === undefined && customers.keys.length <= FEW
  const read = snapshot.csv === undefined || isFew ? readInMemory : readFiles
  const made: RawRows[] = []
  const discard = async () => {
    await Promise.all(made.map((one) => ('file' in one ? rm(one.file, { force: true }) : undefined)))
  }
  try {
    await read({ snapshot, tables, customers, directory, counted }, (one) => {
      made.push(one)
      onTable(countOf(one) ?? 0)
    })
  } catch (error) {
    await discard()
    throw error
  }
  return {
    rows: made.reduce((sum, one) => sum + (countOf(one) ?? 0), 0),
    filled: made.filter((one) => countOf(one) !== 0).map(({ table }) => table.name),
    load: (writer) => loadAll(made, writer),
    discard,
  }
}

/** Number of rows. Undefined: not known. */
function countOf(one: RawRows): number | undefined {
  return 'file' in one ? one.count : one.rows.length
}

interface ReadOptions {
  readonly onTable?: (rows: number) => void
  readonly counted?: Counted
}

interface Reading extends Required<Pick<ReadOptions, 'counted'>> {
  readonly snapshot: Snapshot
  readonly tables: readonly RawTable[]
  readonly customers: Customers
  readonly directory: string
}

/** Called with the rows of each table. */
type Add = (one: RawRows) => void

async function readInMemory({ snapshot, tables, customers }: Reading, add: Add): Promise<void> {
  const { run, verify } = countedRunner(createQueryRunner(snapshot))
  for (const table of tables) add({ table, rows: await run(labelOf(table), table.select(customers)) })
  await verify()
}

async function readFiles({ snapshot, tables, customers, directory, counted }: Reading, add: Add): Promise<void> {
  const { csv } = snapshot
  if (csv === undefined) return
  for (const table of tables) {
    files += 1
    const file = join(directory, `${files}.csv`)
    const label = labelOf(table)
    const statement = statementOf(table.select(customers), csv.dialect, label)
    const sent = await csv.write(statement, table.columns, file)
    const { size } = await stat(file)
    const isCounted = sent === undefined || !isBelow(counted.get(label), { rows: sent, bytes: size })
    const count = isCounted ? await csv.count(statement) : sent
    // The rows that have come are compared with `count` when they are loaded.
    add({ table, label, file, count })
    if (!isCounted) continue
    checkCount(label, sent ?? count ?? 0, count)
    const before = counted.get(label) ?? { rows: 0, bytes: 0 }
    counted.set(label, { rows: Math.max(before.rows, count ?? 0), bytes: Math.max(before.bytes, size) })
  }
}

/** True if a result was not cut, given that one of this size was not. No limit leaves an empty result. */
function isBelow(counted: ResultSize | undefined, { rows, bytes }: ResultSize): boolean {
  if (counted === undefined) return false
  return rows === 0 ? bytes === 0 : rows < counted.rows && bytes < counted.bytes
}

async function loadAll(made: readonly RawRows[], writer: CacheWriter): Promise<void> {
  for (const one of made) {
    const { name, columns } = one.table
    if ('rows' in one) {
      if (one.rows.length > 0) await writer.append(name, columns, one.rows, 'work')
      continue
    }
    const loaded = one.count === 0 ? 0 : await writer.load(name, one.file)
    checkCount(one.label, loaded, one.count)
    await rm(one.file, { force: true })
  }
}

function labelOf({ name }: RawTable): string {
  return `mirror.${name}`
}
