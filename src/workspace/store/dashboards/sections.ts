import { DASHBOARD_LIMITS, type DashboardSection } from '../../../core/workspace.ts'
import type { DashboardStore } from '../../../ports/dashboard-store.ts'
import { checkDashboard, touchDashboard } from './dashboards.ts'
import type { OwnedAccess } from './owned-tables.ts'
import { addTo, changeIn, type Kind, recordIn, removeFrom } from './records.ts'
import { sectionOf } from './rows.ts'

/** Sections of a dashboard. */
export const SECTION: Kind<DashboardSection> = {
  name: 'section',
  plural: 'sections',
  limit: DASHBOARD_LIMITS.sections,
  read: sectionOf,
}

type Sections = Pick<DashboardStore, 'section' | 'addSection' | 'changeSection' | 'removeSection'>

/** The sections of a user's dashboards. */
export function createSections(access: OwnedAccess): Sections {
  return {
    section: (dashboardId, id) =>
      access.read(async (tables) => {
        await checkDashboard(tables, dashboardId)
        return recordIn(tables.sections(dashboardId), SECTION, id)
      }),
    addSection: (dashboardId, section, at) =>
      access.change(async (tables) => {
        await checkDashboard(tables, dashboardId)
        await addTo(tables.sections(dashboardId), SECTION, { ...section })
        await touchDashboard(tables, dashboardId, at)
      }),
    changeSection: (dashboardId, id, change, at) =>
      access.change(async (tables) => {
        await checkDashboard(tables, dashboardId)
        const hasChanged = await changeIn(tables.sections(dashboardId), SECTION, id, change, (section) => ({ ...section }))
        if (hasChanged) await touchDashboard(tables, dashboardId, at)
      }),
    removeSection: (dashboardId, id, at) =>
      access.change(async (tables) => {
        await checkDashboard(tables, dashboardId)
        await removeFrom(tables.sections(dashboardId), SECTION, id)
        await touchDashboard(tables, dashboardId, at)
      }),
  }
}
