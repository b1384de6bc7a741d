import type {
  ChartChange,
  ChartPlacement,
  DashboardChange,
  DashboardRecord,
  DashboardSection,
  PlacementChange,
  SavedChart,
  SectionChange,
} from '../core/workspace.ts'

/** A dashboard with all that stands on it. */
export interface DashboardContent {
  readonly dashboard: DashboardRecord
  /** In their order. */
  readonly sections: readonly DashboardSection[]
  /** In their order, of all sections. */
  readonly placements: readonly ChartPlacement[]
  /** Those that are placed, in no order. */
  readonly charts: readonly SavedChart[]
}

/**
 * The dashboards and charts of one user in the side schema; those of others are as if they were not there. Every method that is given an id rejects
 * with AppError `not_found` where there is nothing of it, every one that adds with `validation_failed` where there are as many as there may be.
 */
export interface DashboardStore {
  /** The last changed first, then by id. What stands on a dashboard is part of it. */
  dashboards(): Promise<readonly DashboardRecord[]>
  dashboard(id: string): Promise<DashboardRecord>
  content(id: string): Promise<DashboardContent>
  addDashboard(record: DashboardRecord): Promise<void>
  changeDashboard(id: string, change: DashboardChange, at: string): Promise<void>
  /** With its sections and places; charts stay. */
  removeDashboard(id: string): Promise<void>

  section(dashboardId: string, id: string): Promise<DashboardSection>
  addSection(dashboardId: string, section: DashboardSection, at: string): Promise<void>
  changeSection(dashboardId: string, id: string, change: SectionChange, at: string): Promise<void>
  /** With the places in it. */
  removeSection(dashboardId: string, id: string, at: string): Promise<void>

  placement(dashboardId: string, id: string): Promise<ChartPlacement>
  /** AppError `conflict` when the chart is on the dashboard already. */
  place(dashboardId: string, placement: ChartPlacement, at: string): Promise<void>
  movePlacement(dashboardId: string, id: string, change: PlacementChange, at: string): Promise<void>
  removePlacement(dashboardId: string, id: string, at: string): Promise<void>

  /** The last changed first, then by id. */
  charts(): Promise<readonly SavedChart[]>
  chart(id: string): Promise<SavedChart>
  addChart(chart: SavedChart): Promise<void>
  changeChart(id: string, change: ChartChange, at: string): Promise<void>
  /** With its places on dashboards. */
  removeChart(id: string): Promise<void>
}
