import type { Dated } from './attribute.ts'

/** The owner of stored records. Services that share a side store but serve different sources do not see each other's records. */
export interface Workspace {
  /** At most 64 characters. */
  readonly name: string
  /** The sources (tenants) that the service serves. */
  readonly source_ids: readonly string[]
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** True for text with the form of a record id. Other text is never looked up, because not every database could compare it. */
export function isRecordId(text: string): boolean {
  return UUID.test(text)
}

/** A saved group of customers (http-api.md 6). `definition` is stored as sent. */
export interface SegmentRecord extends Dated {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly definition: unknown
  readonly created_by: string | null
}

/** The part of a segment that queries use. */
export type NamedSegment = Pick<SegmentRecord, 'id' | 'name' | 'definition'>

/** Changes of a segment. Omitted fields stay unchanged. */
export type SegmentChange = Partial<Pick<SegmentRecord, 'name' | 'description' | 'definition'>>

/** The readers of a dashboard: its owner alone, or also the others of the workspace. */
export const VISIBILITIES = ['private', 'workspace'] as const
export type Visibility = (typeof VISIBILITIES)[number]

/** Somebody who reads and changes dashboards. */
export interface Viewer {
  /** The viewer's own records are stored under it. */
  readonly id: string
  /** Name that others see as the owner of the viewer's dashboards. */
  readonly name: string | null
  /** The dashboards that the viewer sees: its own, also those that are visible to the workspace, or all. */
  readonly sees: 'own' | 'workspace' | 'all'
  /** True if the viewer may change dashboards of others that it sees. */
  readonly isAdministrator: boolean
}

/** A viewer who sees only its own dashboards. */
export function viewerOfOwn(id: string): Viewer {
  return { id, name: null, sees: 'own', isAdministrator: false }
}

/** A dashboard of a user (http-api.md 10). */
export interface DashboardRecord extends Dated {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly visibility: Visibility
  /** Name of the owner. Null: it is not known. */
  readonly owner: string | null
  /** True if the viewer is the owner. */
  readonly is_own: boolean
  /** Number of its changes, from 1. */
  readonly revision: number
}

/** A dashboard with its sections and the charts in them, in no order. */
export interface DashboardDocument extends DashboardRecord {
  readonly sections: readonly DashboardSection[]
  readonly charts: readonly ChartPlacement[]
}

/** A section of a dashboard, with a heading. */
export interface DashboardSection {
  readonly id: string
  readonly title: string
  /** Sections of a dashboard and charts of a section are sorted by position, then by id. */
  readonly position: number
}

/** A chart on a dashboard. */
export interface ChartPlacement {
  readonly id: string
  readonly saved_chart_id: string
  readonly section_id: string
  readonly position: number
}

/** A saved query and how its result is drawn. `config` is free-form JSON of the caller. */
export interface SavedChart extends Dated {
  readonly id: string
  readonly name: string
  readonly config: Readonly<Record<string, unknown>>
}

/** Changes. Omitted fields stay unchanged. */
export type DashboardChange = Partial<Pick<DashboardRecord, 'name' | 'description' | 'visibility'>>
export type SectionChange = Partial<Pick<DashboardSection, 'title' | 'position'>>
export type PlacementChange = Partial<Pick<ChartPlacement, 'section_id' | 'position'>>
export type ChartChange = Partial<Pick<SavedChart, 'name' | 'config'>>

/** Most dashboards and charts of a user, and most sections and charts of a dashboard. */
export const DASHBOARD_LIMITS = { dashboards: 100, charts: 500, sections: 100, placements: 200 } as const
