import type { Statement } from '../compiler/statement.ts'
import { AppError } from '../core/errors.ts'
import type { MetricResult } from '../metrics/define-metric.ts'
import type { ResultRow } from '../query/cells.ts'
import type { Warning } from '../query/warning.ts'
import { capabilitiesOf } from './capability.ts'
import { METRIC_NAMES, REGISTRY } from './catalog-of-metrics.ts'
import { runChecks } from './check.ts'
import { answerPlanned } from './context.ts'
import type { Answer, Engine, EngineDependencies } from './contract.ts'
import { hashDefinitions } from './definitions-hash.ts'
import { fieldsOfMetric } from './fields.ts'
import { dataThrough, judgeLag } from './lag.ts'
import { createPlanner } from './plan.ts'
import { checkReadiness } from './readiness.ts'
import { openSession } from './session.ts'

export type { MetricDefinition, MetricRoute } from '../metrics/define-metric.ts'
export type { Warning } from '../query/warning.ts'
export type { Answer, Engine, EngineDependencies, FieldsAnswer, Readiness, ReplicaPolicy } from './contract.ts'

/** The engine over one billing database; the facades add nothing but their own syntax. */
export function createEngine(deps: EngineDependencies): Engine {
  const { executor, connector, clock } = deps
  const capabilityOf = capabilitiesOf(connector, deps.catalog, executor.dialect.name)
  const planner = createPlanner(REGISTRY, connector.type, capabilityOf)
  const checkRole = readOnlyCheck(deps)

  return {
    async query(metric, params = {}, spec = {}, options = {}) {
      const now = clock.now()
      const planned = planner.plan(metric, params, spec, now)
      options.signal?.throwIfAborted()
      await checkRole()
      const state = await executor.state()
      const lagging = judgeLag(state, deps.replica)
      return executor.withSnapshot(async (snapshot) => {
        const warnings: Warning[] = [...lagging]
        const session = await openSession(deps, snapshot, now)
        const run = (statement: Statement) => snapshot.query(statement)
        const warn = (warning: Warning) => addWarning(warnings, warning)
        const result = await answerPlanned(planned, { deps, planner, session, run, warn })
        return {
          ...shapeOf(result),
          meta: {
            data_through: dataThrough(state, now),
            definitions: hashDefinitions(session.definitions),
            warnings,
            base_currency: session.definitions.base_currency,
          },
        }
      }, options)
    },

    async compile(metric, params = {}, spec = {}) {
      const now = clock.now()
      const planned = planner.plan(metric, params, spec, now)
      return executor.withSnapshot(async (snapshot) => {
        const statements: Statement[] = []
        const run = async (statement: Statement): Promise<readonly ResultRow[]> => {
          statements.push(statement)
          return []
        }
        const session = await openSession(deps, snapshot, now)
        await answerPlanned(planned, { deps, planner, session, run, warn: () => {} })
        return statements
      })
    },

    metrics: () => METRIC_NAMES,
    metric: (name) => planner.find(name),
    fields: async (metric) => fieldsOfMetric(planner.supported(metric), capabilityOf),
    readiness: () => checkReadiness(deps),
    check: () => runChecks(deps),
    async close() {
      await Promise.all([executor.close(), deps.store?.close()])
    },
  }
}

function shapeOf(result: MetricResult): Pick<Answer, 'data' | 'kind' | 'columns'> {
  switch (result.kind) {
    case 'scalar':
      return { data: result.value, kind: 'scalar', columns: [result.field] }
    case 'object':
      return { data: result.value, kind: 'object', columns: result.columns }
    case 'rows':
      return { data: result.rows, kind: 'rows', columns: result.columns }
  }
}

// A warning may come from several statements or metrics of one answer: it stands once, with the largest count.
function addWarning(warnings: Warning[], warning: Warning): void {
  const index = warnings.findIndex((other) => other.code === warning.code)
  const known = warnings[index]
  if (known === undefined) warnings.push(warning)
  else if ((warning.count ?? 0) > (known.count ?? 0)) warnings[index] = warning
}

// Asked once; a role does not lose a privilege while the process runs, and a refused start stays refused until it does.
function readOnlyCheck({ executor, replica }: EngineDependencies): () => Promise<void> {
  let passed = !replica.require_read_only
  return async () => {
    if (passed) return
    const privileges = await executor.writePrivileges()
    if (privileges.length > 0) {
      throw new AppError(
        'connector_unavailable',
        `The database role may write, and require_read_only is on: ${privileges.join('; ')}.`,
      )
    }
    passed = true
  }
}
