import { AppError } from '../../core/errors.ts'
import { isRecordId, type Workspace } from '../../core/workspace.ts'
import type { EngineDependencies } from '../../execution/dependencies.ts'
import { dashboardStore } from '../../execution/session/stores.ts'
import type { DashboardStore } from '../../ports/dashboard-store.ts'

/** What dashboards and charts are kept with. */
export interface Keeping {
  /** The store of the user, once it is known in which workspace. */
  store(): Promise<DashboardStore>
  now(): string
}

/** How one user's things are kept; `workspace` says where. AppError `unsupported_by_connector` from `store` when there is no side store. */
export function keepingOf(
  deps: Pick<EngineDependencies, 'store' | 'connector' | 'clock'>,
  workspace: () => Promise<Workspace>,
  user: string,
): Keeping {
  return {
    store: async () => dashboardStore(deps, user)(await workspace()),
    now: () => deps.clock.now().toISOString(),
  }
}

/** Refuses texts that are no ids of records: AppError `not_found`. */
export function checkIds(ids: Readonly<Record<string, string | undefined>>): void {
  for (const [what, id] of Object.entries(ids))
    if (id !== undefined && !isRecordId(id)) throw new AppError('not_found', `There is no ${what} of this id.`)
}
