import { DASHBOARD_LIMITS, type DashboardRecord } from '../../../core/workspace.ts'
import { textOf } from '../../../ports/cells.ts'
import type { DashboardStore } from '../../../ports/dashboard-store.ts'
import type { Row } from '../../../ports/rows.ts'
import { instantForStore } from '../instants.ts'
import type { OwnedAccess, OwnedTables } from './owned-tables.ts'
import { addTo, changeIn, type Kind, recordIn, removeFrom } from './records.ts'
import { chartOf, dashboardOf, dashboardRow, placementOf, sectionOf } from './rows.ts'

const DASHBOARD: Kind<DashboardRecord> = {
  name: 'dashboard',
  plural: 'dashboards',
  limit: DASHBOARD_LIMITS.dashboards,
  read: dashboardOf,
}

/** Sections, and charts in a section, as they stand. */
const IN_ORDER = ['position', 'id']

type Dashboards = Pick<
  DashboardStore,
  'dashboards' | 'dashboard' | 'content' | 'addDashboard' | 'changeDashboard' | 'removeDashboard'
>

/** The dashboards of a user. */
export function createDashboards(access: OwnedAccess): Dashboards {
  return {
    dashboards: () =>
      access.read(async ({ dashboards }) => {
        const rows: Row[] = await dashboards.find().orderBy([{ column: 'updated_at', order: 'desc' }, 'id'])
        return rows.map(dashboardOf)
      }),
    dashboard: (id) => access.read(({ dashboards }) => recordIn(dashboards, DASHBOARD, id)),
    content: (id) =>
      access.read(async (tables) => {
        const dashboard = await recordIn(tables.dashboards, DASHBOARD, id)
        const sections: Row[] = await tables.sections(id).find().orderBy(IN_ORDER)
        const placements: Row[] = await tables.placements(id).find().orderBy(IN_ORDER)
        const placed = placements.map((row) => textOf(row, 'saved_chart_id'))
        const charts: Row[] = await tables.charts.find().whereIn('id', placed)
        return {
          dashboard,
          sections: sections.map(sectionOf),
          placements: placements.map(placementOf),
          charts: charts.map(chartOf),
        }
      }),
    addDashboard: (record) => access.change(({ dashboards }) => addTo(dashboards, DASHBOARD, dashboardRow(record))),
    changeDashboard: (id, change, at) =>
      access.change(async ({ dashboards }) => {
        await changeIn(dashboards, DASHBOARD, id, change, (record) => dashboardRow({ ...record, updated_at: at }))
      }),
    removeDashboard: (id) => access.change(({ dashboards }) => removeFrom(dashboards, DASHBOARD, id)),
  }
}

/** Makes sure that the dashboard is the user's. AppError `not_found`. */
export async function checkDashboard({ dashboards }: OwnedTables, id: string): Promise<void> {
  await recordIn(dashboards, DASHBOARD, id)
}

/** Keeps when something on the dashboard was changed. */
export async function touchDashboard({ dashboards }: OwnedTables, id: string, at: string): Promise<void> {
  await dashboards
    .find()
    .where({ id })
    .update({ updated_at: instantForStore(at) })
}
