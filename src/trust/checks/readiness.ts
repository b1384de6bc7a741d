import { AppError, ConfigurationError, isRefusal } from '../../core/errors.ts'
import type { EngineDependencies } from '../../execution/dependencies.ts'
import { isLagging, lagSentence } from '../../execution/session/replica-lag.ts'
import type { LakeCheck } from '../../ports/lake.ts'
import type { CacheStatistics } from '../../ports/read-through.ts'
import type { Store } from '../../ports/store.ts'
import type { DeliveryAttention, DeliveryRecords } from '../../workspace/deliveries/records.ts'
import type { Attention, SourceResource } from '../../workspace/expenses/sources/resource.ts'

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
      /** The reason why the lag is unknown or the replica is unreachable. Absent if there is no such reason. */
      readonly reason?: string
    }
    readonly store: { readonly ok: boolean | null }
    /** Sources of books that need attention. They do not affect `status`. Absent if there are none. */
    readonly sources?: Attention
    /** Deliveries whose last run could not be sent. They do not affect `status`. Absent if there are no deliveries. */
    readonly deliveries?: DeliveryAttention
    /** Absent if there is no cache. */
    readonly cache?: CacheStatistics
    /** Absent if there is no lake. */
    readonly lake?: LakeCheck
  }
}

type ReplicaCheck = Readiness['checks']['replica']

const UNREACHABLE: ReplicaCheck = { ok: false, role: 'unknown', lag_seconds: null, version: null, schema: null }

const UNKNOWN_LAKE: LakeCheck = {
  ok: false,
  status: 'none',
  publication: null,
  data_through: null,
  made_at: null,
  age_seconds: null,
  reason: 'Trino does not answer',
}

/** Shortest time for which a database that could answer is taken to be still usable. */
const USABLE_MS = 10_000
/**
 * The same as a multiple of the time that its opening took. It reads whole tables, on several processors of the database, so it may take a
 * hundredth of the time.
 */
const USABLE_TIMES = 100
/** Longest time for which it is taken to be usable. */
const USABLE_MOST_MS = 300_000

/**
 * Checks whether queries can be answered: replica reachable and not lagging, schema usable, store open (http-api.md 11). A usable schema
 * is remembered for ten seconds, and longer if it takes long to open, because probes come often.
 */
export function createReadiness(
  deps: EngineDependencies,
  sources: Pick<SourceResource, 'attention'>,
  deliveries: Pick<DeliveryRecords, 'attention'>,
): () => Promise<Readiness> {
  const { onUnready = () => {} } = deps
  let usableUntil = 0
  let isForPublicationsOnly = false
  const isUsable = async (): Promise<boolean> => {
    // No answer reads the billing tables, so they need not be open.
    if (deps.isHeldOnly === true) return true
    const began = performance.now()
    if (began < usableUntil) return true
    const { executor, connector, clock, definitions } = deps
    const open = executor.withSnapshot((snapshot) => connector.open(snapshot, { now: clock.now(), definitions }))
    const opened = await orUndefined(deps.lake === undefined ? open : open.catch(publicationsOnly), onUnready)
    if (opened === undefined) return false
    isForPublicationsOnly = opened === PUBLICATIONS_ONLY
    const took = performance.now() - began
    usableUntil = began + Math.min(Math.max(USABLE_MS, USABLE_TIMES * took), USABLE_MOST_MS)
    return true
  }
  return async () => {
    const [replica, store, cache, lake] = await Promise.all([
      checkReplica(deps, isUsable, onUnready),
      checkStore(deps.store, onUnready),
      deps.cache?.probe(),
      deps.lake && orUndefined(deps.lake(), onUnready),
    ])
    const attention = replica.ok && store === true ? await orUndefined(sources.attention()) : undefined
    const sending = replica.ok && store === true ? await orUndefined(deliveries.attention()) : undefined
    // Without the cache the replica answers, so the cache does not affect the status. Without a publication nobody may answer.
    const isRefused = isForPublicationsOnly && lake?.status === 'none'
    const isAnswering = deps.lake === undefined || (lake?.ok === true && !isRefused)
    const status = replica.ok && store !== false && isAnswering ? 'ok' : 'unavailable'
    return {
      status,
      checks: {
        replica,
        store: { ok: store },
        ...(attention === undefined ? {} : { sources: attention }),
        ...(sending === undefined ? {} : { deliveries: sending }),
        ...(cache === undefined ? {} : { cache }),
        ...(deps.lake === undefined ? {} : { lake: lake ?? UNKNOWN_LAKE }),
      },
    }
  }
}

const PUBLICATIONS_ONLY = 'publications only'

/** Billing tables that only publications can read are as they should be. */
function publicationsOnly(error: unknown): typeof PUBLICATIONS_ONLY {
  if (error instanceof AppError && error.context?.['publications_only'] === true) return PUBLICATIONS_ONLY
  throw error
}

type OnUnready = NonNullable<EngineDependencies['onUnready']>

async function checkReplica(
  { executor, replica }: EngineDependencies,
  isUsable: () => Promise<boolean>,
  onUnready: OnUnready,
): Promise<ReplicaCheck> {
  const read = executor.state().catch((error: unknown) => {
    if (isRefusal(error)) onUnready(error)
    return refusalOf(error)
  })
  const state = await orUndefined(read)
  if (state === undefined) return UNREACHABLE
  if ('ok' in state) return state
  const { role, lag_seconds, version, schema, doubt } = state
  const isBehind = isLagging(state, replica)
  if (isBehind) onUnready(new AppError('replica_lagging', lagSentence(state, replica)))
  const ok = (await isUsable()) && !isBehind
  return { ok, role, lag_seconds, version, schema, ...(doubt === null ? {} : { reason: doubt }) }
}

// A reachable server that is refused, for example for its version, stays refused.
function refusalOf(error: unknown): ReplicaCheck {
  if (error instanceof ConfigurationError) return { ...UNREACHABLE, reason: error.problems.join('; ') }
  throw error
}

async function checkStore(store: Store | null, onUnready: OnUnready): Promise<boolean | null> {
  if (store === null || !store.enabled) return null
  const pinged = store.ping().then(() => true)
  return (await orUndefined(pinged, onUnready)) ?? false
}

// Expected errors mean "not ready". Any other error is a bug and must be visible.
async function orUndefined<T>(work: Promise<T>, onUnready: OnUnready = () => {}): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (!isRefusal(error)) throw error
    onUnready(error)
    return undefined
  }
}
