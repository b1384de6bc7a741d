import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { BenchDatabase } from '../bench-database.ts'

/** Linux counts the processor's time of a process in ticks of a hundredth of a second. */
const TICK_MS = 10
/** The time of a backend that ends is lost since the last look at it. */
const LOOK_EVERY_MS = 100

/** Times of a piece of work, in milliseconds. A processor's time that cannot be read is null: the server is on another machine. */
export interface Cost {
  readonly clock: number
  /** Processor time of the service, of all its threads. */
  readonly service: number | null
  /** Processor time of the database's backends. */
  readonly database: number | null
}

/** Milliseconds of processor time that a process of this machine has used since it began; with `thread`, one thread of it. */
export function processorMs(pid: number, thread?: number): number | undefined {
  const stat = contentsOf(thread === undefined ? `/proc/${pid}/stat` : `/proc/${pid}/task/${thread}/stat`)
  // The name in brackets may have blanks.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields === undefined ? undefined : (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/** Resident bytes of a process, now and at its highest. */
export function residentBytes(pid: number): { readonly now: number; readonly peak: number } {
  const status = contentsOf(`/proc/${pid}/status`) ?? ''
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') }
}

/** Adds up the processor's time of all connections of a database but its own. */
export interface BackendMeter {
  /** Milliseconds since the meter began; null if the server's processes are not of this machine. */
  total(): Promise<number | null>
  close(): Promise<void>
}

/** Watches over its own connection, which it closes. */
export async function watchBackends(watch: BenchDatabase): Promise<BackendMeter> {
  const server = await serverPid(watch)
  const last = new Map<string, number>()
  let total = 0
  let isFirst = true
  const look = async (): Promise<void> => {
    for (const { key, pid, thread, isOwnProcess } of await backendsOf(watch, server)) {
      const used = processorMs(pid, thread)
      if (used === undefined) continue
      // The process of a new PostgreSQL connection begins with it; a thread of MySQL may have served another one.
      const before = last.get(key) ?? (isOwnProcess && !isFirst ? 0 : used)
      total += used - before
      last.set(key, used)
    }
    isFirst = false
  }
  let looking = look()
  let isOver = false
  const next = () => {
    looking = looking.then(look)
    return looking
  }
  const loop = (async () => {
    while (!isOver) {
      await next()
      await setTimeout(LOOK_EVERY_MS)
    }
  })()
  return {
    async total() {
      await next()
      return last.size === 0 ? null : total
    },
    async close() {
      isOver = true
      await loop
      await watch.drop()
    },
  }
}

interface Backend {
  readonly key: string
  readonly pid: number
  readonly thread: number | undefined
  readonly isOwnProcess: boolean
}

async function backendsOf(watch: BenchDatabase, server: number | undefined): Promise<readonly Backend[]> {
  const rows = await watch.adminQuery(
    BACKENDS[watch.target === 'mysql' || watch.target === 'mariadb' ? watch.target : 'postgres'],
  )
  return rows.flatMap(({ id, thread }): readonly Backend[] => {
    if (watch.dialect.name === 'postgres') return [{ key: `${id}`, pid: Number(id), thread: undefined, isOwnProcess: true }]
    if (server === undefined) return []
    return [{ key: `${id} ${thread}`, pid: server, thread: Number(thread), isOwnProcess: false }]
  })
}

const BACKENDS = {
  postgres: `select pid as id from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    and backend_type in ('client backend', 'parallel worker')`,
  mariadb: 'select id, tid as thread from information_schema.processlist where db = database() and id <> connection_id()',
  mysql: `select processlist_id as id, thread_os_id as thread from performance_schema.threads
    where processlist_db = database() and processlist_id <> connection_id()`,
} as const

async function serverPid({ dialect, adminQuery }: BenchDatabase): Promise<number | undefined> {
  if (dialect.name !== 'mysql') return undefined
  const [row] = await adminQuery('select @@pid_file as file')
  const pid = Number(contentsOf(String(row?.['file'])))
  return Number.isInteger(pid) && pid > 0 ? pid : undefined
}

function contentsOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
