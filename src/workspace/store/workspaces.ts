import type { Workspace } from '../../core/workspace.ts'
import type { WorkspaceStore } from '../../ports/store.ts'
import { adopt } from './adopt.ts'
import { createAttributes } from './attributes.ts'
import { createAuditLog } from './audit-log.ts'
import { createDashboardStore } from './dashboards/dashboard-store.ts'
import type { Access } from './database.ts'
import { createExpenses } from './expenses/expense-store.ts'
import { createInbox } from './inbox.ts'
import { createKeys } from './keys.ts'
import { createSegments } from './segments.ts'
import { createSources } from './sources.ts'

/** Gives what the store holds for one workspace. The first access also takes over what was stored before there were workspaces (adopt.ts). */
export function createWorkspaces(access: Access): (workspace: Workspace) => WorkspaceStore {
  const adopted = new Map<string, Promise<void>>()

  const settle = (workspace: Workspace): Promise<void> => {
    const key = JSON.stringify(workspace)
    const known = adopted.get(key)
    if (known !== undefined) return known
    const adopting = adopt(access, workspace).catch((error: unknown) => {
      adopted.delete(key)
      throw error
    })
    adopted.set(key, adopting)
    return adopting
  }
  return (workspace) => {
    const settled: Access = {
      read: async (work) => {
        await settle(workspace)
        return access.read(work)
      },
      write: async (work) => {
        await settle(workspace)
        return access.write(work)
      },
      writeBeside: access.writeBeside,
    }
    return {
      attributes: createAttributes(settled, workspace),
      segments: createSegments(settled, workspace),
      // There were workspaces before there were books, sources, keys and dashboards: nothing is to be taken over.
      expenses: createExpenses(access, workspace),
      sources: createSources(access, workspace),
      inbox: createInbox(access, workspace),
      keys: createKeys(access, workspace),
      audit: createAuditLog(access, workspace),
      dashboardsOf: (user) => createDashboardStore(access, workspace, user),
    }
  }
}
