import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Row } from '../../../../src/connector-kit/connector.ts'
import { csvRecords } from '../killbill/csv-records.ts'

const REAL = new URL('../../../../fixtures/killbill/real/', import.meta.url).pathname

interface Schema {
  readonly tables: Readonly<Record<string, { readonly columns: readonly { readonly name: string; readonly type: string }[] }>>
}

/** A file of the real data, unpacked. */
export function realText(path: string): string {
  const bytes = readFileSync(join(REAL, path))
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}

/** A JSON file of the real data. */
export function realJson<T>(path: string): T {
  return JSON.parse(realText(path)) as T
}

/** One JSON document per line. */
export function realLines<T>(path: string): T[] {
  return realText(path)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
}

type CsvRow = Record<string, string | null>

/** Rows of a CSV text; an unquoted empty field is null. */
export function csvRows(text: string): CsvRow[] {
  const [header = [], ...records] = csvRecords(text)
  const columns = header.map(String)
  return records.map((cells) => Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? null])))
}

/** Rows of a table of the real data as the file has them, read once. */
export function recordedRows(table: string): readonly Readonly<CsvRow>[] {
  const rows = recorded.get(table) ?? csvRows(realText(`csv/${table}.csv.gz`))
  recorded.set(table, rows)
  return rows
}

const recorded = new Map<string, readonly Readonly<CsvRow>[]>()

/** Rows of a table of the real data, booleans as booleans, everything else as text. */
export function realTable(name: string): Row[] {
  const schema = realJson<Schema>('schema.json').tables[name]
  const flags = new Set(schema?.columns.filter((column) => column.type === 'boolean').map((column) => column.name))
  return recordedRows(name).map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([column, cell]) => [column, flags.has(column) && cell !== null ? cell === 't' : cell]),
    ),
  )
}
