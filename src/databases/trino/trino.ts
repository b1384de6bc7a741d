import { setTimeout as sleep } from 'node:timers/promises'
import type { DialectName } from '../../compiler/dialect.ts'
import { literalText } from '../../compiler/literal.ts'
import type { Statement } from '../../compiler/statement.ts'
import { AppError, InternalError } from '../../core/errors.ts'
import type { Executor } from '../../ports/executor.ts'
import type { Row } from '../../ports/rows.ts'
import { tlsFailure } from '../addresses/failed-connection.ts'
import { placeOf, serverAddress } from '../addresses/read-address.ts'
import type { Driver, DriverSession } from '../driver.ts'
import { createExecutor } from '../executor.ts'
import { databaseUnavailable } from '../failures.ts'
import { type ExecutorOptions, type QueryCounts, resolveLimits } from '../options.ts'
import { createTrinoClient, type TrinoClient, type TrinoQuery } from './client.ts'
import { isPassing, trinoFailureKind, trinoMeaning, trinoRefusal } from './errors.ts'
import { loginOf } from './login.ts'
import { quotedName } from './names.ts'
import { trinoWritePrivileges } from './privileges.ts'
import { placeHeaders, placeIn, queryHeaders, sessionHeaders } from './session.ts'
import { createTransport, isLoss } from './transport.ts'
import { exactRows } from './values.ts'

/**
 * Trino has no read-only session, so a reader sends nothing that could write. `explain analyze` would run its statement. A comment ends where it ends for
 * Trino: at the first asterisk with a slash, or at the end of its line, which may be a carriage return.
 */
const READS = /^(?:\s|--[^\r\n]*[\r\n]|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:(?:select|with)\b|explain \(type validate\) )/i

/** Pause before a query is sent again, milliseconds. */
const RESEND_MS = 100

/** Trino does not know how far its tables are behind the billing engine. */
const NO_REPLICA = { role: 'unknown', lag_seconds: null, data_through: null, doubt: null } as const

/** One round of questions about the version serves all snapshots that begin in this time, milliseconds. */
const KNOWN_MS = 1_000

/**
 * Executor over a Trino cluster. Each statement is a separate query: Trino has no snapshot over several statements, so a later statement may
 * see newer rows. The time limit of a statement includes the reading of its rows. ConfigurationError if a secret would be sent in clear text.
 */
export function createTrinoExecutor(options: ExecutorOptions): Executor {
  const limits = resolveLimits(options)
  const address = serverAddress(options.url, options.trino?.setting === 'lake' ? 'lake.publish_url' : 'database.url')
  const connectTimeoutMs = address.connectTimeoutMs ?? limits.connectTimeoutMs
  const { tls, origin, login } = loginOf(address, options.trino)
  const transport = createTransport({ origin, tls, connectTimeoutMs, idleConnections: limits.poolSize })
  const client = createTrinoClient({ transport, origin, nextUriOrigin: options.trino?.nextUriOrigin, login })
  const place = placeIn(address, options.schema)
  const mayWrite = options.trino?.mayWrite === true
  const headers = sessionHeaders(place, limits, options.trino)
  const version = recently(() =>
    client.version(AbortSignal.timeout(connectTimeoutMs)).catch((error: unknown) => {
      throw trinoRefusal('version', error) ?? error
    }),
  )
  const driver: Driver = {
    variant: 'trino',
    place: placeOf(address),
    explain: (error) => trinoMeaning(error) ?? tlsFailure(error, address),
    dialect: options.dialect,
    client: { before: [...useOf(place), "set time zone 'UTC'"], after: [] },
    statementTimeoutMs: limits.statementTimeoutMs,
    connectTimeoutMs,
    connect: async () =>
      createSession({
        client,
        dialect: options.dialect.name,
        headers,
        version,
        mayWrite,
        tap: limits.tap,
        counts: options.trino?.counts,
      }),
    failureKind: trinoFailureKind,
    refusal: trinoRefusal,
    close: async () => transport.close(),
  }
  return createExecutor(driver, limits, {
    state: async () => {
      const known = await version().catch((error: unknown) => {
        throw error instanceof AppError ? error : databaseUnavailable(error, driver)
      })
      return { ...NO_REPLICA, version: known === undefined ? 'Trino' : `Trino ${known}` }
    },
    // The question shows whether the login is accepted, which the version does not.
    schema: async (snapshot) => {
      await snapshot.query({ text: 'select 1 as one', values: [], label: 'plumbline schema' })
      return place.schema === undefined ? place.catalog : `${place.catalog}.${place.schema}`
    },
    writePrivileges: trinoWritePrivileges,
  })
}

function useOf({ catalog, schema }: ReturnType<typeof placeIn>): readonly string[] {
  return schema === undefined ? [] : [`use ${quotedName(catalog)}.${quotedName(schema)}`]
}

interface SessionOptions {
  readonly client: TrinoClient
  readonly dialect: DialectName
  readonly headers: Readonly<Record<string, string>>
  readonly version: () => Promise<string | undefined>
  readonly mayWrite: boolean
  readonly tap: (text: string) => void
  readonly counts: QueryCounts | undefined
}

/** A session without its own connection: the process keeps connections for all. */
function createSession({ client, dialect, headers, version, mayWrite, tap, counts }: SessionOptions): DriverSession {
  let running: TrinoQuery | undefined
  let stopping: Promise<void> = Promise.resolve()
  let isClosed = false

  const stop = () => {
    if (running !== undefined) stopping = running.stop()
    running = undefined
  }
  /** Batches of rows. A query that reads is sent again once if the server is lost before it has sent a row. */
  async function* batches(statement: Statement): AsyncGenerator<readonly Row[]> {
    const text = literalText(statement, dialect)
    const isRead = READS.test(text)
    if (!isRead && !mayWrite) throw new InternalError(`"${statement.label}" is no statement that reads`)
    for (let isFirst = true; ; isFirst = false) {
      if (isClosed) throw new InternalError('A session was used after its end.')
      tap(text)
      const query = client.query(text, { ...headers, ...placeHeaders(statement.place), ...queryHeaders(statement.label) })
      running = query
      let hasRows = false
      try {
        for await (const part of query.parts()) {
          if (part.rows.length === 0) continue
          hasRows = true
          yield exactRows(part)
        }
        const cost = query.cost()
        if (cost !== undefined) statement.onCost?.(cost)
        counts?.ended()
        return
      } catch (error) {
        const isWorthIt = isRead && isFirst && !hasRows && !isClosed && (isPassing(error) || isLoss(error))
        counts?.ended(error)
        if (!isWorthIt) throw error
        counts?.repeated(error)
      } finally {
        stop()
      }
      await sleep(RESEND_MS)
    }
  }
  const destroy = () => {
    isClosed = true
    stop()
  }
  return {
    begin: () => version().then(() => {}),
    async query(statement) {
      const rows: Row[] = []
      for await (const batch of batches(statement)) for (const row of batch) rows.push(row)
      return rows
    },
    batches,
    // Trino has to learn that a reader has left, before the process closes its connections.
    end: () => (isClosed ? Promise.resolve() : stopping),
    cancel() {
      destroy()
      return stopping
    },
    release: destroy,
    destroy,
  }
}

/** Shares an answer among all who ask within a second. A failure is not kept. */
function recently<T>(ask: () => Promise<T>): () => Promise<T> {
  let known: { readonly answer: Promise<T>; readonly at: number } | undefined
  return () => {
    const now = performance.now()
    if (known === undefined || now - known.at > KNOWN_MS) {
      const answer = ask()
      const asked = { answer, at: now }
      known = asked
      answer.catch(() => {
        if (known === asked) known = undefined
      })
    }
    return known.answer
  }
}
