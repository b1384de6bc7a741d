import type { ChartChange, DashboardDocument, DashboardRecord, SavedChart } from '../core/workspace.ts'

/** A change of a dashboard. `hasChart` tells if the user has a chart. An unchanged document is not stored. */
export type DashboardEdit = (
  document: DashboardDocument,
  hasChart: (id: string) => Promise<boolean>,
) => DashboardDocument | Promise<DashboardDocument>

/**
 * The dashboards and charts of one user in the side schema. Records of other users are invisible. A method that takes an id
 * rejects with AppError `not_found` if no record has the id. A method that adds a record rejects with `validation_failed` at the
 * limit.
 */
export interface DashboardStore {
  /** Last changed first, then by id. */
  dashboards(): Promise<readonly DashboardRecord[]>
  dashboard(id: string): Promise<DashboardDocument>
  addDashboard(document: DashboardDocument): Promise<void>
  /**
   * Changes a dashboard while no other writer of the user does, and adds 1 to its revision. The edit may run again after a lost connection. AppError
   * `conflict` if the dashboard is not at the given revision and the edit changes it.
   */
  changeDashboard(id: string, edit: DashboardEdit, at: string, revision?: number): Promise<void>
  /** Charts stay. */
  removeDashboard(id: string): Promise<void>

  /** Last changed first, then by id. */
  charts(): Promise<readonly SavedChart[]>
  chart(id: string): Promise<SavedChart>
  addChart(chart: SavedChart): Promise<void>
  changeChart(id: string, change: ChartChange, at: string): Promise<void>
  /** Also removes it from the user's dashboards. */
  removeChart(id: string): Promise<void>
}
