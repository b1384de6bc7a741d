import { AppError, ConfigurationError } from '../core/errors.ts'
import type { Readiness } from './answers.ts'
import type { EngineDependencies } from './dependencies.ts'
import { isLagging } from './lag.ts'
import type { Store } from './ports.ts'

type ReplicaCheck = Readiness['checks']['replica']

const UNREACHABLE: ReplicaCheck = { ok: false, role: 'unknown', lag_seconds: null, version: null, schema: null }

/** Whether queries can be answered now: replica reachable, not lagging, schema usable, store open (http-api.md 11). */
export async function checkReadiness(deps: EngineDependencies): Promise<Readiness> {
  const [replica, store] = await Promise.all([checkReplica(deps), checkStore(deps.store)])
  const status = replica.ok && store !== false ? 'ok' : 'unavailable'
  const cache = deps.cache?.state()
  return { status, checks: { replica, store: { ok: store }, ...(cache === undefined ? {} : { cache }) } }
}

async function checkReplica({ executor, connector, clock, definitions, replica }: EngineDependencies): Promise<ReplicaCheck> {
  const state = await orUndefined(executor.state())
  if (state === undefined) return UNREACHABLE
  const { role, lag_seconds, version, schema } = state
  const opened = await orUndefined(
    executor.withSnapshot((snapshot) => connector.open(snapshot, { now: clock.now(), definitions })),
  )
  return { ok: opened !== undefined && !isLagging(state, replica), role, lag_seconds, version, schema }
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
