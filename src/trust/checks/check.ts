import type { Capability, CheckFinding } from '../../connector-kit/connector.ts'
import { refusalFinding } from '../../connector-kit/source-choice.ts'
import { AppError, ConfigurationError } from '../../core/errors.ts'
import { dayOf } from '../../core/periods.ts'
import type { Workspace } from '../../core/workspace.ts'
import type { EngineDependencies } from '../../execution/dependencies.ts'
import { type CapabilityOf, missingFor } from '../../execution/plan/capability.ts'
import { isLagging, isUndisclosed, lagPhrase } from '../../execution/session/replica-lag.ts'
import { openSession, type RequestSession } from '../../execution/session/session.ts'
import { createStraightEstimate, estimateApart } from '../../execution/straight.ts'
import type { Registry } from '../../metrics/registry.ts'
import type { ReplicaState } from '../../ports/executor.ts'
import type { Snapshot } from '../../ports/snapshot.ts'
import type { Store } from '../../ports/store.ts'
import { RELATION_CONTRACTS } from '../../relations/contracts.ts'
import type { Source } from '../../workspace/expenses/sources/answers.ts'
import type { SourceResource } from '../../workspace/expenses/sources/resource.ts'

/**
 * Findings of `plumbline check`, in the order in which they would stop a query. AppError `connector_unavailable` or
 * `query_timeout` if the database cannot be reached.
 */
export async function runChecks(
  deps: EngineDependencies,
  capabilityOf: CapabilityOf,
  workspace: () => Promise<Workspace>,
): Promise<readonly CheckFinding[]> {
  const { executor, connector, clock, definitions, replica } = deps
  const state = await stateUnlessRefused(executor)
  if ('level' in state) return [state]
  const privileges = privilegeFinding(
    await executor.writePrivileges(connector.levelTables),
    replica.require_read_only,
    executor.dialect.name,
  )
  const request = { now: clock.now(), definitions }
  const engine = await executor
    .withSnapshot(async (snapshot) => (await connector.check?.(snapshot, request)) ?? [])
    .catch((error: unknown) => [refusalFinding(error)])
  // Each check uses its own snapshot, because PostgreSQL ends a snapshot in which a statement fails.
  const inSession = (find: (session: RequestSession) => Promise<readonly CheckFinding[]>) =>
    executor.withSnapshot(async (snapshot) => {
      const session = await openUsable(deps, snapshot)
      return session === undefined ? [] : find(session)
    })
  const rates = await inSession((session) => rateFindings(deps, session))
  return [
    connectionFinding(state),
    privileges,
    lagFinding(deps, state),
    ...engine,
    ...capabilityFindings(deps, capabilityOf),
    ...rates,
    ...(await storeFindings(deps, workspace)),
  ]
}

// A server that is refused, for example for its version, can run no other check.
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

function privilegeFinding(privileges: readonly string[], isRequired: boolean, dialect: string): CheckFinding {
  if (privileges.length === 0) return { name: 'privileges', level: 'ok', message: 'the role is read-only' }
  const message = `the role can write: ${privileges.join('; ')}`
  const level = isRequired ? 'failure' : 'warning'
  // The rights on Trino are in files of its cluster.
  if (dialect === 'trino') return { name: 'privileges', level, message }
  return { name: 'privileges', level, message, command: `plumbline grants --dialect ${dialect} --user plumbline_reader` }
}

function lagFinding({ replica }: EngineDependencies, state: ReplicaState): CheckFinding {
  const message = lagMessage(state, replica.max_lag_seconds)
  if (isLagging(state, replica)) return { name: 'lag', level: replica.lag_policy === 'refuse' ? 'failure' : 'warning', message }
  return { name: 'lag', level: isUndisclosed(state) ? 'warning' : 'ok', message }
}

function lagMessage(state: ReplicaState, limit: number): string {
  if (isUndisclosed(state)) return `unknown (${state.doubt})`
  if (state.role !== 'replica') return 'none: this server is not a replica'
  return `${lagPhrase(state)}, limit ${limit} s`
}

/**
 * A finding if an answer straight from the database may exceed its time limit: a warning if answers come straight, because there is no cache or
 * it cannot be filled.
 */
export async function straightFindings(
  deps: Pick<EngineDependencies, 'executor' | 'connector' | 'limits' | 'cache'>,
): Promise<readonly CheckFinding[]> {
  const text = await estimateApart(deps, createStraightEstimate(deps))
  if (text === undefined) return []
  const status = deps.cache?.state().status
  const isStraight = status === undefined || status === 'failed'
  return [{ name: 'straight_answers', level: isStraight ? 'warning' : 'ok', message: text }]
}

const FETCH = 'plumbline fx fetch ecb'
/** Monthly rates are at most this old, with some days to load them. */
const OLD_AFTER_DAYS = 45
const DAY_MS = 86_400_000

/** Stored pairs in use whose newest rate is old: it still applies to today's amounts. */
async function oldRates(store: Store | null, base: string, foreign: readonly string[], now: Date): Promise<readonly string[]> {
  if (store?.enabled !== true) return []
  const newest = await store.fxRates.list({ from: foreign, to: [base], latest: true })
  const limit = dayOf(new Date(now.getTime() - OLD_AFTER_DAYS * DAY_MS))
  return newest.filter(({ date }) => date < limit).map(({ from, date }) => `${from} of ${date}`)
}

async function rateFindings({ store }: EngineDependencies, session: RequestSession): Promise<readonly CheckFinding[]> {
  try {
    const base = session.definitions.base_currency
    const foreign = session.connector.currencies.filter((currency) => currency !== base)
    if (foreign.length === 0) return [{ name: 'rates', level: 'ok', message: `everything is in ${base}; no rate is needed` }]
    const { rows } = await session.rates(true)
    const known = new Set(rows.map(([currency]) => currency))
    const missing = foreign.filter((currency) => !known.has(currency))
    if (missing.length > 0)
      return [{ name: 'rates', level: 'warning', message: `no rate into ${base} from ${missing.join(', ')}`, command: FETCH }]
    const old = await oldRates(store, base, foreign, session.now)
    if (old.length > 0)
      return [{ name: 'rates', level: 'warning', message: `the newest rates are old: ${old.join(', ')}`, command: FETCH }]
    return [{ name: 'rates', level: 'ok', message: `rates into ${base} from ${foreign.join(', ')}` }]
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return [{ name: 'rates', level: 'warning', message: error.message }]
  }
}

// The findings of the connector say why a session cannot be opened.
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
  if (store === null || !store.enabled) return [{ name: 'store', level: 'ok', message: 'off' }]
  try {
    await store.ping()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return [{ name: 'store', level: 'failure', message: error.message }]
  }
  const open = (await store.filesOpenToOthers?.()) ?? []
  const files: CheckFinding = {
    name: 'store_files',
    level: 'warning',
    message: `other users of this machine can access ${open.join(', ')}`,
  }
  return [
    { name: 'store', level: 'ok', message: `open and up to date${await named(workspace)}` },
    ...(open.length === 0 ? [] : [files]),
  ]
}

// The findings of the connector say why its sources are unknown.
async function named(workspace: () => Promise<Workspace>): Promise<string> {
  try {
    return `, workspace ${(await workspace()).name}`
  } catch (error) {
    if (error instanceof AppError || error instanceof ConfigurationError) return ''
    throw error
  }
}

/** One finding per capability of the connector's relations. All of them are `ok`. */
function capabilityFindings(
  { connector, registry }: Pick<EngineDependencies, 'connector' | 'registry'>,
  capabilityOf: CapabilityOf,
): readonly CheckFinding[] {
  const names = suppliedNames(Object.keys(connector.capabilities), registry)
  const finding = (capability: Capability, consequence: string): readonly CheckFinding[] => {
    const found = names.filter((name) => capabilityOf(name) === capability)
    if (found.length === 0) return []
    return [{ name: `relations_${capability}`, level: 'ok', message: `${found.join(', ')}${consequence}` }]
  }
  const lost = registry.names.flatMap((metric) => lostOf(metric, registry, capabilityOf))
  return [
    ...finding('exact', ''),
    ...finding('inferred', '; answers that read them carry the warning "inferred"'),
    ...finding('absent', lost.length === 0 ? '' : `; metrics not available: ${lost.join(', ')}`),
  ]
}

// Returns the metric if none of its queries works, otherwise the queries that need more than the connector supplies.
function lostOf(metric: string, { metrics, reads }: Registry, capabilityOf: CapabilityOf): readonly string[] {
  if (reads(metric).some((name) => capabilityOf(name) === 'absent')) return [metric]
  const definition = metrics.get(metric)
  const queries = Object.entries(definition?.queries ?? {})
  return queries
    .filter(([, query]) => missingFor({ reads: [] }, query, capabilityOf).length > 0)
    .map(([name]) => `${metric}.${name}`)
}

// Includes base relations that the connector does not mention: they are absent. Derived relations follow from base relations.
function suppliedNames(stated: readonly string[], { names, reads, metrics }: Registry): readonly string[] {
  const ofQueries = [...metrics.values()].flatMap(({ queries }) => Object.values(queries).flatMap((query) => query.reads ?? []))
  const expected = [...RELATION_CONTRACTS.map(({ name }) => name), ...names.flatMap(reads), ...ofQueries]
  const kindOf = (name: string) => RELATION_CONTRACTS.find((contract) => contract.name === name)?.kind ?? 'base'
  return [...new Set([...stated, ...expected.filter((name) => kindOf(name) === 'base')])].sort()
}

/** Findings about the sources of books. They do not affect figures of the billing engine, so none is a failure. */
export async function sourceFindings(
  { store }: Pick<EngineDependencies, 'store'>,
  sources: Pick<SourceResource, 'list' | 'unsignedPlatforms'>,
): Promise<readonly CheckFinding[]> {
  const unsigned = sources
    .unsignedPlatforms()
    .map((type) => warning(`webhooks of ${type} are accepted without a signature (${type}.allow_unsigned)`))
  if (store?.enabled !== true) return unsigned
  try {
    const stored = (await sources.list()).filter(({ kind }) => kind !== 'database')
    return [...unsigned, ...stored.flatMap(findingsOf)]
  } catch (error) {
    // The findings about database and store report this error.
    if (error instanceof AppError || error instanceof ConfigurationError) return unsigned
    throw error
  }
}

function findingsOf({ id, status, last_synced_at, last_run, dead_letters }: Source): readonly CheckFinding[] {
  const read = last_synced_at === null ? 'not read yet' : `read up to ${last_synced_at}`
  const lapsed = status === 'needs_reconnect' ? [warning(`${id} must be reconnected; its books stay unchanged, ${read}`)] : []
  const failed = last_run?.status === 'failed' ? [warning(`the last run of ${id} failed: ${last_run.error ?? 'no reason'}`)] : []
  const letters =
    dead_letters === 0 ? [] : [warning(`${id} has ${dead_letters} dead letters (plumbline sources dead-letters ${id})`)]
  const found = [...lapsed, ...failed, ...letters]
  return found.length > 0 ? found : [{ name: 'sources', level: 'ok', message: `${id} is ${status}, ${read}` }]
}

function warning(message: string): CheckFinding {
  return { name: 'sources', level: 'warning', message }
}
