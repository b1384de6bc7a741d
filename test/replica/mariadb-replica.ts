import { join } from 'node:path'
import mysql from 'mysql2/promise'
import { mariadb as dialect } from '../../src/compiler/dialects/mysql.ts'
import { createMysqlExecutor } from '../../src/databases/mysql/mysql.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { type StallingProxy, startStallingProxy } from '../support/databases/proxies.ts'
import type { ServerPrograms } from '../support/databases/servers/find-programs.ts'
import { eventually, freePort, openWorkshop } from '../support/databases/servers/start-server.ts'

type Rows = readonly Record<string, unknown>[]

/** Role that may see the state of replication, and one that may not. */
export const MARIADB_READERS = ['watching_reader', 'plain_reader'] as const

/** A primary and its replica, which reaches the primary by `line`. */
export interface MariadbPair {
  readonly line: StallingProxy
  onPrimary(text: string): Promise<Rows>
  onReplica(text: string): Promise<Rows>
  /** Executor on either server as one of the readers; the pair closes it. */
  reader(server: 'primary' | 'replica', role: (typeof MARIADB_READERS)[number]): Executor
  /** Resolves when the replica has applied all that the primary has written. */
  caughtUp(): Promise<void>
  close(): Promise<void>
}

const SETTINGS = [
  '--innodb-buffer-pool-size=16M',
  '--innodb-log-file-size=4M',
  '--innodb-flush-log-at-trx-commit=0',
  '--log-bin=changes',
]

/** Starts both servers on free ports in a new folder. */
export async function startMariadbPair(programs: NonNullable<ServerPrograms['mariadb']>): Promise<MariadbPair> {
  const workshop = await openWorkshop('mysql')
  const closing: (() => Promise<void>)[] = [() => workshop.close()]
  const close = async () => {
    for (const one of closing.splice(0).reverse()) await one()
  }
  try {
    const ports = { primary: await freePort(), replica: await freePort() }
    const folderOf = (server: keyof typeof ports) => join(workshop.folder, server)
    const start = async (server: keyof typeof ports) => {
      const port = ports[server]
      const places = [`--datadir=${folderOf(server)}`, `--socket=${folderOf(server)}.sock`, `--pid-file=${folderOf(server)}.pid`]
      const identity = [`--server-id=${port}`, '--bind-address=127.0.0.1', `--port=${port}`]
      await workshop.start(programs.mariadbd, ['--no-defaults', ...places, ...identity, ...SETTINGS], () =>
        query(urlOf(port), 'select 1'),
      )
      return (text: string) => query(urlOf(port), text)
    }
    const installing = [
      '--no-defaults',
      `--datadir=${folderOf('primary')}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
    ]
    await workshop.run(programs['mariadb-install-db'], [...installing, '--innodb-log-file-size=4M'])
    await workshop.run('cp', ['-r', folderOf('primary'), folderOf('replica')])
    const [onPrimary, onReplica] = [await start('primary'), await start('replica')]
    const line = await startStallingProxy(urlOf(ports.primary))
    closing.push(() => line.close())
    await onReplica(`change master to master_host = '127.0.0.1', master_port = ${new URL(line.url).port}, master_user = 'root',
      master_connect_retry = 1, master_use_gtid = slave_pos`)
    await onReplica('start slave')
    await onPrimary('create database billing')
    await onPrimary('create table billing.entry (id integer auto_increment primary key, written_at datetime(6) not null)')
    for (const role of MARIADB_READERS) await onPrimary(`create user ${role}@'%'`)
    for (const role of MARIADB_READERS) await onPrimary(`grant select on billing.* to ${role}@'%'`)
    await onPrimary("grant replica monitor on *.* to watching_reader@'%'")
    return {
      line,
      onPrimary,
      onReplica,
      reader(server, role) {
        const executor = createMysqlExecutor({ url: urlOf(ports[server], role, 'billing'), dialect, poolSize: 2 })
        closing.push(() => executor.close())
        return executor
      },
      async caughtUp() {
        const [primary] = await onPrimary('select @@gtid_binlog_pos as written')
        await eventually(async () => {
          const [replica] = await onReplica('select @@gtid_slave_pos as applied')
          const [status] = await onReplica('show slave status')
          if (replica?.['applied'] !== primary?.['written'] || String(status?.['Seconds_Behind_Master']) !== '0')
            throw new Error('the replica has not applied everything yet')
        })
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function urlOf(port: number, role = 'root', database = ''): string {
  return `mysql://${role}@127.0.0.1:${port}/${database}`
}

async function query(uri: string, text: string): Promise<Rows> {
  const connection = await mysql.createConnection({ uri, dateStrings: true })
  try {
    const [rows] = await connection.query(text)
    return Array.isArray(rows) ? (rows as Rows) : []
  } finally {
    await connection.end()
  }
}
