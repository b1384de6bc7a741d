import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Statement } from '../../compiler/statement.ts'
import type { Executor } from '../../ports/executor.ts'
import type { Row } from '../../ports/rows.ts'
import { tlsFailure } from '../addresses/failed-connection.ts'
import { postgresClient } from '../addresses/postgres-client.ts'
import { placeOf, serverAddress } from '../addresses/read-address.ts'
import { type Driver, type DriverSession, pgDriver } from '../driver.ts'
import { createExecutor } from '../executor.ts'
import { driverCode, type FailureKind, isOfNoNumber, severalServers } from '../failures.ts'
import { type ExecutorOptions, type Limits, resolveLimits } from '../options.ts'
import { postgresTableSizes } from '../table-sizes.ts'
import { cancelBackend, isOwnBackend, type OpenTransaction, requestCancel } from './cancel.ts'
import { copyDialect, copyRows, countOfCopied, valueSettings } from './copy.ts'
import { cursorBatches } from './cursor.ts'
import { createKeptPlans, type KeptPlans } from './kept-plans.ts'
import { postgresWritePrivileges } from './privileges.ts'
import { createGreeting, READ_TWINS, refuseTwins } from './server-checks.ts'
import { aloneStatements, beginStatements, clientScript, READ_SERVER } from './session.ts'
import { PRIMARY_STATE, postgresSchema, postgresState } from './state.ts'
import { exactParser } from './types.ts'

/** A statement that still runs this long after a cancel request is stopped in another way, milliseconds. */
const CANCEL_PATIENCE_MS = 1_000

/**
 * Executor over a PostgreSQL server. It connects with the first snapshot. A statement that exceeds the time limit rejects with
 * `query_timeout`. An aborted statement is cancelled on the server, and its connection is closed.
 */
export function createPostgresExecutor(options: ExecutorOptions): Executor {
  const limits = resolveLimits(options)
  const driver = createPostgresDriver(options, limits)
  return createExecutor(driver, limits, {
    state: postgresState,
    primary: PRIMARY_STATE,
    schema: postgresSchema,
    writePrivileges: postgresWritePrivileges,
    tableSizes: postgresTableSizes,
  })
}

function createPostgresDriver(options: ExecutorOptions, limits: Limits): Driver {
  const address = serverAddress(options.url, 'database.url')
  const config: pg.ClientConfig = {
    application_name: limits.applicationName,
    connectionTimeoutMillis: limits.connectTimeoutMs,
    ...postgresClient(address, 'database.url'),
    keepAlive: true,
    types: { getTypeParser: exactParser as pg.CustomTypesConfig['getTypeParser'] },
  }
  const pool = new (pgDriver().Pool)({ ...config, max: limits.poolSize, idleTimeoutMillis: 30_000 })
  // The loss of an idle connection, such as by a restart of the server, affects nobody. Without a listener it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const greet = createGreeting(limits)
  const known = { trusted: new WeakSet<pg.PoolClient>(), plans: createKeptPlans() }
  return {
    variant: 'postgres',
    place: placeOf(address),
    explain: (error) => tlsFailure(error, address),
    dialect: options.dialect,
    client: clientScript(options.schema),
    statementTimeoutMs: limits.statementTimeoutMs,
    connectTimeoutMs: limits.connectTimeoutMs,
    connect: async () => createSession(await greet(await pool.connect()), limits, options, config, known),
    failureKind: (error, elapsedMs) => postgresFailure(error, elapsedMs, limits.statementTimeoutMs),
    close: () => pool.end(),
  }
}

/** Facts about the connections of a pool. */
interface KnownConnections {
  /** Those whose schema has been searched for replacements of PostgreSQL's own functions. */
  readonly trusted: WeakSet<pg.PoolClient>
  readonly plans: KeptPlans
}

/**
 * A session of a lent connection. All its statements run in read-only transactions, and every setting ends with the transaction. So a
 * pooler may serve each transaction by another backend.
 */
function createSession(
  client: pg.PoolClient,
  limits: Limits,
  { schema, dialect }: Pick<ExecutorOptions, 'schema' | 'dialect'>,
  config: pg.ClientConfig,
  { trusted, plans }: KnownConnections,
): DriverSession {
  const { tap } = limits
  let transaction: OpenTransaction | undefined
  /** The server that answered the statement before the transaction. Undefined if there was no such statement. */
  let asked: unknown
  /** True if the backend of the transaction is that of the connection. A pooler has separate connections. */
  let isDirect = false
  let running: Promise<unknown> | undefined
  let returned = false
  let lost: unknown
  // If the server ends the connection between two statements, only this event gives the reason. The next statement finds the connection gone.
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
  /** Several statements in one text take one round trip. They answer as a list, which the driver's types do not know. */
  const together = async (texts: readonly string[]): Promise<readonly pg.QueryResult<Row>[]> => {
    for (const text of texts) tap(text)
    return (await client.query(texts.join('; '))) as unknown as readonly pg.QueryResult<Row>[]
  }
  const rollback = async () => {
    tap('rollback')
    await client.query('rollback')
  }
  /** The texts of a statement before the transaction. It runs in a separate transaction. */
  const aloneTexts = ({ text, values }: Statement): readonly string[] => {
    if (values.length > 0) throw new TypeError('a statement before the transaction takes no values')
    return [...aloneStatements(limits), READ_SERVER, text, 'rollback']
  }
  /** The rows of a statement before the transaction, from the answers to its texts. */
  const answerOf = (answers: readonly pg.QueryResult<Row>[]): readonly Row[] => {
    const [server, answer] = answers.slice(-3)
    asked = server?.rows[0]?.['server']
    return answer?.rows ?? []
  }
  const alone = async (statement: Statement): Promise<readonly Row[]> => {
    try {
      return answerOf(await together(aloneTexts(statement)))
    } catch (error) {
      await rollback().catch(() => {})
      throw lost ?? error
    }
  }
  /** With a name, the connection keeps the plan of the statement. */
  const send = async ({ text, values }: Statement, name?: string): Promise<readonly Row[]> => {
    tap(text)
    // The extended protocol takes a single statement, so no value can ever add a second one.
    const query: pg.QueryConfig & { queryMode: 'extended' } = {
      ...{ text, values: [...values], queryMode: 'extended' },
      ...(name !== undefined && { name }),
    }
    const answer = client.query<Row>(query)
    running = answer
    try {
      return (await answer).rows
    } catch (error) {
      if (name !== undefined) plans.refuse(client)
      throw lost ?? error
    } finally {
      running = undefined
    }
  }
  const begin = async (ahead?: Statement): Promise<readonly Row[]> => {
    const first = ahead === undefined ? [] : aloneTexts(ahead)
    const identity = 'select pg_backend_pid() as pid, transaction_timestamp()::text as began'
    const asks = [READ_SERVER, identity, ...(trusted.has(client) ? [] : [READ_TWINS])]
    const drops = plans.takeDrops(client)
    const answers = await together([...first, ...beginStatements(limits, schema), ...drops, ...asks])
    const rows = ahead === undefined ? [] : answerOf(answers.slice(0, first.length))
    const [server, own, twins] = answers.slice(-asks.length)
    if (asked !== undefined && server?.rows[0]?.['server'] !== asked) throw severalServers()
    refuseTwins(twins?.rows ?? [])
    trusted.add(client)
    const row = own?.rows[0]
    transaction = { pid: row?.['pid'], began: row?.['began'] }
    isDirect = isOwnBackend(client, transaction)
    return rows
  }
  /** Another statement may have set the same settings meanwhile. */
  const setValues = async (statement: Statement): Promise<void> => {
    const settings = valueSettings(statement)
    if (settings !== undefined) await send(settings)
  }
  return {
    begin: async () => void (await begin()),
    beginAfter: begin,
    query(statement) {
      if (transaction === undefined) return alone(statement)
      return send(statement, isDirect ? plans.nameFor(client, statement) : undefined)
    },
    batches: (statement) => cursorBatches((each) => send(each), statement),
    csv: {
      dialect: copyDialect(dialect),
      async write(statement, _columns, file) {
        await setValues(statement)
        tap(statement.text)
        const copied = copyRows(client, statement, file)
        running = copied
        try {
          return await copied
        } catch (error) {
          throw lost ?? error
        } finally {
          running = undefined
        }
      },
      async count(statement) {
        await setValues(statement)
        const [row] = await send(countOfCopied(statement))
        return row && Number(row['entries'])
      },
    },
    async end() {
      await rollback()
      transaction = undefined
    },
    async cancel() {
      if (transaction === undefined || running === undefined) return
      const statement = running
      await requestCancel(client)
      await Promise.race([statement.catch(() => {}), sleep(CANCEL_PATIENCE_MS, undefined, { ref: false })])
      if (running === statement) await cancelBackend(transaction, config, tap)
    },
    release: () => giveBack(false),
    destroy: () => giveBack(true),
  }
}

/** Classifies by SQLSTATE, because the text of messages depends on the server's language. */
function postgresFailure(error: unknown, elapsedMs: number, limitMs: number): FailureKind {
  const code = driverCode(error)
  if (isOfNoNumber(error)) return 'not_a_number'
  if (code === '22003') return 'too_large'
  if (code === '40001' || (code === '0A000' && isOutdatedPlan(error))) return 'replay_conflict'
  if (code === '57014') return elapsedMs >= limitMs ? 'timeout' : 'cancelled'
  if (code === undefined || !(error instanceof pgDriver().DatabaseError)) return 'unavailable'
  return /^(08|53[03]|57P|28|3D)/.test(code) ? 'unavailable' : 'refused'
}

/** True if the columns of a table have changed since a kept plan was made. */
function isOutdatedPlan(error: unknown): boolean {
  return error instanceof pgDriver().DatabaseError && error.routine === 'RevalidateCachedQuery'
}
