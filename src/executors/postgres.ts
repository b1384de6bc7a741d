import type pg from 'pg'
import type { Statement } from '../compiler/statement.ts'
import { placeOf } from '../core/addresses.ts'
import type { Executor } from '../ports/executor.ts'
import type { Row } from '../ports/rows.ts'
import type { Driver, DriverSession } from './driver.ts'
import { pgDriver } from './drivers.ts'
import { createExecutor } from './executor.ts'
import { driverCode, type FailureKind } from './failures.ts'
import { type ExecutorOptions, type Limits, resolveLimits } from './options.ts'
import { cursorBatches } from './postgres-cursor.ts'
import { createGreeting } from './postgres-greeting.ts'
import { postgresWritePrivileges } from './postgres-privileges.ts'
import { beginStatements } from './postgres-session.ts'
import { postgresState } from './postgres-state.ts'
import { exactParser } from './postgres-types.ts'

const CANCEL_TIMEOUT_MS = 5_000

/**
 * Executor over a PostgreSQL server. It connects with the first snapshot. A statement that exceeds the time limit rejects with
 * `query_timeout`; an aborted one is cancelled on the server, and its connection is closed.
 */
export function createPostgresExecutor(options: ExecutorOptions): Executor {
  const limits = resolveLimits(options)
  const driver = createPostgresDriver(options, limits)
  return createExecutor(driver, limits, { state: postgresState, writePrivileges: postgresWritePrivileges })
}

function createPostgresDriver(options: ExecutorOptions, limits: Limits): Driver {
  const config: pg.ClientConfig = {
    connectionString: readOnlyByDefault(options.url),
    application_name: limits.applicationName,
    connectionTimeoutMillis: limits.connectTimeoutMs,
    keepAlive: true,
    types: { getTypeParser: exactParser as pg.CustomTypesConfig['getTypeParser'] },
  }
  const pool = new (pgDriver().Pool)({ ...config, max: limits.poolSize, idleTimeoutMillis: 30_000 })
  // Nobody is affected when an idle connection is lost, such as by a restart of the server; without listeners it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const greet = createGreeting(limits)
  return {
    variant: 'postgres',
    place: placeOf(options.url, 5432),
    dialect: options.dialect,
    statementTimeoutMs: limits.statementTimeoutMs,
    connectTimeoutMs: limits.connectTimeoutMs,
    connect: async () =>
      createSession(await greet(await pool.connect()), beginStatements(limits, options.schema), config, limits.tap),
    failureKind: (error, elapsedMs) => postgresFailure(error, elapsedMs, limits.statementTimeoutMs),
    close: () => pool.end(),
  }
}

function createSession(
  client: pg.PoolClient,
  opening: readonly string[],
  config: pg.ClientConfig,
  tap: (text: string) => void,
): DriverSession {
  let backend: Row | undefined
  let returned = false
  let lost: unknown
  // When the server ends the connection between two statements, only this event tells why; the next statement merely finds it gone.
  const onError = (error: unknown) => {
    lost ??= error
  }
  client.on('error', onError)
  const giveBack = (destroy: boolean) => {
    if (returned) return
    returned = true
    client.off('error', onError)
    client.release(destroy)
  }
  const send = async ({ text, values }: Statement): Promise<readonly Row[]> => {
    tap(text)
    // The extended protocol takes a single statement, so that no value could ever bring in a second one.
    const query: pg.QueryConfig & { queryMode: 'extended' } = { text, values: [...values], queryMode: 'extended' }
    const result = await client.query<Row>(query).catch((error: unknown) => {
      throw lost ?? error
    })
    return result.rows
  }
  return {
    async begin() {
      const texts = [...opening, 'select pg_backend_pid() as pid']
      for (const text of texts) tap(text)
      // Several statements in one text take one round trip and answer as a list, which the driver's types do not know.
      const results = (await client.query(texts.join('; '))) as unknown as readonly pg.QueryResult<Row>[]
      backend = results.at(-1)?.rows[0]
    },
    query: send,
    batches: (statement) => cursorBatches(send, statement),
    async end() {
      tap('rollback')
      await client.query('rollback')
    },
    cancel: () => cancelBackend(backend?.['pid'], config, tap),
    release: () => giveBack(false),
    destroy: () => giveBack(true),
  }
}

async function cancelBackend(pid: unknown, config: pg.ClientConfig, tap: (text: string) => void): Promise<void> {
  if (pid === undefined) return
  const canceller = new (pgDriver().Client)({
    ...config,
    connectionTimeoutMillis: CANCEL_TIMEOUT_MS,
    query_timeout: CANCEL_TIMEOUT_MS,
  })
  canceller.on('error', () => {})
  const text = 'select pg_cancel_backend($1::integer)'
  try {
    await canceller.connect()
    tap(text)
    await canceller.query(text, [pid])
  } catch {
    // There is no connection left to cancel with. The caller closes the statement's own, and the time limit ends the statement.
  } finally {
    await canceller.end().catch(() => {})
  }
}

/** Classifies by SQLSTATE; the text of messages depends on the server's language. */
function postgresFailure(error: unknown, elapsedMs: number, limitMs: number): FailureKind {
  const code = driverCode(error)
  if (code === '40001') return 'replay_conflict'
  if (code === '57014') return elapsedMs >= limitMs ? 'timeout' : 'cancelled'
  if (code === undefined || !(error instanceof pgDriver().DatabaseError)) return 'unavailable'
  return /^(08|53[03]|57P|28|3D)/.test(code) ? 'unavailable' : 'refused'
}

/** The URL with an option that makes sessions read-only from their start, before any transaction says so. */
function readOnlyByDefault(url: string): string {
  const parsed = new URL(url)
  const given = parsed.searchParams.get('options')
  parsed.searchParams.set('options', `${given === null ? '' : `${given} `}-c default_transaction_read_only=on`)
  return parsed.href
}
