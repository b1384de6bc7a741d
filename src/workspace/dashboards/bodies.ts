import { AppError } from '../../core/errors.ts'
import { isRecordId, type Viewer, type Workspace } from '../../core/workspace.ts'
import type { EngineDependencies } from '../../execution/dependencies.ts'
import { dashboardStore } from '../../execution/session/stores.ts'
import type { DashboardStore } from '../../ports/dashboard-store.ts'
import type { Body } from '../records/body.ts'

/**
 * Parses a body. If the body is invalid, `find` runs first, so that an unknown id is reported before the body.
 * AppError `not_found`, `validation_failed`.
 */
export async function bodyFor<T>(form: Body<T>, body: unknown, find: () => Promise<unknown>): Promise<T> {
  try {
    return form.parse(body)
  } catch (error) {
    await find()
    throw error
  }
}

/** The fields that were sent. */
export function sent<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

/** Access to the dashboards and charts that a viewer sees. */
export interface DashboardAccess {
  /** The viewer's store, once the workspace is known. */
  store(): Promise<DashboardStore>
  now(): string
}

/** Access for a viewer in `workspace`. `store` rejects with AppError `unsupported_by_connector` if there is no side store. */
export function dashboardAccess(
  deps: Pick<EngineDependencies, 'store' | 'connector' | 'clock' | 'writeClock'>,
  workspace: () => Promise<Workspace>,
  viewer: Viewer,
): DashboardAccess {
  return {
    store: async () => dashboardStore(deps, viewer)(await workspace()),
    now: () => (deps.writeClock ?? deps.clock).now().toISOString(),
  }
}

/** Refuses texts that are not ids of records. AppError `not_found`. */
export function checkIds(ids: Readonly<Record<string, string | undefined>>): void {
  for (const [what, id] of Object.entries(ids))
    if (id !== undefined && !isRecordId(id)) throw new AppError('not_found', `No ${what} has this id.`)
}
