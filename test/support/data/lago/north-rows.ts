import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { insertStatements, literal } from '../killbill/sql-literals.ts'

const FOLDER = new URL('../../../../fixtures/lago/', import.meta.url)

/** The tables that the connector reads. */
export function northTables(): string {
  return readFileSync(new URL('tables.sql', FOLDER), 'utf8')
}

/** Rates into USD, as CSV. */
export function northRates(): string {
  return readFileSync(new URL('fx.csv', FOLDER), 'utf8')
}

/** A file of known figures. */
export function northExpected<T>(name: string): T {
  return JSON.parse(gunzipSync(readFileSync(new URL(`expected/${name}.json.gz`, FOLDER))).toString()) as T
}

/** Rows of one table. Null stands for an absent value. */
export interface NorthRows {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | null)[])[]
}

/** The rows of the organization, table by table, in the order in which references allow them. */
export function northRows(): readonly NorthRows[] {
  return copiedRows(gunzipSync(readFileSync(new URL('rows-north.sql.gz', FOLDER))).toString())
}

/** The rows of `copy` blocks, table by table. */
export function copiedRows(text: string): readonly NorthRows[] {
  return [...text.matchAll(/^copy ([\w.]+) \((.*)\) from stdin;\n([\s\S]*?)^\\\.$/gm)].map(
    ([, table = '', columns = '', lines = '']) => ({
      table,
      columns: columns.split(', '),
      rows: lines
        .split('\n')
        .slice(0, -1)
        .map((line) => line.split('\t').map(cellOf)),
    }),
  )
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\' }

/** A cell of the text format of COPY. */
function cellOf(written: string): string | null {
  return written === '\\N' ? null : written.replace(/\\(.)/g, (_, letter: string) => ESCAPES[letter] ?? letter)
}

/** Statements that insert the rows. */
export function* northInserts(tables: readonly NorthRows[]): Generator<string> {
  for (const { table, columns, rows } of tables) {
    const tuples = rows.map((cells) => `(${cells.map((cell) => literal(cell, 'text', 'postgres')).join(', ')})`)
    yield* insertStatements(table, columns, tuples)
  }
}

/** The same rows for a second organization: other ids, and another name. The external ids of customers and subscriptions stay. */
export function southRows(): readonly NorthRows[] {
  const other = (cell: string) =>
    cell.replaceAll(/\b([0-9a-f])(?=[0-9a-f]{7}-[0-9a-f]{4}-[0-9a-f]{4}-)/g, (digit) => OTHER[Number.parseInt(digit, 16)] ?? '')
  return northRows().map(({ table, columns, rows }) => ({
    table,
    columns,
    rows: rows.map((cells) =>
      cells.map((cell, index) => {
        if (cell === null) return null
        if (table === 'versions' && columns[index] === '"id"') return String(Number(cell) + 1_000_000)
        if (table === 'organizations' && columns[index] === '"name"') return 'South Ltd'
        return other(cell)
      }),
    ),
  }))
}

const OTHER = '123456789abcdef0'
