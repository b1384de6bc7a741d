import type { Dated } from './attribute.ts'

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
