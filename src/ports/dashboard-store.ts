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

/** A dashboard with its sections, placements and charts. */
export interface DashboardContent {
  readonly dashboard: DashboardRecord
  /** In display order. */
  readonly sections: readonly DashboardSection[]
  /** In display order, of all sections. */
  readonly placements: readonly ChartPlacement[]
  /** The placed charts, in no order. */
  readonly charts: readonly SavedChart[]
}

/**
 * The dashboards and charts of one user in the side schema. Records of other users are invisible. A method that takes an id
 * rejects with AppError `not_found` if no record has the id. A method that adds a record rejects with `validation_failed` at the
 * limit.
 */
export interface DashboardStore {
  /** Last changed first, then by id. A change of a section or placement also changes its dashboard. */
  dashboards(): Promise<readonly DashboardRecord[]>
  dashboard(id: string): Promise<DashboardRecord>
  content(id: string): Promise<DashboardContent>
  addDashboard(record: DashboardRecord): Promise<void>
  changeDashboard(id: string, change: DashboardChange, at: string): Promise<void>
  /** Also removes its sections and placements. Charts stay. */
  removeDashboard(id: string): Promise<void>

  section(dashboardId: string, id: string): Promise<DashboardSection>
  addSection(dashboardId: string, section: DashboardSection, at: string): Promise<void>
  changeSection(dashboardId: string, id: string, change: SectionChange, at: string): Promise<void>
  /** Also removes the placements in it. */
  removeSection(dashboardId: string, id: string, at: string): Promise<void>

  placement(dashboardId: string, id: string): Promise<ChartPlacement>
  /** AppError `conflict` if the chart is already on the dashboard. */
  place(dashboardId: string, placement: ChartPlacement, at: string): Promise<void>
  movePlacement(dashboardId: string, id: string, change: PlacementChange, at: string): Promise<void>
  removePlacement(dashboardId: string, id: string, at: string): Promise<void>

  /** Last changed first, then by id. */
  charts(): Promise<readonly SavedChart[]>
  chart(id: string): Promise<SavedChart>
  addChart(chart: SavedChart): Promise<void>
  changeChart(id: string, change: ChartChange, at: string): Promise<void>
  /** Also removes its placements on dashboards. */
  removeChart(id: string): Promise<void>
}
