import type { Workspace } from '../../../core/workspace.ts'
import type { DashboardStore } from '../../../ports/dashboard-store.ts'
import type { Access } from '../database.ts'
import { createCharts } from './charts.ts'
import { createDashboards } from './dashboards.ts'
import { ownedAccess } from './owned-tables.ts'
import { createPlacements } from './placements.ts'
import { createSections } from './sections.ts'

/** The dashboards and charts that a user has in a workspace. */
export function createDashboardStore(access: Access, { name }: Workspace, user: string): DashboardStore {
  const owned = ownedAccess(access, name, user)
  return { ...createDashboards(owned), ...createSections(owned), ...createPlacements(owned), ...createCharts(owned) }
}
