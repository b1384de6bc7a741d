import { compileTemplate } from '../compiler/compile.ts'
import type { Statement } from '../compiler/statement.ts'
import { InternalError } from '../core/errors.ts'
import type { MetricContext, MetricDefinition, MetricResult, TemplateRun } from '../metrics/define-metric.ts'
import type { ResultRow } from '../query/cells.ts'
import { type QueryRequest, readsBaseAmounts } from '../query/request.ts'
import type { Warning } from '../query/warning.ts'
import { checkAnswer } from './answer-check.ts'
import type { EngineDependencies } from './contract.ts'
import type { PlannedQuery, Planner } from './plan.ts'
import type { RequestSession } from './session.ts'

/** Runs a compiled statement; the recorder of `compile` answers nothing. */
export type RunStatement = (statement: Statement) => Promise<readonly ResultRow[]>

interface Surroundings {
  readonly deps: EngineDependencies
  readonly planner: Planner
  readonly session: RequestSession
  readonly run: RunStatement
  readonly warn: (warning: Warning) => void
}

/** Answers a planned query in an open session; its rows are checked against the definition. */
export async function answerPlanned(planned: PlannedQuery, around: Surroundings): Promise<MetricResult> {
  for (const warning of planned.warnings) around.warn(warning)
  const result = await planned.query.run(createContext(planned, around))
  checkAnswer(planned, result)
  return result
}

function createContext({ definition, request }: PlannedQuery, around: Surroundings): MetricContext {
  const { deps, session } = around
  return {
    request,
    now: session.now,
    connector: deps.connector.type,
    definitions: session.definitions,
    limits: deps.limits,
    warn: around.warn,
    run: async (run) => around.run(await compileRun(run, request, around)),
    ask: (metric, params, spec = {}) => {
      checkDependency(definition, metric)
      return answerPlanned(around.planner.plan(metric, params, spec, session.now), around)
    },
  }
}

async function compileRun(run: TemplateRun, request: QueryRequest, { deps, session }: Surroundings): Promise<Statement> {
  const [metric = '', query = ''] = run.template.split('/')
  const { dialect } = session.snapshot
  const rates = await session.rates(readsBaseAmounts(request))
  const inline = new Map(session.connector.inline)
  for (const relation of [rates, ...(run.inline ?? [])]) inline.set(relation.name, relation)
  return compileTemplate({
    template: deps.catalog.query(metric, query, dialect.name),
    catalog: deps.catalog,
    inline,
    aliases: session.connector.aliases,
    params: { ...session.params, window_start: run.window.from, window_end: run.window.to, ...run.params },
    slots: { ...run.slots },
    dialect,
    label: `${metric}.${query} ${deps.connector.type}/${dialect.name}`,
  })
}

function checkDependency(definition: MetricDefinition, metric: string): void {
  if (metric === definition.name || definition.depends_on.includes(metric)) return
  throw new InternalError(`metric "${definition.name}" asks "${metric}" without depending on it`)
}
