import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { csvRecords } from './csv-records.ts'
import type { KillbillSchema } from './killbill-schema.ts'

const REAL = new URL('../../../../fixtures/killbill/real/', import.meta.url)

/** Cells of a row in the order of the file's header; null for an unquoted empty one. */
export interface FixtureRows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | null)[])[]
}

/** Columns and indexes of the tables of the recorded Kill Bill server. */
export function readSchema(): KillbillSchema {
  schema ??= JSON.parse(readFileSync(new URL('schema.json', REAL), 'utf8')) as KillbillSchema
  return schema
}

let schema: KillbillSchema | undefined

/** The recorded rows of a table; none when the recording leaves the table out. */
export function readFixture(table: string): FixtureRows {
  const known = fixtures.get(table) ?? readRows(table)
  fixtures.set(table, known)
  return known
}

const fixtures = new Map<string, FixtureRows>()

function readRows(table: string): FixtureRows {
  const file = new URL(`csv/${table}.csv.gz`, REAL)
  if (!existsSync(file)) return { columns: [], rows: [] }
  const text = gunzipSync(readFileSync(file)).toString()
  const [header = [], ...rows] = csvRecords(text)
  return { columns: header.map(String), rows }
}

/** Short digest of the recording and of the given source files: changes when a database filled from them would. */
export function fixtureDigest(sources: readonly URL[]): string {
  const key = sources.join(' ')
  const known = digests.get(key) ?? digestOf(sources)
  digests.set(key, known)
  return known
}

const digests = new Map<string, string>()

function digestOf(sources: readonly URL[]): string {
  const hash = createHash('sha256')
  const names = readdirSync(new URL('csv/', REAL)).sort()
  for (const name of names) hash.update(name).update(readFileSync(new URL(`csv/${name}`, REAL)))
  for (const source of [new URL('schema.json', REAL), ...sources]) hash.update(readFileSync(source))
  return hash.digest('hex').slice(0, 12)
}
