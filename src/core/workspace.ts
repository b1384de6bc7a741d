import type { Dated } from './attribute.ts'

/** Whose a stored thing is: services that share a side store, but serve other sources, see nothing of each other. */
export interface Workspace {
  /** At most 64 characters. */
  readonly name: string
  /** The sources (tenants) that the service serves now. */
  readonly source_ids: readonly string[]
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** True for text that an id of a stored record can be. No other needs to be looked for, and not every database could. */
export function isRecordId(text: string): boolean {
  return UUID.test(text)
}

/** A saved group of customers (http-api.md 6). `definition` is what was sent. */
export interface SegmentRecord extends Dated {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly definition: unknown
  readonly created_by: string | null
}

/** A segment as a request uses it. */
export type NamedSegment = Pick<SegmentRecord, 'id' | 'name' | 'definition'>

/** What can be changed of a segment; absent stays as it is. */
export type SegmentChange = Partial<Pick<SegmentRecord, 'name' | 'description' | 'definition'>>

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
