import type { NamedSegment, SegmentChange, SegmentRecord } from '../core/workspace.ts'

/** The side schema's segments. */
export interface SegmentStore {
  /** Those whose id or name is one of these texts, in no order. */
  named(texts: readonly string[]): Promise<readonly NamedSegment[]>
  /** Names, ascending, at most `limit`. */
  names(limit: number): Promise<readonly string[]>
  /** All, the last changed first, then by id. */
  list(): Promise<readonly SegmentRecord[]>
  get(id: string): Promise<SegmentRecord | undefined>
  /** AppError `conflict` when the name is taken. */
  create(record: SegmentRecord): Promise<void>
  /** The record afterwards, undefined when there is none; AppError `conflict` when the name is taken. */
  update(id: string, change: SegmentChange, at: string): Promise<SegmentRecord | undefined>
  /** False when there was none. */
  delete(id: string): Promise<boolean>
}
