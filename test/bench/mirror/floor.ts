import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from '../../../src/core/package-root.ts'
import { readSchema } from '../../support/data/killbill/killbill-fixture.ts'
import type { BenchDatabase } from '../bench-database.ts'

const run = promisify(execFile)

/**
 * Reads every row of the tables that the connector's relations read, and throws them away: `copy … to '/dev/null'` on PostgreSQL, the
 * command line client with `--quick` on MySQL and MariaDB. No filling can be faster.
 */
export async function copyRawTables(database: BenchDatabase): Promise<void> {
  for (const table of rawTables()) {
    if (database.dialect.name === 'postgres') await database.adminQuery(`copy ${table} to '/dev/null'`)
    else await readByClient(database.url, table)
  }
}

/** The tables of the billing engine that the SQL files of the connector name. */
function rawTables(): readonly string[] {
  const folder = join(packageRoot(), 'connectors', 'killbill', 'relations')
  const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  const named = new Set(files.flatMap((file) => [...file.matchAll(/\b(?:from|join)\s+(\w+)\b/g)].map(([, table]) => table)))
  return Object.keys(readSchema().tables).filter((table) => named.has(table))
}

async function readByClient(address: string, table: string): Promise<void> {
  const { hostname, port, username, password, pathname } = new URL(address)
  const words = ['--quick', '--batch', `--host=${hostname}`, `--port=${port || 3306}`, `--user=${decodeURIComponent(username)}`]
  const program = ['--protocol=tcp', ...words, `--execute=select * from ${table}`, pathname.slice(1)]
  // The rows never reach this process.
  await run('/bin/sh', ['-c', 'exec mysql "$@" > /dev/null', 'mysql', ...program], {
    // biome-ignore lint/style/noProcessEnv: where the client is found
    env: { PATH: process.env['PATH'], MYSQL_PWD: decodeURIComponent(password) },
  })
}
