import { AppError } from '../../../core/errors.ts'
import { type ChartPlacement, DASHBOARD_LIMITS } from '../../../core/workspace.ts'
import type { DashboardStore } from '../../../ports/dashboard-store.ts'
import { CHART } from './charts.ts'
import { checkDashboard, touchDashboard } from './dashboards.ts'
import type { OwnedAccess } from './owned-tables.ts'
import { addTo, changeIn, hasRow, type Kind, recordIn, removeFrom } from './records.ts'
import { placementOf } from './rows.ts'
import { SECTION } from './sections.ts'

const PLACEMENT: Kind<ChartPlacement> = {
  name: 'chart on this dashboard',
  plural: 'charts on this dashboard',
  limit: DASHBOARD_LIMITS.placements,
  read: placementOf,
}

type Placements = Pick<DashboardStore, 'placement' | 'place' | 'movePlacement' | 'removePlacement'>

/** Which chart stands where on a user's dashboards. */
export function createPlacements(access: OwnedAccess): Placements {
  return {
    placement: (dashboardId, id) =>
      access.read(async (tables) => {
        await checkDashboard(tables, dashboardId)
        return recordIn(tables.placements(dashboardId), PLACEMENT, id)
      }),
    place: (dashboardId, placement, at) =>
      access.change(async (tables) => {
        await checkDashboard(tables, dashboardId)
        const { id, saved_chart_id, section_id } = placement
        await recordIn(tables.charts, CHART, saved_chart_id)
        await recordIn(tables.sections(dashboardId), SECTION, section_id)
        const placements = tables.placements(dashboardId)
        const isThere = await hasRow(placements.find().where({ saved_chart_id }).whereNot({ id }))
        if (isThere) throw new AppError('conflict', 'The chart is on this dashboard already.')
        await addTo(placements, PLACEMENT, { ...placement })
        await touchDashboard(tables, dashboardId, at)
      }),
    movePlacement: (dashboardId, id, change, at) =>
      access.change(async (tables) => {
        await checkDashboard(tables, dashboardId)
        const placements = tables.placements(dashboardId)
        await recordIn(placements, PLACEMENT, id)
        if (change.section_id !== undefined) await recordIn(tables.sections(dashboardId), SECTION, change.section_id)
        const hasMoved = await changeIn(placements, PLACEMENT, id, change, (placement) => ({ ...placement }))
        if (hasMoved) await touchDashboard(tables, dashboardId, at)
      }),
    removePlacement: (dashboardId, id, at) =>
      access.change(async (tables) => {
        await checkDashboard(tables, dashboardId)
        await removeFrom(tables.placements(dashboardId), PLACEMENT, id)
        await touchDashboard(tables, dashboardId, at)
      }),
  }
}
