import { AppError } from '../core/errors.ts'
import { isObject } from '../core/json.ts'
import type { CacheReading } from '../ports/read-through.ts'
import type { Row } from '../ports/rows.ts'
import { type ReplicaLag, type Snapshot, withReplicaLag } from '../ports/snapshot.ts'
import type { Warning } from '../query/warning.ts'
import { type Answer, type AskOptions, LARGE_ROWS, PlaceNeeded } from './answer/answer.ts'
import type { EngineDependencies } from './dependencies.ts'
import type { RunStatement } from './run.ts'
import { createSharing } from './session/in-flight.ts'
import { dataThrough, judgeLag } from './session/replica-lag.ts'
import { hashDefinitions, openSession, type RequestSession, sessionOver } from './session/session.ts'

/** What a request works with inside its snapshot. */
export interface Work {
  readonly session: RequestSession
  readonly run: RunStatement
  readonly warn: (warning: Warning) => void
  /** Instant up to which the snapshot is complete; null where that is not known of a replica. */
  readonly data_through: string | null
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal | undefined
  readonly source: Source
  /** Called with the number of rows before they are made. PlaceNeeded where a large answer has no place. */
  readonly enlarge: (rows: number) => void
}

/** Whose rows a snapshot shows: the billing database's own, or those that the cache holds of it. */
export type Source = 'replica' | 'cache'

type Described = 'fields' | 'amounts' | 'days'

/** An answer before what is known of its snapshot stands beside it. */
export type Shaped = Omit<Answer, 'meta'> & Pick<Answer['meta'], Described>

export interface AnswerOptions extends AskOptions {
  /** `replica`: the cache does not hold what is asked for; `cache`: an answer from there or none. */
  readonly source?: Source
  /** The instant that the answer is about, for two that are to mean the same; else that at which its snapshot begins. */
  readonly now?: Date
}

/** What is known of the snapshot behind an answer. */
interface Known {
  readonly meta: Omit<Answer['meta'], Described>
}

type WorkOf<T> = (around: Work) => Promise<T>

/** Runs requests that have been checked: each in one snapshot, with what is known about its answer. */
export interface Answering {
  answer<T extends object>(options: AnswerOptions, work: WorkOf<T>): Promise<T & Known>
  /** The same for a question in JSON that decides all of its answer: equal ones share one while it waits for its turn. */
  share(question: readonly unknown[], options: AnswerOptions, work: WorkOf<Shaped>): Promise<Answer>
}

/**
 * One request, one moment, one read-only snapshot: the lag is read on its connection just before, everything else in it. `checkRole`
 * rejects where the role may write and must not.
 */
export function createAnswering(deps: EngineDependencies, checkRole: () => Promise<void>): Answering {
  const { executor, clock } = deps
  const sharing = createSharing<Answer>()

  /** `depart` is called when what is read from then on may be older than a later question. */
  const begin = async <T extends object>(options: AnswerOptions, depart: () => void, work: WorkOf<T>): Promise<T & Known> => {
    options.signal?.throwIfAborted()
    await checkRole()
    let now = options.now ?? clock.now()
    const onTurn = () => {
      depart()
      now = options.now ?? clock.now()
    }
    // What the server said holds for an instant after `now`, and the snapshot is newer than both.
    const judged = (replicaLag: ReplicaLag) => ({
      lagging: judgeLag(replicaLag, deps.replica),
      data_through: dataThrough(replicaLag, now),
    })
    const answerIn = async (session: RequestSession, { lagging, data_through }: ReturnType<typeof judged>, source: Source) => {
      const doubt = session.connector.prices_in_doubt
      const warnings: Warning[] = [
        ...lagging,
        ...(doubt === undefined ? [] : [{ code: 'prices_in_doubt', message: doubt } as const]),
      ]
      const run: RunStatement = (statement): Promise<readonly Row[]> => session.snapshot.query(statement)
      const warn = (warning: Warning) => addWarning(warnings, warning)
      const enlarge = (rows: number) => {
        if (rows > LARGE_ROWS && options.large?.take() === false) throw new PlaceNeeded()
      }
      const shaped = await work({ session, run, warn, data_through, source, signal: options.signal, enlarge })
      return {
        ...shaped,
        meta: {
          data_through,
          definitions: hashDefinitions(session.definitions),
          warnings,
          base_currency: session.definitions.base_currency,
        },
      }
    }
    const request = () => {
      onTurn()
      return { now, definitions: deps.definitions }
    }
    const read = (reading: CacheReading) => answerIn(sessionOver(deps, reading, now), judged(reading.replicaLag), 'cache')
    const readReplica = async (snapshot: Snapshot, replicaLag: ReplicaLag) => {
      const known = judged(replicaLag)
      return answerIn(await openSession(deps, snapshot, now), known, 'replica')
    }
    const cache = options.source === 'replica' ? undefined : deps.cache
    const readCache = async () => cache?.read(request, read, options.signal)
    const wasFilled = cache?.state().status === 'ready'
    const cached = await readCache()
    if (cached) return cached.value
    if (options.source === 'cache') throw new AppError('connector_unavailable', 'The cache cannot answer now.')
    try {
      return await withReplicaLag(executor, readReplica, { ...options, onTurn })
    } catch (error) {
      // What takes the database too long is worth the filling: it reads more, but every statement of it is short.
      if (!isTimeout(error) || wasFilled || (await cache?.ready(options.signal))?.status !== 'ready') throw error
      options.signal?.throwIfAborted()
      const late = await readCache()
      if (late) return late.value
      throw error
    }
  }

  return {
    answer: (options, work) => begin(options, () => {}, work),
    share: (question, options, work) => {
      const { signal, ...others } = options
      const key = canonicalJson([...question, others])
      return sharing.answer(key, signal, async (flight) => {
        const begun = await begin({ ...others, signal: flight.signal }, flight.depart, work)
        const { fields, amounts, days, meta, ...shaped } = begun
        return { ...shaped, meta: { ...meta, fields, amounts, days } }
      })
    },
  }
}

/** The value with its keys in order, so that equal questions have one text. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  )
}

function isTimeout(error: unknown): boolean {
  return error instanceof AppError && error.code === 'query_timeout'
}

// A warning may come from several statements or metrics of one answer: it stands once, with the largest count.
function addWarning(warnings: Warning[], warning: Warning): void {
  const index = warnings.findIndex((other) => other.code === warning.code)
  const known = warnings[index]
  if (known === undefined) warnings.push(warning)
  else if ((warning.count ?? 0) > (known.count ?? 0)) warnings[index] = warning
}
