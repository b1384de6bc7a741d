import { UTC } from '../core/calendar.ts'
import type { Workspace } from '../core/workspace.ts'
import type { EngineDependencies } from '../execution/dependencies.ts'
import type { Pipeline } from '../execution/pipeline.ts'
import { type CapabilityOf, checkReads } from '../execution/plan/capability.ts'
import type { Planner } from '../execution/plan/plan.ts'
import type { RequestSession } from '../execution/session/session.ts'
import { HEALTH_READS, presentFindings } from '../records/billing-health/answer.ts'
import { APART, FINDING_CLASSES } from '../records/billing-health/classes.ts'
import { NOTICE_READS, presentNotices } from '../records/billing-health/notices/answer.ts'
import { NOTICE_KINDS } from '../records/billing-health/notices/kinds.ts'
import { createGoalResource } from '../workspace/goals/resource.ts'
import { createMarkResource, type MarkResource } from '../workspace/marks/resource.ts'
import { createNoteResource } from '../workspace/notes/resource.ts'
import { markRecord } from '../workspace/records/mark.ts'
import type { Engine } from './contract.ts'
import { REPLICA } from './source-for.ts'

/** The mark of a finding or notice. `kind` is one of the classes of findings or kinds of notices. */
export const MARK = markRecord([...FINDING_CLASSES, ...NOTICE_KINDS] as [string, ...string[]])

const WHY_NO_ERROR = `"state" must be seen for the class ${APART}, which is in no sum of differences: nobody erred.`

interface Parts {
  readonly pipeline: Pipeline
  readonly capabilityOf: CapabilityOf
  readonly planner: Planner
  readonly inSession: <T>(work: (session: RequestSession) => Promise<T>) => Promise<T>
}

/** The words of people about numbers: notes, goals, and marks of findings. */
export function createRemarks(
  deps: EngineDependencies,
  parts: Parts,
  workspace: () => Promise<Workspace>,
): Pick<Engine, 'notes' | 'goals' | 'marks'> {
  const { planner, inSession } = parts
  const tenantsOf = ({ connector: { sources } }: RequestSession) => sources.map(({ name }) => name)
  return {
    notes: createNoteResource(deps, {
      workspace,
      tenants: () => inSession(async (session) => tenantsOf(session)),
      metrics: planner.built().map(({ name }) => name),
    }),
    goals: createGoalResource(deps, {
      workspace,
      present: () => inSession(async (session) => ({ currency: session.definitions.base_currency, tenants: tenantsOf(session) })),
      metrics: planner.built(),
      check: (metric, params, spec) => void planner.plan(metric, params, spec, deps.clock.now()),
    }),
    marks: createMarks(deps, parts, workspace),
  }
}

/** The marks of the workspace. Each is checked against the findings and notices of now. */
function createMarks(
  deps: EngineDependencies,
  { pipeline, capabilityOf }: Pick<Parts, 'pipeline' | 'capabilityOf'>,
  workspace: () => Promise<Workspace>,
): MarkResource {
  const { type } = deps.connector
  return createMarkResource(
    deps,
    {
      body: MARK.body,
      whyNoError: (kind) => (kind === APART ? WHY_NO_ERROR : undefined),
      async find(named) {
        const isFinding = FINDING_CLASSES.some((name) => name === named.kind)
        if (isFinding) checkReads('billing health', HEALTH_READS, type, capabilityOf)
        else checkReads('notices of billing health', NOTICE_READS, type, capabilityOf)
        const { value } = isFinding
          ? await pipeline.read({}, (context) => presentFindings(named, context))
          : await pipeline.read({ ...REPLICA, definitions: { ...deps.definitions, time_zone: UTC } }, (context) =>
              presentNotices(named, context),
            )
        return value
      },
    },
    workspace,
  )
}
