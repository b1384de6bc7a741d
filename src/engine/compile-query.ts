import type { Statement } from '../compiler/statement.ts'
import { type DefinitionSets, setNamed } from '../definitions/sets.ts'
import type { EngineDependencies } from '../execution/dependencies.ts'
import type { CapabilityOf } from '../execution/plan/capability.ts'
import type { Planner } from '../execution/plan/plan.ts'
import { lookUp } from '../execution/plan/resolve-names.ts'
import { runQuery } from '../execution/run.ts'
import { openSession } from '../execution/session/session.ts'
import type { RunInStore } from '../execution/session/store-reader.ts'
import type { Row } from '../ports/rows.ts'
import { namedIn } from '../query/audience-request.ts'
import type { Raw } from '../query/raw-parameters.ts'

interface CompileContext {
  readonly deps: EngineDependencies
  readonly planner: Planner
  readonly sets: DefinitionSets
  readonly capabilityOf: CapabilityOf
}

/** The statements of a query, compiled in a real session and not run. Only statements of the store are run. */
export async function compileQuery(
  metric: string,
  params: Raw,
  spec: Raw,
  { deps, planner, sets, capabilityOf }: CompileContext,
): Promise<readonly Statement[]> {
  const now = deps.clock.now()
  planner.plan(metric, params, spec, now)
  return deps.executor.withSnapshot(async (snapshot) => {
    const statements: Statement[] = []
    const run = async (statement: Statement): Promise<readonly Row[]> => {
      statements.push(statement)
      return []
    }
    const session = await openSession(deps, snapshot, now, sets.definitionsOf(setNamed(params)))
    const resolvedNames = await lookUp(namedIn(params, spec), deps, capabilityOf, session)
    const planned = planner.plan(metric, params, spec, now, resolvedNames)
    // Statements of the store are really run, because the next statements depend on their rows.
    const runInStore: RunInStore = (stored, statement) => {
      statements.push(statement)
      return stored.query(statement)
    }
    await runQuery(planned, {
      deps,
      planner,
      session,
      sessionUnder: async () => session,
      run,
      runInStore,
      source: 'replica',
      warnings: [],
      warn: () => {},
      data_through: null,
    })
    return statements
  })
}
