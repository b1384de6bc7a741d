import { compileTemplate, type TemplatePart } from '../compiler/compile.ts'
import { type Fragment, sql } from '../compiler/fragment.ts'
import type { InlineRelation } from '../compiler/inline.ts'
import { relationReaders } from '../compiler/readers.ts'
import type { Statement } from '../compiler/statement.ts'
import type { Slot } from '../compiler/template.ts'
import { lackingFragments } from '../connector-kit/complete-session.ts'
import { constantRateDay, type Definitions } from '../core/definitions.ts'
import { InternalError } from '../core/errors.ts'
import { sqlNow } from '../core/periods.ts'
import { mapInSlices } from '../core/slices.ts'
import { measuresOf } from '../metrics/answer-schema.ts'
import type { MetricContext, MetricDefinition, MetricResult, TemplateRun } from '../metrics/define-metric.ts'
import { readPoint } from '../metrics/readings/levels.ts'
import type { Row } from '../ports/rows.ts'
import { type Audience, audienceReadsBase } from '../query/audience.ts'
import { dividesCurrencies, type QueryRequest, readsBaseAmounts } from '../query/request.ts'
import { untilBefore } from '../query/timeframe.ts'
import { instantsOf, valuationRelation } from '../query/valuation.ts'
import type { Warning } from '../query/warning.ts'
import type { Source } from './answer/answer.ts'
import { checkAnswer, exactAnswer } from './answer/check-answer.ts'
import { sharingDimensions, type Wholes } from './answer/comparison.ts'
import type { EngineDependencies } from './dependencies.ts'
import { capabilitiesOf } from './plan/capability.ts'
import type { PlannedQuery, Planner } from './plan/plan.ts'
import { type AudienceRelations, widen } from './session/audience.ts'
import { toInstants } from './session/clock-times.ts'
import { withSeparateCurrencies } from './session/separate-currencies.ts'
import type { RequestSession } from './session/session.ts'
import { type RunInStore, storeReader } from './session/store-reader.ts'
import { windowParams } from './session/swap-window.ts'
import { refuseUnknown, warningsOn } from './unknown-relations.ts'

/** Runs a compiled statement. The recorder of `compile` returns no rows. */
type RunStatement = (statement: Statement) => Promise<readonly Row[]>

/** The parts that a running request uses: its session, statements and warnings. */
export interface RunContext {
  readonly deps: EngineDependencies
  readonly session: RequestSession
  /** A session of the same snapshot under other definitions. */
  readonly sessionUnder: (definitions: Definitions) => Promise<RequestSession>
  readonly source: Source
  readonly run: RunStatement
  /** Runs the statements on the store. Absent: they run in the store's snapshot. */
  readonly runInStore?: RunInStore
  readonly warnings: readonly Warning[]
  /** Called with the ids of subscriptions that count as 0 because their price is unknown. Set only for explained answers. */
  readonly onUnpriced?: (subscriptions: readonly string[]) => void
  /** Adds to the warnings. */
  readonly warn: (warning: Warning) => void
  /** Instant up to which the snapshot is complete. Null: a replica whose lag is not known. */
  readonly data_through: string | null
  /** Fires when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined
  /** Called with the number of rows before any are built. Throws PlaceNeeded if a large answer has no place. */
  readonly enlarge?: (rows: number) => void
}

/** The context of a query that may read other metrics. */
type QueryContext = RunContext & { readonly planner: Planner }

/** The query that a template runs for. Readers outside a metric, such as `refuseAudienceGaps`, pass their own request. */
interface QueryOwner {
  readonly definition: Pick<MetricDefinition, 'name'>
  readonly request: QueryRequest
}

/** The result of a query. `earlier` is the result for the earlier days of a comparison. */
export interface FoundQuery {
  readonly result: MetricResult
  readonly earlier?: { readonly planned: PlannedQuery; readonly result: MetricResult; readonly wholes: Wholes | undefined }
}

/** Runs a planned query. A query with `compare_to` runs a second time, for the earlier days. */
export async function runQuery(planned: PlannedQuery, context: QueryContext): Promise<FoundQuery> {
  const result = await runPlanned(planned, context)
  if (planned.request.rows?.compared === undefined) return { result }
  const earlier = context.planner.earlier(planned, context.session.now)
  await refuseAudienceGaps(earlier.request.audience, context)
  const before = await runPlanned(earlier, context)
  return { result, earlier: { planned: earlier, result: before, wholes: await readWholes(planned, earlier, context) } }
}

/** The rows of both times without the dimensions that do not split every measure. Undefined if each dimension splits all measures. */
async function readWholes(planned: PlannedQuery, earlier: PlannedQuery, context: QueryContext): Promise<Wholes | undefined> {
  const { query, request } = planned
  const shared = sharingDimensions(measuresOf(query), request.dimensions)
  if (query.readRows === undefined || shared.length === 0) return undefined
  const read = async (one: PlannedQuery) => {
    const dimensions = one.request.dimensions.filter(({ key }) => !shared.includes(key))
    const whole = { ...one, request: { ...one.request, dimensions } }
    return (await query.readRows?.(contextOf(whole, context))) ?? []
  }
  return { shared, current: await read(planned), earlier: await read(earlier) }
}

async function runPlanned(planned: PlannedQuery, context: QueryContext): Promise<MetricResult> {
  for (const warning of planned.warnings) context.warn(warning)
  const result = await planned.query.run(contextOf(planned, context))
  await checkAnswer(planned, await exactAnswer(result))
  return withSegmentNames(result, planned.request)
}

function contextOf(planned: PlannedQuery, context: QueryContext): MetricContext {
  const ask: MetricContext['ask'] = (metric, params) => {
    checkDependency(planned.definition, metric)
    const { scope, resolvedNames } = planned
    return runPlanned(context.planner.plan(metric, params, scope, context.session.now, resolvedNames), context)
  }
  return { ...createContext(planned, context), ask }
}

/** The context of a query in an open session. Its `ask` throws, because a query needs a planner to read other metrics. */
export function createContext({ definition, request }: QueryOwner, context: RunContext): MetricContext {
  const { deps, session } = context
  const capabilityOf = capabilitiesOf(deps.connector, deps.catalog, deps.executor.dialect.name)
  return {
    request,
    now: session.now,
    calendar: session.calendar,
    connector: deps.connector.type,
    definitions: session.definitions,
    limits: deps.limits,
    data_through: context.data_through,
    isSupplied: (relation) => capabilityOf(relation) !== 'absent',
    warn: context.warn,
    ...(context.enlarge && { enlarge: context.enlarge }),
    ...(context.onUnpriced && { onUnpriced: context.onUnpriced }),
    run: async (run) => context.run(await compileRun(run, request, context)),
    inStore: storeReader(context),
    ratesWithheld: session.connector.rates_withheld,
    priceFlaw: (plan, currency) => session.connector.priceFlaw?.(plan, currency),
    engineRates: () => session.connector.rates(session.definitions.base_currency),
    ask: async (metric) => {
      throw new InternalError(`"${definition.name}" asks "${metric}" without depending on it`)
    },
  }
}

/** A run of a template outside a metric's request. It may fill any of the template's slots. */
export type DataRun = Omit<TemplateRun, 'slots' | 'until'> & { readonly slots: Partial<Record<Slot, Fragment>> }

/** A statement over the rows that templates count: each part is a template up to its CTE `measure`, as a relation of the statement. */
export type CountedRun = DataRun & {
  readonly parts: ReadonlyMap<string, { readonly run: TemplateRun; readonly carried: Fragment; readonly ending: Fragment }>
}

/** The statement over counted rows, for the customers, attributes and rates of the request. */
export async function compileCounted(run: CountedRun, request: QueryRequest, context: RunContext): Promise<Statement> {
  return compileIn(run, request, context)
}

async function compileRun(run: TemplateRun, request: QueryRequest, context: RunContext): Promise<Statement> {
  return compileIn({ ...run, slots: { ...run.slots } }, request, context, run.until)
}

/** The statement of a request. In a forecast, rows that are known now count up to `until` (D80). */
async function compileIn(
  run: DataRun & Partial<Pick<CountedRun, 'parts'>>,
  request: QueryRequest,
  context: RunContext,
  clockUntil = request.until ?? context.session.now,
): Promise<Statement> {
  const session = dividesCurrencies(request) ? withSeparateCurrencies(context.session) : context.session
  const { now, calendar } = session
  // Now is known exactly, also in an hour that the clock repeats.
  const until = clockUntil.getTime() === now.getTime() ? calendar.now : calendar.instantOf(clockUntil)
  const rates = await session.rates(readsBaseAmounts(request), until)
  const grouping = await session.grouping(request)
  const ahead = { ...run, params: { ...run.params, until: sqlNow(until) } }
  return compileNarrowed(ahead, rates, request.audience, { ...context, session }, grouping)
}

/** Without `warn`, the statement belongs to no answer. */
type CompileContext = Pick<RunContext, 'deps' | 'session'> & Partial<Pick<RunContext, 'warn'>>

/** The statement of a list. It shows an amount in the base currency if its rate is known. */
export async function compileData(run: DataRun, audience: Audience | undefined, context: CompileContext): Promise<Statement> {
  return compileNarrowed(run, await context.session.rates(true), audience, context)
}

/** A statement without base amounts, which needs no rates. */
export async function compileWithoutRates(run: DataRun, context: CompileContext): Promise<Statement> {
  return compileNarrowed(run, await context.session.rates(false), undefined, context)
}

async function compileNarrowed(
  asked: DataRun & Partial<Pick<CountedRun, 'parts'>>,
  rates: InlineRelation,
  audience: Audience | undefined,
  { deps, session, warn }: CompileContext,
  grouping?: AudienceRelations,
): Promise<Statement> {
  const narrowing = audience === undefined ? undefined : await session.audience(audience)
  const to = toInstants(session.calendar)
  const run = to.run(asked)
  const window = widen(run.window, to.window(narrowing?.window))
  const ofParts = [...(run.parts?.values() ?? [])].map((part) => part.run)
  const valuation = valuationOf([run, { window }, ...ofParts], audience, session)
  const [metric = '', query = ''] = run.template.split('/')
  const { dialect } = session.snapshot
  const inline = new Map(session.connector.inline)
  for (const relation of [rates, ...valuation, ...(run.inline ?? []), ...(narrowing?.inline ?? []), ...(grouping?.inline ?? [])])
    inline.set(relation.name, relation)
  const template = session.catalog.query(metric, query, dialect.name)
  const built = new Map([
    ...lackingFragments(deps.connector, dialect.name),
    ...(run.built ?? []),
    ...to.built(new Map([...(narrowing?.built ?? []), ...(grouping?.built ?? [])])),
  ])
  const { catalog } = session
  const { aliases } = session.connector
  const parts = new Map([...(run.parts ?? [])].map(([name, part]) => [name, partOf(part, session)]))
  const readers = relationReaders({ template, slots: run.slots, catalog, inline, built, parts, aliases, dialect })
  const reads = [...readers.keys()]
  refuseUnknown(session.connector, reads)
  for (const warning of warningsOn(session.connector, reads)) warn?.(warning)
  const own = session.connector.paramsFor?.(reads, (name) => readers.get(name) ?? [])
  return compileTemplate({
    template,
    catalog,
    inline,
    built,
    parts,
    aliases,
    params: { ...session.params, ...own, ...windowParams(window, session.definitions), ...run.params },
    slots: run.slots,
    dialect,
    stretches: session.calendar.stretches,
    label: `${metric}.${query} ${deps.connector.type}/${dialect.name}`,
  })
}

/** Relation `valuation` for the instants of runs and of the audience, under definitions that revalue MRR (D65). */
function valuationOf(
  runs: readonly Pick<TemplateRun, 'window' | 'inline' | 'instants'>[],
  audience: Audience | undefined,
  { definitions, calendar }: RequestSession,
): readonly InlineRelation[] {
  if (definitions.fx === 'span_start') return []
  const ofAudience = audience === undefined ? [] : [calendar.instantOf(audience.before)]
  return [valuationRelation([...runs.flatMap(instantsOf), ...ofAudience], constantRateDay(definitions, calendar), calendar.now)]
}

function partOf(
  { run, carried, ending }: NonNullable<ReturnType<CountedRun['parts']['get']>>,
  { catalog, snapshot }: RequestSession,
): TemplatePart {
  const [metric = '', query = ''] = run.template.split('/')
  const template = catalog.query(metric, query, snapshot.dialect.name)
  return { template, slots: { ...run.slots, dimensions: sql`${run.slots.dimensions}${carried}` }, until: 'measure', ending }
}

function checkDependency(definition: MetricDefinition, metric: string): void {
  if (metric === definition.name || definition.depends_on.includes(metric)) return
  throw new InternalError(`metric "${definition.name}" asks "${metric}" without depending on it`)
}

/** Adds the column `segment_name` after `segment_id` to the rows of compared segments. */
async function withSegmentNames(result: MetricResult, { compared, audience }: QueryRequest): Promise<MetricResult> {
  if (compared.length === 0 || result.kind !== 'rows') return result
  const names = new Map(audience?.branches.map(({ segment_id, segment_name }) => [segment_id, segment_name]))
  return {
    ...result,
    columns: result.columns.flatMap((column) => (column === 'segment_id' ? [column, 'segment_name'] : [column])),
    rows: await mapInSlices(result.rows, ({ segment_id = null, ...row }) => {
      return { segment_id, segment_name: names.get(String(segment_id)) ?? null, ...row }
    }),
  }
}

/**
 * Refuses a segment that uses MRR bands if a price or rate is missing: a customer without an amount has no known band (D14, D26).
 * AppError `missing_fx_rate`, `unpriced_plan`. With `allow_unpriced`, a missing price is only a warning.
 */
export async function refuseAudienceGaps(audience: Audience | undefined, context: RunContext): Promise<void> {
  if (audience !== undefined && audienceReadsBase(audience)) await refuseFilterGaps(audience.before, context)
}

/** Refuses a filter on MRR bands just before an instant, if a price or rate is missing. The errors are those of `refuseAudienceGaps`. */
export async function refuseFilterGaps(before: Date, context: RunContext): Promise<void> {
  const request: QueryRequest = {
    time: { kind: 'point', day: before.toISOString().slice(0, 10), before },
    at: undefined,
    until: untilBefore(before, context.session.now),
    is_forecast: false,
    dimensions: [],
    conditions: [],
    audience: undefined,
    compared: [],
    limit: undefined,
    unit: 'base',
    money: 'cents',
    warnings: [],
  }
  await readPoint(createContext({ definition: { name: 'mrr' }, request }, context), before)
}
