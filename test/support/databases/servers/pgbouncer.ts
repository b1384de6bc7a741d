import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { ServerPrograms } from './find-programs.ts'
import { freePort, openWorkshop } from './start-server.ts'

export type PoolMode = 'transaction' | 'session'

/** A pooler before a PostgreSQL server. */
export interface Pgbouncer {
  /** A URL of the server with the pooler's address in place of the server's. */
  before(url: string): string
  /** The answer of its console. */
  console(command: string): Promise<readonly Record<string, unknown>[]>
  close(): Promise<void>
}

export interface PgbouncerOptions {
  /** URL of the server, whose users it lets in: those of `users`, and the one named here. */
  readonly server: string
  readonly mode: PoolMode
  /** Connections to the server for each database and user. */
  readonly size: number
  /** Lines of its settings more. */
  readonly settings?: string
  readonly users?: readonly { readonly name: string; readonly password: string }[]
}

const CONSOLE = 'pgbouncer'

/** Starts PgBouncer as Debian has it: with its own defaults, but for mode and size. */
export async function startPgbouncer(
  { pgbouncer }: NonNullable<ServerPrograms['pgbouncer']>,
  { server, mode, size, settings = '', users = [] }: PgbouncerOptions,
): Promise<Pgbouncer> {
  const workshop = await openWorkshop('postgres')
  try {
    const port = await freePort()
    const { hostname, port: behind, username, password } = new URL(server)
    const known = [{ name: decodeURIComponent(username), password: decodeURIComponent(password) }, ...users]
    const places = { settings: join(workshop.folder, 'pgbouncer.ini'), users: join(workshop.folder, 'users.txt') }
    await writeFile(
      places.users,
      [...known, { name: CONSOLE, password: '' }].map((user) => `"${user.name}" "${user.password}"\n`).join(''),
    )
    await writeFile(
      places.settings,
      `[databases]
* = host=${hostname} port=${behind || '5432'}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${places.users}
admin_users = ${CONSOLE}
pool_mode = ${mode}
default_pool_size = ${size}
${settings}
`,
    )
    for (const place of Object.values(places)) await chmod(place, 0o644)
    const console = (command: string) => query(`postgres://${CONSOLE}@127.0.0.1:${port}/${CONSOLE}`, command)
    await workshop.start(pgbouncer, [places.settings], () => console('show version'))
    return {
      before(url) {
        const changed = new URL(url)
        changed.host = `127.0.0.1:${port}`
        return changed.href
      },
      console,
      close: () => workshop.close(),
    }
  } catch (error) {
    await workshop.close()
    throw error
  }
}

// Its console knows the simple protocol only.
async function query(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end().catch(() => {})
  }
}
