import type { CheckFinding } from '../connector-kit/connector.ts'
import { AppError, ConfigurationError } from '../core/errors.ts'
import type { Workspace } from '../core/workspace.ts'
import type { EngineDependencies } from '../execution/dependencies.ts'
import type { CapabilityOf } from '../execution/plan/capability.ts'
import { isLagging, isUndisclosed, lagPhrase } from '../execution/session/replica-lag.ts'
import { openSession, type RequestSession } from '../execution/session/session.ts'
import type { ReplicaState } from '../ports/executor.ts'
import type { Snapshot } from '../ports/snapshot.ts'
import { capabilityFindings } from './capability-findings.ts'
import { largeMrrFindings } from './large-mrr.ts'

/**
 * Findings of `plumbline check`, in the order in which they would stop a query. AppError `connector_unavailable` or `query_timeout`
 * when the database cannot be asked.
 */
export async function runChecks(
  deps: EngineDependencies,
  capabilityOf: CapabilityOf,
  workspace: () => Promise<Workspace>,
): Promise<readonly CheckFinding[]> {
  const { executor, connector, clock, definitions, replica } = deps
  const state = await stateUnlessRefused(executor)
  if ('level' in state) return [state]
  const privileges = privilegeFinding(await executor.writePrivileges(), replica.require_read_only)
  const request = { now: clock.now(), definitions }
  const engine = await executor
    .withSnapshot(async (snapshot) => (await connector.check?.(snapshot, request)) ?? [])
    .catch(unreadableFinding)
  // In a snapshot of their own: PostgreSQL answers nothing more in one in which a statement was refused.
  const inSession = (find: (session: RequestSession) => Promise<readonly CheckFinding[]>) =>
    executor.withSnapshot(async (snapshot) => {
      const session = await openUsable(deps, snapshot)
      return session === undefined ? [] : find(session)
    })
  const rates = await inSession(rateFindings)
  const amounts = await inSession((session) => largeMrrFindings(deps, capabilityOf, session))
  return [
    connectionFinding(state),
    privileges,
    lagFinding(deps, state),
    ...engine,
    ...capabilityFindings(deps, capabilityOf),
    ...rates,
    ...amounts,
    ...(await storeFindings(deps, workspace)),
  ]
}

// What the role may not read is a finding, wherever it is noticed.
function unreadableFinding(error: unknown): readonly CheckFinding[] {
  if (!(error instanceof AppError) || error.code !== 'unsupported_by_connector') throw error
  return [{ name: 'engine', level: 'failure', message: error.operatorDetail }]
}

// A server that is refused, such as for its version, can be asked nothing else.
async function stateUnlessRefused(executor: EngineDependencies['executor']): Promise<ReplicaState | CheckFinding> {
  try {
    return await executor.state()
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return { name: 'connection', level: 'failure', message: error.problems.join('; ') }
  }
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
  const message = lagMessage(state, replica.max_lag_seconds)
  if (isLagging(state, replica)) return { name: 'lag', level: replica.lag_policy === 'refuse' ? 'failure' : 'warning', message }
  return { name: 'lag', level: isUndisclosed(state) ? 'warning' : 'ok', message }
}

function lagMessage(state: ReplicaState, limit: number): string {
  if (isUndisclosed(state)) return `not known (${state.doubt})`
  if (state.role !== 'replica') return 'none, it follows no primary'
  return `${lagPhrase(state)}, limit ${limit} s`
}

async function rateFindings(session: RequestSession): Promise<readonly CheckFinding[]> {
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

async function storeFindings(
  { store }: EngineDependencies,
  workspace: () => Promise<Workspace>,
): Promise<readonly CheckFinding[]> {
  if (store === null || !store.enabled) return [{ name: 'store', level: 'ok', message: 'switched off' }]
  try {
    await store.ping()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return [{ name: 'store', level: 'failure', message: error.message }]
  }
  const open = (await store.openToOthers?.()) ?? []
  const files: CheckFinding = {
    name: 'store_files',
    level: 'warning',
    message: `other users of this machine may use ${open.join(', ')}`,
  }
  return [
    { name: 'store', level: 'ok', message: `open and up to date${await named(workspace)}` },
    ...(open.length === 0 ? [] : [files]),
  ]
}

// The connector's own findings say why its sources are not known.
async function named(workspace: () => Promise<Workspace>): Promise<string> {
  try {
    return `, workspace ${(await workspace()).name}`
  } catch (error) {
    if (error instanceof AppError || error instanceof ConfigurationError) return ''
    throw error
  }
}
