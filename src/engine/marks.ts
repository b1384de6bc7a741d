import { UTC } from '../core/calendar.ts'
import type { Workspace } from '../core/workspace.ts'
import type { EngineDependencies } from '../execution/dependencies.ts'
import type { Pipeline } from '../execution/pipeline.ts'
import { type CapabilityOf, checkReads } from '../execution/plan/capability.ts'
import { HEALTH_READS, presentFindings } from '../records/billing-health/answer.ts'
import { APART, FINDING_CLASSES } from '../records/billing-health/classes.ts'
import { NOTICE_READS, presentNotices } from '../records/billing-health/notices/answer.ts'
import { NOTICE_KINDS } from '../records/billing-health/notices/kinds.ts'
import { createMarkResource, type MarkResource } from '../workspace/marks/resource.ts'
import { markRecord } from '../workspace/records/mark.ts'
import { REPLICA } from './source-for.ts'

/** Everything that can be marked: the classes of findings, then the kinds of notices. */
export const MARKED_KINDS = [...FINDING_CLASSES, ...NOTICE_KINDS] as [string, ...string[]]

/** The mark of a finding or notice. */
export const MARK = markRecord(MARKED_KINDS)

const WHY_NO_ERROR = `"state" must be seen for the class ${APART}, which is in no sum of differences: nobody erred.`

/** The marks of the workspace. Each is checked against the findings and notices of now. */
export function createMarks(
  deps: EngineDependencies,
  { pipeline, capabilityOf }: { readonly pipeline: Pipeline; readonly capabilityOf: CapabilityOf },
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
