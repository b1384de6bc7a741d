import { AppError } from '../../../core/errors.ts'
import {
  type ChartPlacement,
  DASHBOARD_LIMITS,
  type DashboardRecord,
  type DashboardSection,
  type SavedChart,
  type Workspace,
} from '../../../core/workspace.ts'
import { textOf } from '../../../ports/cells.ts'
import type { DashboardStore } from '../../../ports/dashboard-store.ts'
import type { Row } from '../../../ports/rows.ts'
import type { Access } from '../database.ts'
import { instantForStore } from '../instants.ts'
import {
  addTo,
  changeIn,
  chartOf,
  chartRow,
  dashboardOf,
  dashboardRow,
  hasRow,
  type Kind,
  type OwnedAccess,
  type OwnedTables,
  ownedAccess,
  placementOf,
  recordIn,
  removeFrom,
  sectionOf,
} from './owned-rows.ts'

/** The dashboards and charts of a user in a workspace. */
export function createDashboardStore(access: Access, { name }: Workspace, user: string): DashboardStore {
  const owned = ownedAccess(access, name, user)
  return { ...createDashboards(owned), ...createSections(owned), ...createPlacements(owned), ...createCharts(owned) }
}

const DASHBOARD: Kind<DashboardRecord> = {
  name: 'dashboard',
  plural: 'dashboards',
  limit: DASHBOARD_LIMITS.dashboards,
  read: dashboardOf,
}

/** Display order of sections, and of charts in a section. */
const IN_ORDER = ['position', 'id']

type Dashboards = Pick<
  DashboardStore,
  'dashboards' | 'dashboard' | 'content' | 'addDashboard' | 'changeDashboard' | 'removeDashboard'
>

/** The dashboards of a user. */
function createDashboards(access: OwnedAccess): Dashboards {
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

/** Checks that the dashboard belongs to the user. AppError `not_found`. */
async function checkDashboard({ dashboards }: OwnedTables, id: string): Promise<void> {
  await recordIn(dashboards, DASHBOARD, id)
}

/** Stores the time of the last change on the dashboard. */
async function touchDashboard({ dashboards }: OwnedTables, id: string, at: string): Promise<void> {
  await dashboards
    .find()
    .where({ id })
    .update({ updated_at: instantForStore(at) })
}

/** Sections of a dashboard. */
const SECTION: Kind<DashboardSection> = {
  name: 'section',
  plural: 'sections',
  limit: DASHBOARD_LIMITS.sections,
  read: sectionOf,
}

type Sections = Pick<DashboardStore, 'section' | 'addSection' | 'changeSection' | 'removeSection'>

/** The sections of a user's dashboards. */
function createSections(access: OwnedAccess): Sections {
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

const PLACEMENT: Kind<ChartPlacement> = {
  name: 'chart on this dashboard',
  plural: 'charts on this dashboard',
  limit: DASHBOARD_LIMITS.placements,
  read: placementOf,
}

type Placements = Pick<DashboardStore, 'placement' | 'place' | 'movePlacement' | 'removePlacement'>

/** The placements of charts on a user's dashboards. */
function createPlacements(access: OwnedAccess): Placements {
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
        if (isThere) throw new AppError('conflict', 'The chart is already on this dashboard.')
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

/** Saved charts. */
const CHART: Kind<SavedChart> = { name: 'chart', plural: 'charts', limit: DASHBOARD_LIMITS.charts, read: chartOf }

type Charts = Pick<DashboardStore, 'charts' | 'chart' | 'addChart' | 'changeChart' | 'removeChart'>

/** The saved charts of a user. */
function createCharts(access: OwnedAccess): Charts {
  return {
    charts: () =>
      access.read(async ({ charts }) => {
        const rows: Row[] = await charts.find().orderBy([{ column: 'updated_at', order: 'desc' }, 'id'])
        return rows.map(chartOf)
      }),
    chart: (id) => access.read(({ charts }) => recordIn(charts, CHART, id)),
    addChart: (chart) => access.change(({ charts }) => addTo(charts, CHART, chartRow(chart))),
    changeChart: (id, change, at) =>
      access.change(async ({ charts }) => {
        await changeIn(charts, CHART, id, change, (chart) => chartRow({ ...chart, updated_at: at }))
      }),
    removeChart: (id) => access.change(({ charts }) => removeFrom(charts, CHART, id)),
  }
}
