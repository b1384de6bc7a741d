import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestDatabase } from '../../databases/test-database.ts'
import { northInserts } from '../lago/north-rows.ts'
import { eastRows } from './east-rows.ts'

const run = promisify(execFile)

const HOME = join(homedir(), '.cache/plumbline-test/stripe-engines')

/** Engines that fill a mirror. They declare no licence, so the tests fetch them and nothing of them is in this repository. */
export const REAL_ENGINES = ['@stripe/sync-engine', 'stripe-replit-sync'] as const
export type RealEngine = (typeof REAL_ENGINES)[number]

/** A program of an engine on this machine, or the reason why there is none. */
export type FetchedEngine = { readonly folder: string; readonly version: string } | { readonly missing: string }

/** Fetches the newest release of an engine with its dependencies, without running their scripts. */
export async function fetchEngine(name: RealEngine): Promise<FetchedEngine> {
  try {
    const { stdout } = await run('npm', ['view', name, 'version'])
    const version = stdout.trim()
    const folder = join(HOME, `${name.replace(/\W+/g, '-')}-${version}`)
    if (!existsSync(folder)) await install(`${name}@${version}`, folder)
    return { folder, version }
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n').slice(0, 2).join(' ') : String(error)
    return { missing: `npm does not give ${name}: ${reason}` }
  }
}

async function install(wanted: string, folder: string): Promise<void> {
  await mkdir(HOME, { recursive: true })
  const draft = await mkdtemp(`${folder}.draft.`)
  try {
    await writeFile(join(draft, 'package.json'), JSON.stringify({ private: true }))
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--omit=optional']
    await run('npm', ['install', ...options, wanted], { cwd: draft })
    await rename(draft, folder)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Runs the migrations of an engine, and writes the rows of the account East Ltd into the tables that they make. */
export async function fillRealMirror(database: TestDatabase, name: RealEngine, folder: string): Promise<void> {
  const rows = eastRows()
  await writeFile(join(folder, 'spec.json'), JSON.stringify(specOf(rows)))
  const config = { databaseUrl: database.url, schemaName: 'stripe', openApiSpecPath: join(folder, 'spec.json') }
  const program = `const { runMigrations } = await import(${JSON.stringify(name)}); await runMigrations(JSON.parse(process.argv[1]))`
  await run(process.execPath, ['--input-type=module', '-e', program, JSON.stringify(config)], { cwd: folder })
  const tables = await database.adminQuery(`select table_name from information_schema.tables where table_schema = 'stripe'`)
  const present = new Set(tables.map((row) => `stripe.${String(row['table_name'])}`))
  for (const statement of northInserts(rows.filter(({ table }) => present.has(table)))) await database.adminQuery(statement)
}

/** A description of the API with the fields that the documents have. The newest engine makes a column of each, and fetches such a description otherwise. */
function specOf(rows: ReturnType<typeof eastRows>) {
  const schemas: Record<string, unknown> = {}
  for (const { table, columns, rows: lines } of rows) {
    const place = columns.indexOf('_raw_data')
    if (place === -1) continue
    const properties: Record<string, unknown> = {}
    for (const row of lines)
      for (const [field, value] of Object.entries(JSON.parse(row[place] ?? '{}') as object)) properties[field] ??= typeOf(value)
    const resource = table.replace(/^stripe\.|s$/g, '')
    schemas[resource] = { 'x-resourceId': resource, type: 'object', properties }
  }
  return { openapi: '3.0.0', info: { version: '2020-08-27' }, components: { schemas } }
}

function typeOf(value: unknown): object | undefined {
  if (value === null) return undefined
  return { type: typeof value === 'number' ? 'integer' : typeof value, nullable: true }
}
