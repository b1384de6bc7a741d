import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import type { Row } from '../../src/connector-kit/connector.ts'

const REAL = new URL('../../fixtures/killbill/real/', import.meta.url).pathname

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

/** Rows of a CSV text; an unquoted empty field is null. */
export function csvRows(text: string): Record<string, string | null>[] {
  return parse(text, {
    columns: true,
    cast: (field, { quoting, header }) => (field === '' && !quoting && !header ? null : field),
  })
}

/** Rows of a table of the real data, booleans as booleans, everything else as text. */
export function realTable(name: string): Row[] {
  const schema = realJson<Schema>('schema.json').tables[name]
  const flags = new Set(schema?.columns.filter((column) => column.type === 'boolean').map((column) => column.name))
  return csvRows(realText(`csv/${name}.csv.gz`)).map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([column, cell]) => [column, flags.has(column) && cell !== null ? cell === 't' : cell]),
    ),
  )
}
