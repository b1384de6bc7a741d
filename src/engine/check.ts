import type { CheckFinding } from '../connector-kit/connector.ts'
import { AppError, ConfigurationError } from '../core/errors.ts'
import type { CapabilityOf } from './capability.ts'
import { capabilityFindings } from './capability-findings.ts'
import type { EngineDependencies } from './dependencies.ts'
import { isLagging } from './lag.ts'
import type { ReplicaState, Snapshot } from './ports.ts'
import { openSession, type RequestSession } from './session.ts'

/**
 * Findings of `plumbline check`, in the order in which they would stop a query. AppError `connector_unavailable` or `query_timeout`
 * when the database cannot be asked.
 */
export async function runChecks(deps: EngineDependencies, capabilityOf: CapabilityOf): Promise<readonly CheckFinding[]> {
  const { executor, connector, clock, definitions, replica } = deps
  const state = await executor.state()
  const privileges = privilegeFinding(await executor.writePrivileges(), replica.require_read_only)
  const engine = await executor.withSnapshot(async (snapshot) => [
    ...(await connector.check(snapshot, { now: clock.now(), definitions })),
    ...capabilityFindings(connector, capabilityOf),
    ...(await rateFindings(deps, snapshot)),
  ])
  return [connectionFinding(state), privileges, lagFinding(deps, state), ...engine, await storeFinding(deps)]
}

function connectionFinding({ role, version, schema }: ReplicaState): CheckFinding {
  const place = schema === null ? '' : `, schema ${schema}`
  return { name: 'connection', level: 'ok', message: `${version ?? 'connected'}${place}, role ${role}` }
}

function privilegeFinding(privileges: readonly string[], isRequired: boolean): CheckFinding {
  if (privileges.length === 0) return { name: 'privileges', level: 'ok', message: 'the role may only read' }
  const message = `the role may write: ${privileges.join('; ')}`
  return { name: 'privileges', level: isRequired ? 'failure' : 'warning', message }
}

function lagFinding({ replica }: EngineDependencies, state: ReplicaState): CheckFinding {
  if (state.lag_seconds === null) return { name: 'lag', level: 'ok', message: 'not behind, or not known' }
  const message = `${state.lag_seconds} s behind, limit ${replica.max_lag_seconds} s`
  const late = replica.lag_policy === 'refuse' ? 'failure' : 'warning'
  return { name: 'lag', level: isLagging(state, replica) ? late : 'ok', message }
}

async function rateFindings(deps: EngineDependencies, snapshot: Snapshot): Promise<readonly CheckFinding[]> {
  const session = await openUsable(deps, snapshot)
  if (session === undefined) return []
  try {
    const base = session.definitions.base_currency
    const foreign = session.connector.currencies.filter((currency) => currency !== base)
    if (foreign.length === 0) return [{ name: 'rates', level: 'ok', message: `everything is in ${base}, no rate is needed` }]
    const { rows } = await session.rates(true)
    const known = new Set(rows.map(([currency]) => currency))
    const missing = foreign.filter((currency) => !known.has(currency))
    if (missing.length === 0) return [{ name: 'rates', level: 'ok', message: `into ${base} from ${foreign.join(', ')}` }]
    return [{ name: 'rates', level: 'warning', message: `no rate into ${base} from ${missing.join(', ')}` }]
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return [{ name: 'rates', level: 'warning', message: error.message }]
  }
}

// The connector's own findings say why a session cannot be opened.
async function openUsable(deps: EngineDependencies, snapshot: Snapshot): Promise<RequestSession | undefined> {
  try {
    return await openSession(deps, snapshot, deps.clock.now())
  } catch (error) {
    if (error instanceof ConfigurationError || (error instanceof AppError && error.code === 'unsupported_by_connector'))
      return undefined
    throw error
  }
}

async function storeFinding({ store }: EngineDependencies): Promise<CheckFinding> {
  if (store === null || !store.enabled) return { name: 'store', level: 'ok', message: 'switched off' }
  try {
    await store.ping()
    return { name: 'store', level: 'ok', message: 'open and up to date' }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { name: 'store', level: 'failure', message: error.message }
  }
}
