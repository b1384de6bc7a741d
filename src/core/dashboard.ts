import type { Dated } from './attribute.ts'

/** A user's page of charts (http-api.md 10). */
export interface DashboardRecord extends Dated {
  readonly id: string
  readonly name: string
  readonly description: string | null
}

/** A part of a dashboard under a heading. */
export interface DashboardSection {
  readonly id: string
  readonly title: string
  /** Sections of a dashboard, and charts of a section, stand by their positions, then by id. */
  readonly position: number
}

/** A chart in its place on a dashboard. */
export interface ChartPlacement {
  readonly id: string
  readonly saved_chart_id: string
  readonly section_id: string
  readonly position: number
}

/** A question and how its answer is drawn; what `config` says is the caller's own. */
export interface SavedChart extends Dated {
  readonly id: string
  readonly name: string
  readonly config: Readonly<Record<string, unknown>>
}

/** What can be changed; absent stays as it is. */
export type DashboardChange = Partial<Pick<DashboardRecord, 'name' | 'description'>>
export type SectionChange = Partial<Pick<DashboardSection, 'title' | 'position'>>
export type PlacementChange = Partial<Pick<ChartPlacement, 'section_id' | 'position'>>
export type ChartChange = Partial<Pick<SavedChart, 'name' | 'config'>>

/** Most that a user has of dashboards and charts, and a dashboard of sections and charts. */
export const DASHBOARD_LIMITS = { dashboards: 100, charts: 500, sections: 100, placements: 200 } as const
