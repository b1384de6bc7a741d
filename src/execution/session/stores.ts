import { MOST_KEYS_AT_ONCE } from '../../core/attribute.ts'
import { AppError } from '../../core/errors.ts'
import type { Viewer, Workspace } from '../../core/workspace.ts'
import type { AttributeStore, AttributeWriter } from '../../ports/attribute-store.ts'
import type { DashboardStore } from '../../ports/dashboard-store.ts'
import type { DeliveryStore } from '../../ports/delivery-store.ts'
import type { ExpenseStore } from '../../ports/expense-store.ts'
import type { GoalStore } from '../../ports/goal-store.ts'
import type { LinkStore } from '../../ports/link-store.ts'
import type { MarkStore } from '../../ports/mark-store.ts'
import type { NoteStore } from '../../ports/note-store.ts'
import type { SegmentStore, WorkspaceStore } from '../../ports/store.ts'
import type { Warning } from '../../query/warning.ts'
import type { EngineDependencies } from '../dependencies.ts'

type StoreSource = Pick<EngineDependencies, 'store' | 'connector'>
type AttributeStoreSource = StoreSource & Pick<EngineDependencies, 'limits'>

/** The stored attributes of a workspace, up to the limit. AppError `unsupported_by_connector` if the side store is switched off. */
export function attributeStore(source: AttributeStoreSource): (workspace: Workspace) => AttributeStore {
  const inWorkspace = workspaces(source, 'Stored attributes')
  return (workspace) => withKeyLimit(inWorkspace(workspace).attributes, source.limits.attribute_keys ?? MOST_KEYS)
}

/** The stored segments of a workspace. AppError `unsupported_by_connector` if the side store is switched off. */
export function segmentStore(source: StoreSource): (workspace: Workspace) => SegmentStore {
  const inWorkspace = workspaces(source, 'Segments')
  return (workspace) => inWorkspace(workspace).segments
}

/** The notes of a workspace. AppError `unsupported_by_connector` if the side store is switched off. */
export function noteStore(source: StoreSource): (workspace: Workspace) => NoteStore {
  const inWorkspace = workspaces(source, 'Notes')
  return (workspace) => inWorkspace(workspace).notes
}

/** The goals of a workspace. AppError `unsupported_by_connector` if the side store is switched off. */
export function goalStore(source: StoreSource): (workspace: Workspace) => GoalStore {
  const inWorkspace = workspaces(source, 'Goals')
  return (workspace) => inWorkspace(workspace).goals
}

/** The marks of findings of a workspace. AppError `unsupported_by_connector` if the side store is switched off. */
export function markStore(source: StoreSource): (workspace: Workspace) => MarkStore {
  const inWorkspace = workspaces(source, 'Marks of findings')
  return (workspace) => inWorkspace(workspace).marks
}

/** Expenses of a workspace. AppError `unsupported_by_connector` if the side store is switched off. */
export function expenseStore(source: StoreSource): (workspace: Workspace) => ExpenseStore {
  const inWorkspace = workspaces(source, 'Expenses')
  return (workspace) => inWorkspace(workspace).expenses
}

/** The dashboards that a viewer sees, and its charts, per workspace. AppError `unsupported_by_connector` if the side store is switched off. */
export function dashboardStore(source: StoreSource, viewer: Viewer): (workspace: Workspace) => DashboardStore {
  const inWorkspace = workspaces(source, 'Dashboards')
  return (workspace) => inWorkspace(workspace).dashboardsOf(viewer)
}

/** Deliveries of a workspace. AppError `unsupported_by_connector` if the side store is switched off. */
export function deliveryStore(source: StoreSource): (workspace: Workspace) => DeliveryStore {
  const inWorkspace = workspaces(source, 'Deliveries')
  return (workspace) => inWorkspace(workspace).deliveries
}

/** The links of a workspace. AppError `unsupported_by_connector` if the side store is switched off. */
export function linkStore(source: StoreSource): (workspace: Workspace) => LinkStore {
  const inWorkspace = workspaces(source, 'Links')
  return (workspace) => inWorkspace(workspace).links
}

/** The store of a workspace. Undefined: it is switched off. */
export function storedIn({ store }: Pick<EngineDependencies, 'store'>, workspace: Workspace): WorkspaceStore | undefined {
  return store?.enabled === true ? store.inWorkspace?.(workspace) : undefined
}

function workspaces({ store, connector }: StoreSource, what: string): (workspace: Workspace) => WorkspaceStore {
  if (store?.inWorkspace === undefined || !store.enabled) throw switchedOff(what, connector.type)
  return store.inWorkspace
}

/**
 * The answer of the side store, or `others` with the warning `partial` if it cannot be reached. Use it if `what` is only a part of the answer.
 * A request must fail instead if stored attributes decide its result (http-api.md 13).
 */
export async function orWithoutStore<T>(
  read: Promise<T>,
  others: T,
  warn: (warning: Warning) => void,
  what = 'Stored attributes',
): Promise<T> {
  try {
    return await read
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'connector_unavailable') throw error
    warn({ code: 'partial', message: `${what} are left out. ${error.message}` })
    return others
  }
}

/** The error of a request that needs the side store if the store is switched off. */
export function switchedOff(what: string, connector: string): AppError {
  const detail = `${what} need the side store, which is switched off (store.url is none).`
  return new AppError('unsupported_by_connector', detail, { context: { connector, missing: ['store'] } })
}

/** Default limit of stored attributes (`limits.attribute_keys`). */
export const MOST_KEYS = 1_000

/** The stored attributes with a limit. AppError `validation_failed` for a change that would leave more than `most`. */
function withKeyLimit(store: AttributeStore, most: number): AttributeStore {
  return { ...store, change: (work) => store.change((writer) => work(limited(writer, most))) }
}

function limited(writer: AttributeWriter, most: number): AttributeWriter {
  let known: Set<string> | undefined
  return {
    ...writer,
    async define(definition) {
      known ??= new Set((await writer.definitions()).keys())
      if (!known.has(definition.key) && known.size >= most) throw tooMany(most)
      await writer.define(definition)
      known.add(definition.key)
    },
  }
}

function tooMany(most: number): AppError {
  const detail = `The store holds ${most} attributes, which is the limit (limits.attribute_keys): a new one is refused.`
  return new AppError('validation_failed', detail, { context: { limit: most } })
}

/** AppError `validation_failed` for too many attributes in one call. */
export function checkKeyCount(keys: readonly string[]): void {
  if (keys.length <= MOST_KEYS_AT_ONCE) return
  const message = `${keys.length} attributes in one call; the limit is ${MOST_KEYS_AT_ONCE}.`
  throw new AppError('validation_failed', message, {
    context: { limit: MOST_KEYS_AT_ONCE },
    issues: [{ code: 'validation_failed', where: 'body.attributes', message, did_you_mean: [] }],
  })
}
