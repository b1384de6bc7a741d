import type { RefillCause } from '../../connector-kit/mirror-source.ts'
import type { Gate } from '../../core/gate.ts'
import type { CacheFiles } from '../../ports/cache-database.ts'
import type { Executor } from '../../ports/executor.ts'
import type { CacheState, FeedRequest } from '../../ports/read-through.ts'
import type { MirrorCatalogs } from '../held/catalogs.ts'
import type { HeaderInputs } from '../held/header.ts'
import type { MirrorConnector } from './mirror-tables.ts'

/** The time limits of the mirror, in milliseconds. */
export interface Patience {
  /** A request waits this long for its turn before it is left to the replica: the time limit of a statement. */
  readonly waitMs: number
  /**
   * A filling, a refresh or an answer may be silent this long: the time limit of a statement, plus the time that the database may
   * take to cancel it.
   */
  readonly silenceMs: number
  /** After its first failure a filling is tried again after this time. A part of it is tried again much sooner (mirror.ts). */
  readonly retryMs: number
  /** A process that does not own the stored mirror closes it after this time without a request, so that a service can take it. */
  readonly idleMs: number
  /** Each row that people edit by hand is compared with the billing database within this time (content.ts). */
  readonly sweepMs: number
}

export interface ReadThroughOptions {
  /** Has two separate connections, so that a filling takes no connection from the requests and no request delays a refresh. */
  readonly ownExecutor: Executor
  /** Called when the mirror is first filled. */
  readonly mirror: () => MirrorConnector
  readonly files: CacheFiles
  /** The inputs of the rows other than the billing database. */
  readonly header: () => HeaderInputs
  /** The templates by definitions. They are loaded when the mirror first answers, because many processes end before that. */
  readonly catalogs: MirrorCatalogs
  /** Returns the present instant, which the mirror follows, and the definitions. */
  readonly request: () => FeedRequest
  /** If true, the first request starts the mirror, and requests wait until it is filled. */
  readonly isRequired: boolean
  /** Number of customers that a filling makes together. If absent, the usual number. */
  readonly bucket?: number | undefined
  /** The turns of the requests that read the mirror. */
  readonly turns: Gate
  /** If absent, the patience for statements of 30 seconds. */
  readonly patience?: Patience | undefined
  readonly onProgress: (state: CacheState) => void
  /** Called with the cause when rows that were filled are filled again. */
  readonly onRefill?: ((cause: RefillCause) => void) | undefined
  readonly onFailure: (error: unknown) => void
}

/** Milliseconds beyond a statement's time limit that its database may take to report the timeout. */
const GRACE_MS = 15_000
const RETRY_MS = 60_000
const IDLE_MS = 60_000
const SWEEP_MS = 300_000

/** The patience for a time limit of statements, in milliseconds. */
export function patienceFor(statementTimeoutMs: number): Patience {
  return {
    waitMs: statementTimeoutMs,
    silenceMs: statementTimeoutMs + GRACE_MS,
    retryMs: RETRY_MS,
    idleMs: IDLE_MS,
    sweepMs: SWEEP_MS,
  }
}
