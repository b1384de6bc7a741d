import type { Dated } from '../core/attribute.ts'
import type { CsvForm } from '../core/csv-form.ts'

/** The number that a goal is for: a measure of a query, for the customers that the filters leave. */
export interface GoalSubjectKey {
  readonly metric: string
  readonly query_type: string
  readonly measure: string
  /** `key=value` each, sorted. */
  readonly filter: readonly string[]
}

/** A number to reach in a month `2026-10` or a quarter `2026-Q4`. `currency` is that of an amount; null for other numbers. */
export interface GoalRecord extends GoalSubjectKey, Dated {
  readonly id: string
  readonly period: string
  /** Cents of the currency, a fraction (0.05 is 5 %), a ratio or a count. */
  readonly value: number
  readonly currency: string | null
  readonly created_by: string | null
}

/** The side schema's goals. A number has one goal in a period. */
export interface GoalStore {
  /** By metric, query type, measure and filters, then by period. */
  list(): Promise<readonly GoalRecord[]>
  get(id: string): Promise<GoalRecord | undefined>
  /** AppError `conflict` if the number has a goal for the period, `validation_failed` at the limit. */
  create(record: GoalRecord): Promise<void>
  /** The changed record. Undefined if no goal has this id. */
  update(id: string, change: Pick<GoalRecord, 'value' | 'currency'>, at: string): Promise<GoalRecord | undefined>
  /**
   * Creates goals, and changes the values of those that exist, in one transaction. Without `isWritten` it only tells what it would do. AppError
   * `validation_failed` at the limit.
   */
  put(records: readonly GoalRecord[], isWritten: boolean): Promise<GoalCounts>
  /** False if no goal has this id. */
  delete(id: string): Promise<boolean>
}

/** Numbers of goals that an import creates, changes and finds unchanged. */
export interface GoalCounts {
  readonly created: number
  readonly changed: number
  readonly unchanged: number
}

/** Most goals of a workspace. */
export const MOST_GOALS = 5_000

/** Options of an import of goals. With `dry_run` nothing is written. */
export interface GoalImportOptions extends CsvForm {
  readonly dry_run?: boolean | undefined
}

/** A row of a file of goals: the texts of its cells. `row` counts from 1 after the header. */
export interface GoalRow {
  readonly row: number
  readonly metric: string
  readonly query_type: string
  readonly period: string
  /** With a decimal point. */
  readonly value: string
}

/** Reads the rows of a CSV file of goals. AppError `invalid_csv`, `payload_too_large`. */
export type ReadGoals = (file: AsyncIterable<string | Uint8Array>, form: CsvForm) => AsyncIterable<GoalRow>
