import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Statement } from '../../compiler/statement.ts'
import { checkCount, countedRunner } from '../../connector-kit/counted-runner.ts'
import type { Customers, RawTable } from '../../connector-kit/mirror-source.ts'
import { createQueryRunner, statementOf } from '../../connector-kit/query-runner.ts'
import type { CacheWriter } from '../../ports/cache-database.ts'
import type { Row } from '../../ports/rows.ts'
import type { CsvWriter, Snapshot } from '../../ports/snapshot.ts'

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

/** The largest results of a filling that were counted, by table. */
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
  const results: Result[] = []
  for (const table of tables) {
    files += 1
    const file = join(directory, `${files}.csv`)
    const label = labelOf(table)
    const statement = statementOf(table.select(customers), csv.dialect, label)
    const sent = await csv.write(statement, table.columns, file)
    const count = sent ?? (await csv.count(statement))
    // The rows that have come are compared with `count` when they are loaded.
    add({ table, label, file, count })
    if (sent !== undefined) results.push({ label, statement, size: { rows: sent, bytes: (await stat(file)).size } })
  }
  await checkResults(csv, results, counted)
}

/** A result that has come, with the number of rows that the server says that it has sent. */
interface Result {
  readonly label: string
  readonly statement: Statement
  readonly size: ResultSize
}

/** A limit of size cuts between two rows, so a cut result may be smaller than a whole one by less than this share of it. */
const LAST_ROW = 0.1

/**
 * Finds results that a limit of rows or of size has cut, also if the number that the server says is the cut one. A limit that has left a result
 * whole cuts no smaller one, so few results are counted in a separate statement. Servers behind one address may have different limits, so the
 * largest result of the snapshot is counted. A limit may be that of a table, so results larger than all counted ones of their table are counted.
 * A limit leaves at least one row, so an empty result is counted only if it is the first one of its table.
 */
async function checkResults(csv: CsvWriter, results: readonly Result[], counted: Counted): Promise<void> {
  let largest = NOTHING
  for (const { label, statement, size } of results.toSorted((a, b) => b.size.rows - a.size.rows)) {
    const before = counted.get(label)
    const isBelowLargest = isBelow(size, { ...largest, bytes: (1 - LAST_ROW) * largest.bytes })
    if (before !== undefined && (size.rows === 0 || (isBelow(size, before) && isBelowLargest))) continue
    checkCount(label, size.rows, await csv.count(statement))
    largest = larger(largest, size)
    counted.set(label, larger(before ?? NOTHING, size))
  }
}

const NOTHING: ResultSize = { rows: 0, bytes: 0 }

function isBelow(a: ResultSize, b: ResultSize): boolean {
  return a.rows < b.rows && a.bytes < b.bytes
}

function larger(a: ResultSize, b: ResultSize): ResultSize {
  return { rows: Math.max(a.rows, b.rows), bytes: Math.max(a.bytes, b.bytes) }
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

/** The label of the statement that reads a raw table. */
export function labelOf({ name }: RawTable): string {
  return `mirror.${name}`
}
