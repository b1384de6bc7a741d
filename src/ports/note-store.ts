import type { Dated } from '../core/attribute.ts'

/** A remark on a day. It never changes a number. Without `metric` it is about all metrics, without `tenant` about all tenants. */
export interface NoteRecord extends Dated {
  readonly id: string
  readonly day: string
  readonly text: string
  readonly metric: string | null
  readonly tenant: string | null
  readonly created_by: string | null
}

/** Changes of a note. Omitted fields stay unchanged. */
export type NoteChange = Partial<Pick<NoteRecord, 'day' | 'text' | 'metric' | 'tenant'>>

/** Selects notes. Days are `YYYY-MM-DD`, both included. Notes without a metric belong to every metric. */
export interface NoteSelection {
  readonly start?: string | undefined
  readonly end?: string | undefined
  readonly metrics?: readonly string[] | undefined
}

/** The side schema's notes. */
export interface NoteStore {
  /** By day, then in the order of their creation. */
  list(selection?: NoteSelection): Promise<readonly NoteRecord[]>
  get(id: string): Promise<NoteRecord | undefined>
  /** AppError `validation_failed` at the limit. */
  create(record: NoteRecord): Promise<void>
  /** The changed record. Undefined if no note has this id. */
  update(id: string, change: NoteChange, at: string): Promise<NoteRecord | undefined>
  /** False if no note has this id. */
  delete(id: string): Promise<boolean>
}

/** Most notes of a workspace. */
export const MOST_NOTES = 5_000
