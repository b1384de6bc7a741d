import { AppError } from '../../core/errors.ts'
import type { CacheReading } from '../../ports/read-through.ts'
import { type ReplicaLag, type Snapshot, withReplicaLag } from '../../ports/snapshot.ts'
import type { Warning } from '../../query/warning.ts'
import { type AnswerOptions, LARGE_ROWS, PlaceNeeded, type Source } from '../answer/answer.ts'
import type { EngineDependencies } from '../dependencies.ts'
import type { RunContext } from '../run.ts'
import { dataThrough, judgeLag } from './replica-lag.ts'
import { openSession, type RequestSession, sessionOver } from './session.ts'

/**
 * Opens a session and runs `work` in it. `startReading` is called just before the snapshot begins. A later request may expect newer data,
 * so it must not share this answer.
 */
export type InSession = <T>(
  options: AnswerOptions,
  startReading: () => void,
  work: (context: RunContext) => Promise<T>,
) => Promise<T>

/**
 * One request, one instant, one read-only snapshot. If the cache cannot answer, the replica does. The lag is read on the same connection
 * just before the snapshot. All other data is read in the snapshot. `work` may run twice, because the replica repeats a request if the
 * cache fails.
 *
 *     cache ready ──────────────► cache ──► answer
 *        │ cannot answer now                  ▲
 *        ▼                                    │ filled meanwhile
 *     replica ──► answer      replica takes too long, cache was not filled
 */
export function createSessions(deps: EngineDependencies, checkRole: () => Promise<void>): InSession {
  const { executor, clock } = deps
  return async (options, startReading, work) => {
    options.signal?.throwIfAborted()
    await checkRole()
    let now = options.now ?? clock.now()
    const onTurn = () => {
      startReading()
      now = options.now ?? clock.now()
    }
    const runIn = (session: RequestSession, source: Source, known: Known) =>
      work(contextOf(deps, options, session, source, known))
    // The lag was read just after `now`. The snapshot is newer than both `now` and that reading.
    const known = (replicaLag: ReplicaLag): Known => ({
      lagging: judgeLag(replicaLag, deps.replica),
      data_through: dataThrough(replicaLag, now),
    })

    const cache = options.source === 'replica' ? undefined : deps.cache
    const request = () => {
      onTurn()
      return { now, definitions: deps.definitions }
    }
    const inCache = (reading: CacheReading) => {
      const session = sessionOver(deps, reading, now)
      return runIn(session, 'cache', known(reading.replicaLag))
    }
    const readCache = async () => cache?.read(request, inCache, options.signal)
    const inReplica = async (snapshot: Snapshot, replicaLag: ReplicaLag) => {
      const lag = known(replicaLag)
      return runIn(await openSession(deps, snapshot, now), 'replica', lag)
    }

    const wasFilled = cache?.state().status === 'ready'
    const cached = await readCache()
    if (cached) return cached.value
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

interface Known {
  readonly lagging: readonly Warning[]
  readonly data_through: string | null
}

function contextOf(
  deps: EngineDependencies,
  { signal, large }: AnswerOptions,
  session: RequestSession,
  source: Source,
  { lagging, data_through }: Known,
): RunContext {
  const doubt = session.connector.prices_in_doubt
  const warnings: Warning[] = [...lagging, ...(doubt === undefined ? [] : [{ code: 'prices_in_doubt', message: doubt } as const])]
  return {
    deps,
    session,
    source,
    run: (statement) => session.snapshot.query(statement),
    warnings,
    warn: (warning) => addWarning(warnings, warning),
    data_through,
    signal,
    enlarge: (rows) => {
      if (rows > LARGE_ROWS && large?.take() === false) throw new PlaceNeeded()
    },
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof AppError && error.code === 'query_timeout'
}

// Several statements or metrics of one answer may give the same warning: it appears once, with the largest count.
function addWarning(warnings: Warning[], warning: Warning): void {
  const index = warnings.findIndex((other) => other.code === warning.code)
  const known = warnings[index]
  if (known === undefined) warnings.push(warning)
  else if ((warning.count ?? 0) > (known.count ?? 0)) warnings[index] = warning
}
