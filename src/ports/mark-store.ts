import type { FindingMark } from '../core/finding-mark.ts'

/** The marks of findings and notices of a workspace. */
export interface MarkStore {
  /** All marks, newest first, then by id. */
  list(): Promise<readonly FindingMark[]>
  /**
   * Stores a mark. It takes the place of an earlier mark of the same finding or notice, and keeps its id. Returns the stored mark. AppError
   * `validation_failed` if the workspace has as many marks as it may have.
   */
  put(mark: FindingMark): Promise<FindingMark>
  /** False if no mark has this id. */
  delete(id: string): Promise<boolean>
}
