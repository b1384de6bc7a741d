import type { CheckFinding, DatabaseConnector, SnapshotSource } from '../../connector-kit/connector.ts'
import { AppError } from '../../core/errors.ts'
import { changeLogs, logsError } from './change-logs.ts'
import { type Copy, type CopySettings, readCopy } from './copy.ts'
import type { LakePlace } from './place.ts'

interface CopiedOptions {
  /** The schema of the billing tables. */
  readonly billing: LakePlace
  readonly copy: CopySettings
}

/**
 * The connector over billing tables that a tool has copied. Its checks read the rows that the engine has, as publications do. A session straight on the
 * tables would see other names and deleted rows, so it is refused: AppError `unsupported_by_connector`.
 */
export function copiedConnector(connector: DatabaseConnector, { billing, copy: settings }: CopiedOptions): DatabaseConnector {
  const { check, crossCheck, checkHistory, mirror } = connector
  const changed = changeOf(settings)
  const copyOf = (snapshot: Parameters<typeof readCopy>[0]) => readCopy(snapshot, billing, mirror?.columns, settings)
  const engineRows = (source: SnapshotSource): SnapshotSource => ({
    withSnapshot: (work, options) =>
      source.withSnapshot(async (snapshot) => {
        const copy = await copyOf(snapshot)
        return work(copy.over(snapshot, copy.selects))
      }, options),
  })
  return {
    ...connector,
    async open(snapshot, request) {
      if (changed !== undefined && snapshot.isRecorded !== true) throw publicationsOnly(changed)
      return connector.open(snapshot, request)
    },
    async check(snapshot, request) {
      const copy = await copyOf(snapshot)
      const faults = await faultsOf(snapshot, copy, mirror?.columns?.key)
      if (faults.length > 0) return faults
      return [copyFinding(copy, changed), ...((await check?.(copy.over(snapshot, copy.selects), request)) ?? [])]
    },
    ...(crossCheck && { crossCheck: (source, request) => crossCheck(engineRows(source), request) }),
    ...(checkHistory && { checkHistory: (source, request) => checkHistory(engineRows(source), request) }),
  }
}

/** The difference from the engine's tables, as the settings say. */
function changeOf({ tool = 'plain', names = {} }: CopySettings): string | undefined {
  if (tool !== 'plain') return `${tool} has copied them (lake.copied_by)`
  return Object.keys(names).length === 0 ? undefined : 'some have other names (lake.tables)'
}

function publicationsOnly(changed: string): AppError {
  const text = `Only publications read the billing tables, because ${changed}. This question needs the tables themselves.`
  return new AppError('unsupported_by_connector', text, { context: { publications_only: true } })
}

async function faultsOf(
  snapshot: Parameters<typeof readCopy>[0],
  copy: Copy,
  key: string | undefined,
): Promise<readonly CheckFinding[]> {
  const logs = key === undefined ? [] : await changeLogs(snapshot, copy.copied, copy.selects, key)
  const faults = key === undefined || logs.length === 0 ? copy.faults : [...copy.faults, logsError(logs, key)]
  return faults.map(({ message }) => ({ name: 'lake_copy', level: 'failure', message }))
}

/** Most names in one message. */
const MOST_NAMED = 10

function copyFinding({ casts }: Copy, changed: string | undefined): CheckFinding {
  if (casts.length === 0 && changed === undefined)
    return { name: 'lake_copy', level: 'ok', message: 'the billing tables have the types and the rows of the engine' }
  const more = casts.length > MOST_NAMED ? `, and ${casts.length - MOST_NAMED} more` : ''
  const reasons = [
    ...(changed === undefined ? [] : [changed]),
    ...(casts.length === 0 ? [] : [`publications cast ${casts.slice(0, MOST_NAMED).join(', ')}${more}`]),
  ]
  const message = `only publications read the billing tables: ${reasons.join('; ')}. Questions that need the tables themselves are refused`
  return { name: 'lake_copy', level: 'ok', message }
}
