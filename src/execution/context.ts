import { compileTemplate } from '../compiler/compile.ts'
import type { Fragment } from '../compiler/fragment.ts'
import type { InlineRelation } from '../compiler/inline.ts'
import type { Statement } from '../compiler/statement.ts'
import type { Slot } from '../compiler/template.ts'
import { InternalError } from '../core/errors.ts'
import type { MetricContext, MetricDefinition, MetricResult, TemplateRun } from '../metrics/define-metric.ts'
import type { Row } from '../ports/rows.ts'
import type { Audience } from '../query/audience.ts'
import { type QueryRequest, readsBaseAmounts } from '../query/request.ts'
import type { Warning } from '../query/warning.ts'
import { checkAnswer } from './answer-check.ts'
import { type AudienceRelations, widen } from './audience.ts'
import { capabilitiesOf } from './capability.ts'
import type { EngineDependencies } from './dependencies.ts'
import { exactAnswer } from './exact-answer.ts'
import type { PlannedQuery, Planner } from './plan.ts'
import { withSegmentNames } from './segment-names.ts'
import type { RequestSession } from './session.ts'
import { type RunInStore, storeReader } from './store-reader.ts'

/** Runs a compiled statement; the recorder of `compile` answers nothing. */
export type RunStatement = (statement: Statement) => Promise<readonly Row[]>

/** What a template is compiled against and run in. */
export interface TemplateSurroundings {
  readonly deps: EngineDependencies
  readonly session: RequestSession
  readonly run: RunStatement
  /** How statements of the store are run; absent: as they are. */
  readonly runInStore?: RunInStore
  readonly signal?: AbortSignal | undefined
  readonly warn: (warning: Warning) => void
  readonly data_through: string | null
  /** Absent where no rows are made. */
  readonly enlarge?: (rows: number) => void
}

/** The same, and what other queries are planned with. */
export interface Surroundings extends TemplateSurroundings {
  readonly planner: Planner
}

/** Who asks: a metric's query, or something beside the metrics that uses their templates. */
export interface Asking {
  readonly definition: Pick<MetricDefinition, 'name'>
  readonly request: QueryRequest
}

/** Answers a planned query in an open session; its rows are checked against the definition. */
export async function answerPlanned(planned: PlannedQuery, around: Surroundings): Promise<MetricResult> {
  for (const warning of planned.warnings) around.warn(warning)
  const { planner } = around
  const ask: MetricContext['ask'] = (metric, params) => {
    checkDependency(planned.definition, metric)
    return answerPlanned(planner.plan(metric, params, planned.scope, around.session.now, planned.resolvedNames), around)
  }
  const result = await planned.query.run({ ...createContext(planned, around), ask })
  await checkAnswer(planned, await exactAnswer(result))
  return withSegmentNames(result, planned.request)
}

/** What a query may use in an open session, without other metrics. */
export function createContext({ definition, request }: Asking, around: TemplateSurroundings): MetricContext {
  const { deps, session } = around
  const capabilityOf = capabilitiesOf(deps.connector, deps.catalog, deps.executor.dialect.name)
  return {
    request,
    now: session.now,
    connector: deps.connector.type,
    definitions: session.definitions,
    limits: deps.limits,
    data_through: around.data_through,
    isSupplied: (relation) => capabilityOf(relation) !== 'absent',
    warn: around.warn,
    ...(around.enlarge && { enlarge: around.enlarge }),
    run: async (run) => around.run(await compileRun(run, request, around)),
    inStore: storeReader(around),
    ratesWithheld: session.connector.rates_withheld,
    priceFlaw: (plan, currency) => session.connector.priceFlaw?.(plan, currency),
    engineRates: () => session.connector.rates(session.definitions.base_currency),
    ask: async (metric) => {
      throw new InternalError(`"${definition.name}" asks "${metric}" without depending on it`)
    },
  }
}

/** A statement of a template: like a metric's, with any of its slots and without the request that decides about rates. */
export type DataRun = Omit<TemplateRun, 'slots'> & { readonly slots: Partial<Record<Slot, Fragment>> }

async function compileRun(run: TemplateRun, request: QueryRequest, around: TemplateSurroundings): Promise<Statement> {
  const rates = await around.session.rates(readsBaseAmounts(request))
  const grouping = await around.session.grouping(request)
  return compileNarrowed({ ...run, slots: { ...run.slots } }, rates, request.audience, around, grouping)
}

/** Statement of a list: base amounts are shown wherever a rate is known. */
export async function compileData(
  run: DataRun,
  audience: Audience | undefined,
  around: Pick<TemplateSurroundings, 'deps' | 'session'>,
): Promise<Statement> {
  return compileNarrowed(run, await around.session.rates(true), audience, around)
}

/** Statement that reads no base amounts, so that no rate is asked for. */
export async function compileWithoutRates(
  run: DataRun,
  around: Pick<TemplateSurroundings, 'deps' | 'session'>,
): Promise<Statement> {
  return compileNarrowed(run, await around.session.rates(false), undefined, around)
}

async function compileNarrowed(
  run: DataRun,
  rates: InlineRelation,
  audience: Audience | undefined,
  { deps, session }: Pick<TemplateSurroundings, 'deps' | 'session'>,
  grouping?: AudienceRelations,
): Promise<Statement> {
  const narrowing = audience === undefined ? undefined : await session.audience(audience)
  const window = widen(run.window, narrowing?.window)
  const [metric = '', query = ''] = run.template.split('/')
  const { dialect } = session.snapshot
  const inline = new Map(session.connector.inline)
  for (const relation of [rates, ...(run.inline ?? []), ...(narrowing?.inline ?? []), ...(grouping?.inline ?? [])])
    inline.set(relation.name, relation)
  const template = session.catalog.query(metric, query, dialect.name)
  const own = session.connector.paramsFor?.(template.header.reads)
  return compileTemplate({
    template,
    catalog: session.catalog,
    inline,
    built: new Map([...(run.built ?? []), ...(narrowing?.built ?? []), ...(grouping?.built ?? [])]),
    aliases: session.connector.aliases,
    params: { ...session.params, ...own, window_start: window.from, window_end: window.to, ...run.params },
    slots: run.slots,
    dialect,
    label: `${metric}.${query} ${deps.connector.type}/${dialect.name}`,
  })
}

function checkDependency(definition: MetricDefinition, metric: string): void {
  if (metric === definition.name || definition.depends_on.includes(metric)) return
  throw new InternalError(`metric "${definition.name}" asks "${metric}" without depending on it`)
}
