import { join } from 'node:path'
import pg from 'pg'
import { postgres as dialect } from '../../src/compiler/dialects/postgres.ts'
import { createPostgresExecutor } from '../../src/databases/postgres/postgres.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { type StallingProxy, startStallingProxy } from '../support/databases/proxies.ts'
import type { ServerPrograms } from '../support/databases/servers/find-programs.ts'
import { eventually, freePort, openWorkshop, type RunningServer } from '../support/databases/servers/start-server.ts'

export type Rows = readonly Record<string, unknown>[]

/** Role that may read statistics, and one that may not. */
export const POSTGRES_READERS = ['watching_reader', 'plain_reader'] as const

/** A primary and its streaming standby, which reaches the primary by `line`. */
export interface PostgresPair {
  readonly line: StallingProxy
  readonly primaryUrl: string
  /** The address on the standby of a database of the primary. */
  standbyUrl(primaryUrl: string): string
  onPrimary(text: string): Promise<Rows>
  onStandby(text: string): Promise<Rows>
  /** Executor on the standby as one of the readers; the pair closes it. */
  reader(role: (typeof POSTGRES_READERS)[number]): Executor
  stopStandby(): Promise<void>
  startStandby(): Promise<void>
  /** Resolves when the standby has replayed all that the primary has written. */
  caughtUp(): Promise<void>
  close(): Promise<void>
}

const QUIET = [
  'fsync=off',
  'autovacuum=off',
  'shared_buffers=16MB',
  'max_wal_size=1GB',
  'unix_socket_directories=',
  'wal_level=replica',
]
const PATIENT = [
  'hot_standby=on',
  'wal_retrieve_retry_interval=200ms',
  'wal_receiver_status_interval=1s',
  'max_standby_streaming_delay=0',
]

/** Starts both servers on free ports in a new folder. */
export async function startPostgresPair(programs: NonNullable<ServerPrograms['postgres']>): Promise<PostgresPair> {
  const workshop = await openWorkshop('postgres')
  const closing: (() => Promise<void>)[] = [() => workshop.close()]
  const close = async () => {
    for (const one of closing.splice(0).reverse()) await one()
  }
  try {
    const [primaryPort, standbyPort] = [await freePort(), await freePort()]
    const [primaryFolder, standbyFolder] = [join(workshop.folder, 'primary'), join(workshop.folder, 'standby')]
    const start = (folder: string, port: number) => {
      const settings = [...QUIET, ...PATIENT, 'listen_addresses=127.0.0.1', `port=${port}`].flatMap((setting) => ['-c', setting])
      return workshop.start(programs.postgres, ['-D', folder, ...settings], () => query(urlOf(port), 'select 1'))
    }
    await workshop.run(programs.initdb, [
      '-D',
      primaryFolder,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C',
      '--no-sync',
    ])
    await start(primaryFolder, primaryPort)
    const onPrimary = (text: string) => query(urlOf(primaryPort), text)
    await onPrimary('create table entry (id serial primary key, written_at timestamptz not null default clock_timestamp())')
    for (const role of POSTGRES_READERS) {
      await onPrimary(`create role ${role} login`)
      await onPrimary(`grant select on entry to ${role}`)
    }
    await onPrimary('grant pg_read_all_stats to watching_reader')
    const line = await startStallingProxy(urlOf(primaryPort))
    closing.push(() => line.close())
    const source = `host=127.0.0.1 port=${new URL(line.url).port} user=postgres`
    await workshop.run(programs.pg_basebackup, [
      '-D',
      standbyFolder,
      '-d',
      source,
      '-R',
      '-X',
      'stream',
      '-c',
      'fast',
      '--no-sync',
    ])
    let standby: RunningServer = await start(standbyFolder, standbyPort)
    const onStandby = (text: string) => query(urlOf(standbyPort), text)
    return {
      line,
      primaryUrl: urlOf(primaryPort),
      standbyUrl: (url) => Object.assign(new URL(url), { port: String(standbyPort) }).href,
      onPrimary,
      onStandby,
      reader(role) {
        const executor = createPostgresExecutor({ url: urlOf(standbyPort, role), dialect, poolSize: 2 })
        closing.push(() => executor.close())
        return executor
      },
      stopStandby: () => standby.stop('SIGINT'),
      async startStandby() {
        standby = await start(standbyFolder, standbyPort)
      },
      async caughtUp() {
        const [primary] = await onPrimary('select pg_current_wal_flush_lsn() as written')
        await eventually(async () => {
          const [state] = await onStandby(`
            select pg_last_wal_replay_lsn() >= '${primary?.['written']}' and pg_last_wal_receive_lsn() <= pg_last_wal_replay_lsn()
              and exists (select from pg_stat_wal_receiver where latest_end_lsn <= pg_last_wal_replay_lsn()) as done`)
          if (state?.['done'] !== true) throw new Error('the standby has not replayed everything yet')
        })
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function urlOf(port: number, role = 'postgres'): string {
  return `postgres://${role}@127.0.0.1:${port}/postgres`
}

async function query(url: string, text: string): Promise<Rows> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end().catch(() => {})
  }
}
