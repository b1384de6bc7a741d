import { compileTemplate } from '../compiler/compile.ts'
import type { Fragment } from '../compiler/fragment.ts'
import type { InlineRelation } from '../compiler/inline.ts'
import type { Statement } from '../compiler/statement.ts'
import type { Slot } from '../compiler/template.ts'
import { InternalError } from '../core/errors.ts'
import type { MetricContext, MetricDefinition, MetricResult, TemplateRun } from '../metrics/define-metric.ts'
import type { Audience } from '../query/audience.ts'
import type { ResultRow } from '../query/cells.ts'
import { type QueryRequest, readsBaseAmounts } from '../query/request.ts'
import type { Warning } from '../query/warning.ts'
import { checkAnswer } from './answer-check.ts'
import { widen } from './audience.ts'
import type { EngineDependencies } from './dependencies.ts'
import type { PlannedQuery, Planner } from './plan.ts'
import type { RequestSession } from './session.ts'

/** Runs a compiled statement; the recorder of `compile` answers nothing. */
export type RunStatement = (statement: Statement) => Promise<readonly ResultRow[]>

/** What a template is compiled against and run in. */
export interface TemplateSurroundings {
  readonly deps: EngineDependencies
  readonly session: RequestSession
  readonly run: RunStatement
  readonly warn: (warning: Warning) => void
}

interface Surroundings extends TemplateSurroundings {
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
  const ask: MetricContext['ask'] = (metric, params, spec = {}) => {
    checkDependency(planned.definition, metric)
    return answerPlanned(planner.plan(metric, params, spec, around.session.now), around)
  }
  const result = await planned.query.run({ ...createContext(planned, around), ask })
  checkAnswer(planned, result)
  return result
}

/** What a query may use in an open session, without other metrics. */
export function createContext({ definition, request }: Asking, around: TemplateSurroundings): MetricContext {
  const { deps, session } = around
  return {
    request,
    now: session.now,
    connector: deps.connector.type,
    definitions: session.definitions,
    limits: deps.limits,
    warn: around.warn,
    run: async (run) => around.run(await compileRun(run, request, around)),
    ask: async (metric) => {
      throw new InternalError(`"${definition.name}" asks "${metric}" without depending on it`)
    },
  }
}

/** A statement of a template: like a metric's, with any of its slots and without the request that decides about rates. */
export type DataRun = Omit<TemplateRun, 'slots'> & { readonly slots: Partial<Record<Slot, Fragment>> }

async function compileRun(run: TemplateRun, request: QueryRequest, around: TemplateSurroundings): Promise<Statement> {
  const rates = await around.session.rates(readsBaseAmounts(request))
  return compileNarrowed({ ...run, slots: { ...run.slots } }, rates, request.audience, around)
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
): Promise<Statement> {
  const narrowing = audience === undefined ? undefined : await session.audience(audience)
  const window = widen(run.window, narrowing?.window)
  const [metric = '', query = ''] = run.template.split('/')
  const { dialect } = session.snapshot
  const inline = new Map(session.connector.inline)
  for (const relation of [rates, ...(run.inline ?? []), ...(narrowing?.inline ?? [])]) inline.set(relation.name, relation)
  return compileTemplate({
    template: session.catalog.query(metric, query, dialect.name),
    catalog: session.catalog,
    inline,
    ...(narrowing === undefined ? {} : { built: narrowing.built }),
    aliases: session.connector.aliases,
    params: { ...session.params, window_start: window.from, window_end: window.to, ...run.params },
    slots: run.slots,
    dialect,
    label: `${metric}.${query} ${deps.connector.type}/${dialect.name}`,
  })
}

function checkDependency(definition: MetricDefinition, metric: string): void {
  if (metric === definition.name || definition.depends_on.includes(metric)) return
  throw new InternalError(`metric "${definition.name}" asks "${metric}" without depending on it`)
}
