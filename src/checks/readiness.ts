import { AppError, ConfigurationError } from '../core/errors.ts'
import type { EngineDependencies } from '../execution/dependencies.ts'
import { isLagging } from '../execution/session/replica-lag.ts'
import type { CacheStatistics } from '../ports/read-through.ts'
import type { Store } from '../ports/store.ts'
import type { Attention, SourceResource } from '../workspace/expenses/sources/resource.ts'

/** Body of /readyz (http-api.md 11). */
export interface Readiness {
  readonly status: 'ok' | 'unavailable'
  readonly checks: {
    readonly replica: {
      readonly ok: boolean
      readonly role: 'replica' | 'primary' | 'unknown'
      readonly lag_seconds: number | null
      readonly version: string | null
      readonly schema: string | null
      /** What keeps the replica from being known as up to date, or from being asked at all; absent where nothing does. */
      readonly reason?: string
    }
    readonly store: { readonly ok: boolean | null }
    /** Sources of books of which somebody should know; they decide nothing here. Absent where there are none. */
    readonly sources?: Attention
    /** Absent where answers never come from a cache. */
    readonly cache?: CacheStatistics
  }
}

type ReplicaCheck = Readiness['checks']['replica']

const UNREACHABLE: ReplicaCheck = { ok: false, role: 'unknown', lag_seconds: null, version: null, schema: null }

/** Whether queries can be answered now: replica reachable, not lagging, schema usable, store open (http-api.md 11). */
export async function checkReadiness(deps: EngineDependencies, sources: Pick<SourceResource, 'attention'>): Promise<Readiness> {
  const [replica, store, cache] = await Promise.all([checkReplica(deps), checkStore(deps.store), deps.cache?.probe()])
  const attention = replica.ok && store === true ? await orUndefined(sources.attention()) : undefined
  // A cache that cannot answer leaves everything to the replica, so it decides nothing here.
  const status = replica.ok && store !== false ? 'ok' : 'unavailable'
  return {
    status,
    checks: {
      replica,
      store: { ok: store },
      ...(attention === undefined ? {} : { sources: attention }),
      ...(cache === undefined ? {} : { cache }),
    },
  }
}

async function checkReplica({ executor, connector, clock, definitions, replica }: EngineDependencies): Promise<ReplicaCheck> {
  const state = await orUndefined(executor.state().catch(refusalOf))
  if (state === undefined) return UNREACHABLE
  if ('ok' in state) return state
  const { role, lag_seconds, version, schema, doubt } = state
  const opened = await orUndefined(
    executor.withSnapshot((snapshot) => connector.open(snapshot, { now: clock.now(), definitions })),
  )
  const ok = opened !== undefined && !isLagging(state, replica)
  return { ok, role, lag_seconds, version, schema, ...(doubt === null ? {} : { reason: doubt }) }
}

// A server that is there and refused, such as for its version, stays so until it is another one.
function refusalOf(error: unknown): ReplicaCheck {
  if (error instanceof ConfigurationError) return { ...UNREACHABLE, reason: error.problems.join('; ') }
  throw error
}

async function checkStore(store: Store | null): Promise<boolean | null> {
  if (store === null || !store.enabled) return null
  return (await orUndefined(store.ping().then(() => true))) ?? false
}

// Only what a caller may know of counts as "not ready"; anything else is a fault and must be seen.
async function orUndefined<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AppError || error instanceof ConfigurationError) return undefined
    throw error
  }
}
