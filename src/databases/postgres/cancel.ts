import type pg from 'pg'
import { PostgresSocket } from '../addresses/postgres-socket.ts'
import { pgDriver } from '../driver.ts'

const CANCEL_TIMEOUT_MS = 5_000

/** A backend within one of its transactions. */
export interface OpenTransaction {
  readonly pid: unknown
  /** The start of the transaction, as the server writes instants in UTC. */
  readonly began: unknown
}

/** Properties of a connection that the driver's types leave out. */
interface Wire {
  readonly host: string
  readonly port: number
  readonly processID: number | null
  readonly secretKey: number | null
  readonly connection?: { readonly stream?: { readonly remoteAddress?: string } }
}

interface Line {
  readonly stream: { destroy(): void }
  on(event: 'connect' | 'error' | 'end', listener: () => void): void
  connect(port: number | string, host?: string): void
  cancel(processID: number, secretKey: number): void
}

/** True if a transaction runs in the backend that the connection was given when it was opened. A pooler names one that does not exist. */
export function isOwnBackend(client: pg.PoolClient, { pid }: OpenTransaction): boolean {
  const { processID } = client as unknown as Wire
  return processID !== null && Number(pid) === processID
}

/**
 * Asks the server to stop the statement of a connection, with the key that the connection received when it was opened. A pooler
 * knows the backend that the connection uses. The request goes to the address of the connection itself, because a host name may
 * lead to another server each time. The request is encrypted if the connection is encrypted. Resolves when the server has taken
 * the request, and never rejects.
 */
export async function requestCancel(client: pg.PoolClient): Promise<void> {
  const { host, port, processID, secretKey, connection } = client as unknown as Wire
  if (processID === null || secretKey === null) return
  const isSocket = host.startsWith('/')
  const stream = connection?.stream
  const settings = { ssl: false, ...(stream instanceof PostgresSocket ? { stream: stream.sibling() } : {}) }
  const line = new (pgDriver().Connection)(settings as unknown as pg.ConnectionConfig) as unknown as Line
  await new Promise<void>((resolve) => {
    const impatient = setTimeout(resolve, CANCEL_TIMEOUT_MS)
    const done = () => {
      clearTimeout(impatient)
      resolve()
    }
    line.on('connect', () => line.cancel(processID, secretKey))
    line.on('error', done)
    // The server sends no answer. It closes the line when it has passed the request on.
    line.on('end', done)
    if (isSocket) line.connect(`${host}/.s.PGSQL.${port}`)
    else line.connect(port, stream?.remoteAddress ?? host)
  })
  line.stream.destroy()
}

/**
 * Stops the statement of a backend over another connection, for poolers that accept no cancel request. The backend works for this
 * process as long as its transaction is open. If the transaction has ended, or the other connection leads to another server, the
 * start of the transaction differs and nothing is stopped. Never rejects.
 */
export async function cancelBackend(
  { pid, began }: OpenTransaction,
  config: pg.ClientConfig,
  tap: (text: string) => void,
): Promise<void> {
  const canceller = new (pgDriver().Client)({
    ...config,
    connectionTimeoutMillis: CANCEL_TIMEOUT_MS,
    query_timeout: CANCEL_TIMEOUT_MS,
  })
  canceller.on('error', () => {})
  const text =
    'select pg_cancel_backend(pid) from pg_stat_activity where pid = $1::integer and xact_start = ($2::text)::timestamptz'
  try {
    await canceller.connect()
    await canceller.query('begin transaction read only')
    tap(text)
    await canceller.query(text, [pid, began])
    await canceller.query('rollback')
  } catch {
    // No other connection could send the cancel. The caller closes the connection of the statement, and the server's time limit
    // ends the statement.
  } finally {
    await canceller.end().catch(() => {})
  }
}
