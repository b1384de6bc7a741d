import { unlessAborted } from '../../core/async.ts'
import { type Definitions, sharesFacts } from '../../core/definitions.ts'
import { AppError } from '../../core/errors.ts'
import type { CacheFacts, CacheReading } from '../../ports/read-through.ts'
import type { ConnectorSession, InferredPart } from '../../ports/session.ts'
import { type ReplicaLag, type Snapshot, withReplicaLag } from '../../ports/snapshot.ts'
import type { Warning } from '../../query/warning.ts'
import { type AnswerOptions, LARGE_ROWS, PlaceNeeded, type Source } from '../answer/answer.ts'
import type { MadeFrom } from '../answer/memory.ts'
import type { EngineDependencies } from '../dependencies.ts'
import type { RunContext } from '../run.ts'
import { createStraightEstimate } from '../straight.ts'
import { freshReading } from './fresh-reading.ts'
import { heldOnlyRefusal } from './held-session.ts'
import { dataThrough, judgeLag, lagWithCopy } from './replica-lag.ts'
import { openSession, type RequestSession, sessionOver } from './session.ts'
import { watched } from './watched-store.ts'

/** The memory of one question. */
export interface Recollection<T> {
  /** True if the state of the side store is needed to recall the value. */
  readonly readsStore: () => boolean
  recall(from: MadeFrom): T | undefined
  keep(value: T, from: MadeFrom & { readonly readsStore: boolean }): void
}

/**
 * Opens a session and runs `work` in it. `startReading` is called just before the snapshot begins. A later request may expect newer data,
 * so it must not share this answer.
 */
export type InSession = <T>(
  options: AnswerOptions,
  startReading: () => void,
  work: (context: RunContext) => Promise<T>,
  recollection?: Recollection<T>,
) => Promise<T>

/**
 * One request, one instant, one read-only snapshot. If the cache cannot answer, the replica does. The lag is read on the same connection
 * just before the snapshot. All other data is read in the snapshot. `work` may run twice, because the replica repeats a request if the
 * cache fails. With a recollection, a value from the cache comes from memory if nothing has changed that it depends on.
 *
 *     cache ready ──────────────► cache ──► answer
 *        │ cannot answer now                  ▲
 *        ▼                                    │ filled meanwhile
 *     replica ──► answer      replica takes too long, cache was not filled
 */
export function createSessions(deps: EngineDependencies, checkRole: () => Promise<void>): InSession {
  const { executor, clock, store } = deps
  const readStore = freshReading(async () => store?.fingerprint())
  const estimate = createStraightEstimate(deps)
  /** Tells the caller before the first statement that reads a level, if the estimate exceeds the time limit. */
  const telling = (run: RunContext['run'], snapshot: Snapshot, tell: AnswerOptions['onStraight']): RunContext['run'] => {
    const { levelTables = [] } = deps.connector
    let isTold = tell === undefined || levelTables.length === 0
    return async (statement) => {
      if (!isTold && levelTables.every((table) => statement.text.includes(table))) {
        isTold = true
        const text = await estimate(snapshot)
        if (text !== undefined) tell?.(text)
      }
      return run(statement)
    }
  }
  /** State of the store. Undefined: it is not known in time, so nothing is recalled that read the store. */
  const stateOfStore = () => unlessAborted(readStore(), AbortSignal.timeout(STORE_MS)).catch(() => undefined)
  return async (options, startReading, work, recollection) => {
    options.signal?.throwIfAborted()
    await checkRole()
    let now = options.now ?? clock.now()
    const onTurn = () => {
      startReading()
      now = options.now ?? clock.now()
    }
    // The lag was read just after `now`. The snapshot is newer than both `now` and that reading.
    const known = (ofServer: ReplicaLag, { copied }: Pick<ConnectorSession, 'copied'> = {}): Known => {
      const lag = lagWithCopy(ofServer, copied, now)
      return { lagging: judgeLag(lag, deps.replica), data_through: dataThrough(lag, now) }
    }

    const { definitions = deps.definitions } = options
    const isHeld = options.source !== 'replica' && sharesFacts(deps.definitions, definitions)
    const cache = isHeld ? deps.cache : undefined
    const request = () => {
      onTurn()
      return { now, definitions }
    }
    const readCache = async () => {
      if (cache === undefined) return null
      // Read before the cache is brought up to date. A later write makes another state.
      const stored = store?.enabled === true && recollection?.readsStore() === true ? await stateOfStore() : undefined
      const madeFrom = ({ mark, replicaLag, session }: CacheFacts): MadeFrom => ({
        ...{ mark, now, store: stored },
        ...known(replicaLag, session),
      })
      const recall = (facts: CacheFacts) => {
        const value = recollection?.recall(madeFrom(facts))
        return value === undefined ? undefined : { value }
      }
      const inCache = async (reading: CacheReading) => {
        let readsStore = false
        const onUse = () => {
          readsStore = true
        }
        const own = store === null || recollection === undefined ? deps : { ...deps, store: watched(store, onUse) }
        const from = madeFrom(reading)
        const under = async (asked: Definitions) => sessionInCache(own, reading, now, asked)
        const value = await work(contextOf(own, options, { session: await under(definitions), under }, 'cache', from))
        recollection?.keep(value, { ...from, readsStore })
        return value
      }
      return cache.read(request, inCache, options.signal, recall)
    }
    const inReplica = async (snapshot: Snapshot, replicaLag: ReplicaLag) => {
      // A lag of the server is refused before anything is read.
      known(replicaLag)
      const under = (asked: Definitions) => openSession(deps, snapshot, now, asked)
      const session = await under(definitions)
      const lag = known(replicaLag, session.connector)
      const context = contextOf(deps, options, { session, under }, 'replica', lag)
      return work({ ...context, run: telling(context.run, snapshot, options.onStraight) })
    }

    if (cache !== undefined) await options.openCache?.()
    const wasFilled = cache?.state().status === 'ready'
    const cached = await readCache()
    if (cached) return cached.value
    if (deps.isHeldOnly === true) throw heldOnlyRefusal()
    if (options.source === 'cache') throw new AppError('connector_unavailable', 'The cache cannot answer now.')
    try {
      return await withReplicaLag(executor, inReplica, { ...options, onTurn })
    } catch (error) {
      // A request that timed out may wait until the cache is filled. Filling reads more data, but in shorter statements.
      if (!isTimeout(error) || wasFilled || (await cache?.ready(options.signal))?.status !== 'ready') throw error
      options.signal?.throwIfAborted()
      const late = await readCache()
      if (late) return late.value
      throw error
    }
  }
}

function sessionInCache(deps: EngineDependencies, reading: CacheReading, now: Date, definitions: Definitions): RequestSession {
  return sessionOver(deps, { ...reading, catalog: reading.catalogOf(definitions) }, now, definitions)
}

/** Milliseconds that a request waits for the state of the store before it does without its memory. */
const STORE_MS = 250

interface Known {
  readonly lagging: readonly Warning[]
  readonly data_through: string | null
}

function contextOf(
  deps: EngineDependencies,
  { signal, large }: AnswerOptions,
  { session, under }: { readonly session: RequestSession; readonly under: RunContext['sessionUnder'] },
  source: Source,
  { lagging, data_through }: Known,
): RunContext {
  const { prices_in_doubt: doubt, incomplete, inferred_parts: parts } = session.connector
  const warnings: Warning[] = [
    ...lagging,
    ...(doubt === undefined ? [] : [{ code: 'prices_in_doubt', message: doubt } as const]),
    ...(incomplete === undefined ? [] : [{ code: 'partial', ...incomplete } as const]),
  ]
  const known = warnings.length
  return {
    deps,
    session,
    sessionUnder: under,
    source,
    run: (statement) => session.snapshot.query(statement),
    warnings,
    warn: (warning) => addWarning(warnings, known, warning.code === 'inferred' ? withParts(warning, parts) : warning),
    data_through,
    signal,
    enlarge: (rows) => {
      if (rows > LARGE_ROWS && large?.take() === false) throw new PlaceNeeded()
    },
  }
}

/** The warning with the parts that the connector infers, and the number of rows of each. */
function withParts(warning: Warning, parts: readonly InferredPart[] = []): Warning {
  if (parts.length === 0) return warning
  const named = parts.map(({ name, count }) => (count === undefined ? name : `${name}: ${count}`))
  return { ...warning, message: `${warning.message} Parts: ${named.join(', ')}.`, parts }
}

function isTimeout(error: unknown): boolean {
  return error instanceof AppError && error.code === 'query_timeout'
}

// Several statements or metrics of one answer may give the same warning: it appears once, with the largest count. The first ones are those of the
// session, which stay.
function addWarning(warnings: Warning[], first: number, warning: Warning): void {
  const index = warnings.findIndex((other, place) => place >= first && other.code === warning.code)
  const known = warnings[index]
  if (known === undefined) warnings.push(warning)
  else if ((warning.count ?? 0) > (known.count ?? 0)) warnings[index] = warning
}
