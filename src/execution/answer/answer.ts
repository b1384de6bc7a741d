import { AppError } from '../../core/errors.ts'
import type { Warning } from '../../query/warning.ts'

/** A column of an answer: what it holds and means. */
export interface AnswerField {
  readonly name: string
  readonly holds: 'amount' | 'day' | 'instant' | 'other'
  readonly description: string
}

/** How the amounts of an answer are written. */
export interface Amounts {
  /** Whole cents, or decimal text in units. */
  readonly unit: 'cents' | 'units'
  /** Base currency, or `original`: of the currency that a row names, but for `*_base_cents`. */
  readonly currency: string
}

/** Days `YYYY-MM-DD`, both included. */
export interface Days {
  readonly start: string
  readonly end: string
}

/** What a query answers: a JSON value, how to lay it out as a table, and what is known about it. */
export interface Answer {
  readonly data: unknown
  /** `page`: `{total, limit, offset, rows}`; as a table it is its rows. */
  readonly kind: 'scalar' | 'object' | 'rows' | 'page'
  /** Keys in order; for a scalar the name it has in the list form. */
  readonly columns: readonly string[]
  /** Rows there are, shown or not: of a list without periods. */
  readonly total?: number
  /** The day or the days (`<start>/<end>`) that the figures are compared with, and of a scalar compared the name that it has in the list form. */
  readonly compared_with?: string
  readonly measure?: string
  readonly meta: {
    /** Instant up to which the snapshot is complete; null where that is not known of a replica. */
    readonly data_through: string | null
    /** Hash of the resolved definitions, 12 hex digits. */
    readonly definitions: string
    readonly warnings: readonly Warning[]
    readonly base_currency: string
    /** The columns, in order. */
    readonly fields: readonly AnswerField[]
    readonly amounts: Amounts
    /** First and last day that the answer is about; undefined where it is about now. */
    readonly days?: Days | undefined
  }
}

/** A place among the large answers that one principal may have at a time. */
export interface LargePlace {
  /** Whether it has been taken; a question that is asked again with it is another question. */
  readonly isTaken: boolean
  /** Takes it if that can be done at once; true where it is taken. */
  take(): boolean
  /** Waits until it is taken. AppError `overloaded`. */
  wait(): Promise<void>
}

/** The answer is large and its place is not free: who waits for one must not keep a snapshot open. */
export class PlaceNeeded extends AppError {
  constructor() {
    super('overloaded', 'More large answers are asked for than can be written at a time; ask again later.', {
      context: { retry_after: RETRY_SECONDS },
    })
  }
}

const RETRY_SECONDS = 5

/** An answer of more rows needs a place: it takes long to write and much memory. */
export const LARGE_ROWS = 5_000

export interface AskOptions {
  readonly signal?: AbortSignal
  /** What large answers need; absent: nothing. */
  readonly large?: LargePlace | undefined
  /**
   * Told before anything is asked what of the question shows or singles out customers or vendors; nothing where only numbers do. What it
   * throws refuses the question.
   */
  readonly disclosing?: (names: readonly string[]) => void
  /** The caller sees numbers only: names of attributes and what segments are made of stay out of fields and refusals. */
  readonly numbersOnly?: boolean
}
