import { readFileSync } from 'node:fs'
import type { Row } from '../../../src/connector-kit/connector.ts'
import type { FxRate } from '../../../src/core/currency.ts'
import type { Tables } from './killbill/tables.ts'
import { csvRows, realJson } from './recorded/recorded-files.ts'

const FIXTURES = new URL('../../../fixtures/killbill/', import.meta.url)

/** Hand-made rows of the engine's tables with the numbers that the documents print for them. */
export interface Example<Expected> {
  /** Rows as the file holds them: only what says something. */
  readonly given: Readonly<Record<string, readonly Row[]>>
  /** The same with every column of the engine's schema, absent ones null (active where that is a column). */
  readonly tables: Tables
  readonly expected: Expected
  readonly rates: readonly FxRate[]
}

interface Schema {
  readonly tables: Readonly<Record<string, { readonly columns: readonly { readonly name: string }[] }>>
}

/** One of the example folders. */
export function readExample<Expected>(name: 'worked-example' | 'engine-example'): Example<Expected> {
  const read = (file: string): string => readFileSync(new URL(`${name}/${file}`, FIXTURES), 'utf8')
  const given = JSON.parse(read('tables.json')) as Record<string, Row[]>
  const schema = realJson<Schema>('schema.json')
  const columnsOf = (table: string): string[] => (schema.tables[table]?.columns ?? []).map((column) => column.name)
  const tables = (table: string): Row[] =>
    (given[table] ?? []).map((row) => {
      const unknown = Object.keys(row).filter((column) => !columnsOf(table).includes(column))
      if (unknown.length > 0) throw new Error(`${name}: ${table} has no column ${unknown.join(', ')}`)
      const absent = columnsOf(table).map((column) => [column, column === 'is_active' ? true : null])
      return { ...Object.fromEntries(absent), ...row }
    })
  return {
    given,
    tables,
    expected: JSON.parse(read('expected.json')) as Expected,
    rates: name === 'worked-example' ? (csvRows(read('fx.csv')) as unknown as FxRate[]) : [],
  }
}
