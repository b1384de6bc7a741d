import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { copiedRows, type NorthRows } from '../lago/north-rows.ts'

const FOLDER = new URL('../../../../fixtures/stripe/', import.meta.url)

/** The tables that the connector reads, in the schema `stripe`. */
export function eastTables(): string {
  return readFileSync(new URL('tables.sql', FOLDER), 'utf8')
}

/** Rates into USD, as CSV. */
export function eastRates(): string {
  return readFileSync(new URL('fx.csv', FOLDER), 'utf8')
}

/** A file of known figures. */
export function eastExpected<T>(name: string): T {
  return JSON.parse(gunzipSync(readFileSync(new URL(`expected/${name}.json.gz`, FOLDER))).toString()) as T
}

/** The rows of the account, table by table, in the order in which references allow them. */
export function eastRows(): readonly NorthRows[] {
  return copiedRows(gunzipSync(readFileSync(new URL('rows-east.sql.gz', FOLDER))).toString())
}
