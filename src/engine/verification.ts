import type { SnapshotSource } from '../connector-kit/connector.ts'
import { calendarOf } from '../core/calendar.ts'
import type { DefinitionSets } from '../core/definition-sets/sets.ts'
import { AppError } from '../core/errors.ts'
import { createGate } from '../core/gate.ts'
import { isObject } from '../core/json.ts'
import { dayOf } from '../core/periods.ts'
import { rowsQuestion } from '../evidence/answer.ts'
import type { AskOptions, Source } from '../execution/answer/answer.ts'
import { shapeQuery } from '../execution/answer/sort-and-page.ts'
import type { EngineDependencies } from '../execution/dependencies.ts'
import type { Pipeline } from '../execution/pipeline.ts'
import { type CapabilityOf, missingFor, neededBy, offerOf } from '../execution/plan/capability.ts'
import type { Planner } from '../execution/plan/plan.ts'
import { lookUp, namesAnything } from '../execution/plan/resolve-names.ts'
import { createContext, type RunContext, runQuery } from '../execution/run.ts'
import { judgedRecords } from '../metrics/ledger/judged.ts'
import { listUnpriced } from '../metrics/readings/gaps.ts'
import type { Row } from '../ports/rows.ts'
import { namedIn } from '../query/audience-request.ts'
import { groupableFields } from '../query/inputs.ts'
import type { Raw } from '../query/raw-parameters.ts'
import type { QueryApi } from '../trust/checks/cross-check.ts'
import type { Ask, Facts, VerifyContext } from '../trust/verify/check.ts'
import { CHECKS, UNCHECKED } from '../trust/verify/list.ts'
import { type OnProgress, readVerifyRequest, runVerification, type VerifyReport } from '../trust/verify/verify.ts'
import type { RateResource } from '../workspace/exchange-rates/resource.ts'
import { sourceFor } from './source-for.ts'

/** Options of a verification. The origin is that of its first snapshot. */
export interface VerifyOptions extends Pick<AskOptions, 'signal' | 'openCache' | 'onOrigin'> {
  readonly onProgress?: OnProgress
}

/** The checks that a verification can run, and the identities that none covers. */
export interface VerifyList {
  readonly checks: readonly { readonly name: string; readonly description: string; readonly identities: readonly string[] }[]
  readonly unchecked: readonly { readonly identity: string; readonly reason: string }[]
}

/** Checks of the user's own data. */
export interface Verification {
  list(): VerifyList
  /**
   * Checks a range of days, by default the last 365. A failed check is no error: the report says so. One verification runs at a time.
   * AppError `invalid_value`, `invalid_range`, `overloaded`, and those of an unreachable database.
   */
  run(params?: Raw, options?: VerifyOptions): Promise<VerifyReport>
}

/** The parts of the engine that answer the questions of a verification. */
interface Parts {
  readonly pipeline: Pipeline
  readonly planner: Planner
  readonly capabilityOf: CapabilityOf
  readonly sets: DefinitionSets
  readonly api: QueryApi
  readonly rates: Pick<RateResource, 'missing'>
}

/** Waiting verifications, and the longest wait in milliseconds. */
const WAITING = 8
const WAIT_MS = 120_000
const RETRY_SECONDS = 30

/** The verification of an engine. */
export function createVerification(deps: EngineDependencies, parts: Parts): Verification {
  const gate = createGate({ size: 1, queueSize: WAITING, queueMs: WAIT_MS }, () => {
    const detail = 'Another verification is running. Ask again later.'
    return new AppError('overloaded', detail, { context: { retry_after: RETRY_SECONDS } })
  })
  return {
    list: () => ({
      checks: CHECKS.map(({ name, description, identities }) => ({ name, description, identities })),
      unchecked: UNCHECKED,
    }),
    async run(params = {}, { signal, openCache, onOrigin, onProgress = () => {} } = {}) {
      const request = readVerifyRequest(params, clockNow(deps))
      const leave = await gate.enter(signal)
      try {
        let first: Seen | undefined
        const onSnapshot = (seen: Seen) => {
          first ??= seen
        }
        // A command fills its own cache first, which may take longer than the checks.
        if (openCache !== undefined) await openCache().then(() => deps.cache?.ready(signal))
        const limit = AbortSignal.timeout(request.time_limit_s * 1_000)
        const ends = signal === undefined ? limit : AbortSignal.any([signal, limit])
        const asking = { ...(openCache && { openCache }) }
        const context = contextOf(deps, parts, { range: request, options: { ...asking, signal: ends }, onSnapshot })
        const report = await runVerification(request, context, limit, onProgress)
        const isOver = () => limit.aborted && signal?.aborted !== true
        const { data_through, source } = first ?? (await seenNow(parts, { ...asking, signal: ends }, isOver))
        onOrigin?.({ source })
        return { ...report, data_through }
      } finally {
        leave()
      }
    },
  }
}

/** Now on the clock of the configuration. */
function clockNow({ clock, definitions }: EngineDependencies): Date {
  return calendarOf(definitions.time_zone, clock.now()).clockNow
}

interface Run {
  readonly range: { readonly start: string; readonly end: string }
  readonly options: Pick<AskOptions, 'openCache'> & { readonly signal: AbortSignal }
  readonly onSnapshot: (seen: Seen) => void
}

/** A snapshot: the instant up to which it is complete, and the database that was read. */
interface Seen {
  readonly data_through: string | null
  readonly source: Source
}

function contextOf(
  deps: EngineDependencies,
  parts: Parts,
  { range, options, onSnapshot }: Run,
): Omit<VerifyContext, 'budget_ms' | 'onPart'> {
  const { pipeline, capabilityOf } = parts
  const queryOf = (name: string) => {
    const [metric = '', type = ''] = name.split('.')
    const definition = deps.registry.metrics.get(metric)
    const query = definition?.queries[type]
    return definition === undefined || query === undefined ? undefined : { definition, query }
  }
  return {
    range: { start: range.start, end: range.end },
    today: dayOf(clockNow(deps)),
    metrics: [...deps.registry.metrics.values()],
    signal: options.signal,
    facts: factsOf(deps, parts, options),
    isSupplied(name) {
      const found = queryOf(name)
      return found !== undefined && missingFor(found.definition, found.query, capabilityOf).length === 0
    },
    dimensionsOf(queries) {
      const offers = queries.map((name) => {
        const inputs = queryOf(name)?.query.inputs
        return inputs === undefined ? [] : groupableFields(offerOf(inputs, capabilityOf), false).map(({ key }) => key)
      })
      const [first = [], ...others] = offers
      return first.filter((key) => others.every((keys) => keys.includes(key)))
    },
    isDirect(name) {
      const found = queryOf(name)
      return found !== undefined && sourceFor(neededBy(found.definition, found.query), deps.cache).source !== undefined
    },
    async inSnapshot(work, only) {
      let source: Source = 'replica'
      const { value, meta } = await pipeline.read({ ...options, ...(only && { source: only }) }, (context) => {
        source = context.source
        return work(askIn(context, parts))
      })
      onSnapshot({ data_through: meta.data_through, source })
      return value
    },
  }
}

/** Questions in an open session. */
function askIn(context: RunContext, { planner, capabilityOf, sets }: Parts): Ask {
  const { deps, session } = context
  const base_currency = session.definitions.base_currency
  const value = async (name: string, given: Raw, asked: Raw = {}) => {
    const spec = grouped(asked)
    context.signal?.throwIfAborted()
    const [metric = '', query_type] = name.split('.')
    const params = query_type === undefined ? given : { query_type, ...given }
    const named = namedIn(params, spec)
    const names = namesAnything(named) ? await lookUp(named, deps, capabilityOf, session) : undefined
    const planned = planner.plan(metric, params, spec, session.now, names)
    const found = await runQuery(planned, { ...context, planner })
    return (await shapeQuery(found, planned, session.definitions, session.now)).data
  }
  return {
    base_currency,
    allows_unpriced: session.definitions.allow_unpriced,
    value,
    async rows(name, params, spec) {
      const data = await value(name, params, spec)
      if (Array.isArray(data)) return data as readonly Row[]
      return isObject(data) ? [data as Row] : []
    },
    async sumOfRows(name, given, spec = {}) {
      const [metric = '', query_type] = name.split('.')
      const params = { query_type, limit: '1', ...given }
      const question = rowsQuestion(metric, params, grouped(spec), {
        planner,
        sets,
        isWhole: true,
        max_rows: deps.limits.max_rows,
      })
      const { page } = await question.run(question.plan(session.now), context)
      return page.sum
    },
    async books(kind, day) {
      // Inferred payments need not be those of the list of invoices.
      if (kind === 'invoices' && capabilityOf('ledger_payment') === 'inferred') return undefined
      const { definition, request } = planner.plan('ledger', { query_type: 'trial_balance', at: day }, {}, session.now)
      return judgedRecords(createContext({ definition, request }, context), kind, day)
    },
    async unpriced(range) {
      const { definition, request } = planner.plan('mrr', { query_type: 'breakdown', ...range }, {}, session.now)
      const { time } = request
      if (time.kind !== 'range') return []
      const plans = await listUnpriced(createContext({ definition, request }, context), time)
      return plans.map((plan) => ({ ...plan, flaw: session.connector.priceFlaw?.(plan.plan_id, plan.currency) }))
    },
  }
}

/** The spec without a list of dimensions that is empty, which a request may not have. */
function grouped({ dimensions, ...others }: Raw): Raw {
  return Array.isArray(dimensions) && dimensions.length > 0 ? { dimensions, ...others } : others
}

function factsOf(deps: EngineDependencies, parts: Parts, { signal }: Run['options']): Facts {
  const { connector, executor, clock, definitions } = deps
  const history = connector.checkHistory
  return {
    missingRates: () => parts.rates.missing({ signal }),
    ...(history && { history: () => history(endedBy(executor, signal), { now: clock.now(), definitions }) }),
    bothSources: (patience) => sourcesOf(deps, parts, signal, patience),
  }
}

/** Snapshots that end when the signal fires. */
function endedBy(source: SnapshotSource, signal: AbortSignal): SnapshotSource {
  return { withSnapshot: (work, options) => source.withSnapshot(work, { ...options, signal }) }
}

/** The database may change between two answers, so a difference counts only if it occurs this many times. */
const ATTEMPTS = 3
/** Refusals that say nothing about the answer, because the source was not available. */
const NO_ANSWER: readonly string[] = ['query_timeout', 'connector_unavailable', 'overloaded']

async function sourcesOf(
  { cache, clock, lake }: EngineDependencies,
  { api }: Parts,
  signal: AbortSignal,
  patience: AbortSignal,
): ReturnType<Facts['bothSources']> {
  if (cache === undefined) return { reason: 'There is no cache: cache.mode is off, or the database is embedded or on Trino.' }
  // A difference would be a later change, and not a fault.
  if (lake !== undefined)
    return { reason: 'A publication has the rows of its instant, and the billing tables have changed since.' }
  const filled = await cache.ready(patience).catch(() => cache.state())
  signal.throwIfAborted()
  const { status, reason = 'the log has the reason' } = filled
  if (status === 'filling') return { reason: 'The cache is still being filled.' }
  if (status !== 'ready') return { reason: `The cache could not be filled: ${reason}.` }
  return {
    async compare(name, given, spec) {
      const [metric = '', query_type] = name.split('.')
      const answer = async (source: 'replica' | 'cache', now: Date) => {
        signal.throwIfAborted()
        return (await api.query(metric, { query_type, ...given }, grouped(spec), { source, now, signal })).data
      }
      try {
        for (let attempt = 1; ; attempt += 1) {
          const now = clock.now()
          const [direct, cached] = [await answer('replica', now), await answer('cache', now)]
          if (attempt === ATTEMPTS || JSON.stringify(direct) === JSON.stringify(cached)) return { direct, cached }
        }
      } catch (error) {
        if (error instanceof AppError && NO_ANSWER.includes(error.code)) return null
        throw error
      }
    },
  }
}

/** A snapshot for a verification that has opened none. If the time is over first, the instant is not known. */
async function seenNow(
  { pipeline }: Parts,
  options: Pick<AskOptions, 'signal' | 'openCache'>,
  isOver: () => boolean,
): Promise<Seen> {
  try {
    const { value, meta } = await pipeline.read(options, async ({ source }) => source)
    return { data_through: meta.data_through, source: value }
  } catch (error) {
    if (isOver()) return { data_through: null, source: 'replica' }
    throw error
  }
}
