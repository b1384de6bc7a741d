import type { ChartChange, DashboardDocument, DashboardRecord, SavedChart } from '../core/workspace.ts'

/** A change of a dashboard. `hasChart` tells if its owner has a chart. An unchanged document is not stored. */
export type DashboardEdit = (
  document: DashboardDocument,
  hasChart: (id: string) => Promise<boolean>,
) => DashboardDocument | Promise<DashboardDocument>

/** A dashboard with the saved charts of its owner that are on it. */
export interface DashboardWithCharts {
  readonly document: DashboardDocument
  readonly charts: readonly SavedChart[]
}

/**
 * The dashboards that a viewer sees in the side schema, and the charts of the viewer alone; a viewer who sees all sees all charts. A method that takes an id rejects with AppError `not_found`
 * if the viewer sees no record with the id. A method that adds a record rejects with `validation_failed` at the limit.
 */
export interface DashboardStore {
  /** Last changed first, then by id. */
  dashboards(): Promise<readonly DashboardRecord[]>
  dashboard(id: string): Promise<DashboardDocument>
  dashboardWithCharts(id: string): Promise<DashboardWithCharts>
  addDashboard(document: DashboardDocument): Promise<void>
  /**
   * Changes a dashboard while no other writer of its owner does, and adds 1 to its revision. The edit may run again after a lost connection. AppError
   * `conflict` if the dashboard is not at the given revision and the edit changes it; `forbidden` if it belongs to somebody else and the viewer is no
   * administrator.
   */
  changeDashboard(id: string, edit: DashboardEdit, at: string, revision?: number): Promise<void>
  /** Charts stay. AppError `forbidden` as for a change. */
  removeDashboard(id: string): Promise<void>

  /** Last changed first, then by id. */
  charts(): Promise<readonly SavedChart[]>
  chart(id: string): Promise<SavedChart>
  addChart(chart: SavedChart): Promise<void>
  changeChart(id: string, change: ChartChange, at: string): Promise<void>
  /** Also removes it from the user's dashboards. */
  removeChart(id: string): Promise<void>
}
