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

/** A JSON value, how to arrange it as a table, and what is known about it. */
export interface Answer {
  readonly data: unknown
  /** `page`: `{total, limit, offset, rows}`; as a table it is its rows. */
  readonly kind: 'scalar' | 'object' | 'rows' | 'page'
  /** Keys in order. For a scalar: its column in the list form. */
  readonly columns: readonly string[]
  /** All rows of a list without periods, shown or not. */
  readonly total?: number
  /** The day or the days (`<start>/<end>`) that the figures are compared with. */
  readonly compared_with?: string
  /** The column of a compared scalar in the list form. */
  readonly measure?: string
  readonly meta: {
    /** Instant up to which the snapshot is complete. Null: a replica whose lag is not known. */
    readonly data_through: string | null
    /** Hash of the resolved definitions, 12 hex digits. */
    readonly definitions: string
    readonly warnings: readonly Warning[]
    readonly base_currency: string
    /** The columns, in order. */
    readonly fields: readonly AnswerField[]
    readonly amounts: Amounts
    /** First and last day that the answer is about. Undefined: now. */
    readonly days?: Days | undefined
  }
}

/** A place among the large answers that one principal may have at a time. */
export interface LargePlace {
  /** Part of the key of a question: a retry with a taken place does not share an answer with a request without one. */
  readonly isTaken: boolean
  /** Takes the place if it is free. True if it is taken now. */
  take(): boolean
  /** Waits for the place and takes it. AppError `overloaded`. */
  wait(): Promise<void>
}

/** A large answer has no free place. The caller waits for one without a snapshot, because a waiting snapshot would hold a connection. */
export class PlaceNeeded extends AppError {
  constructor() {
    super('overloaded', 'More large answers are asked for than can be written at a time; ask again later.', {
      context: { retry_after: RETRY_SECONDS },
    })
  }
}

const RETRY_SECONDS = 5

/** An answer with more rows needs a place, because writing it takes much time and memory. */
export const LARGE_ROWS = 5_000

export interface AskOptions {
  readonly signal?: AbortSignal
  /** The place for a large answer. Absent: no place is needed. */
  readonly large?: LargePlace | undefined
  /**
   * Called before any database is asked, with the parts of the question that show or single out customers or vendors. The list is empty
   * for numbers alone. An error that it throws refuses the question.
   */
  readonly disclosing?: (names: readonly string[]) => void
  /** True if the caller has only the scope `read:aggregate`. Fields and refusals then name no attributes and no segment definitions. */
  readonly numbersOnly?: boolean
}

/** The place that an answer is read from: the billing database, or the copies in the cache. */
export type Source = 'replica' | 'cache'

export interface AnswerOptions extends AskOptions {
  /** `replica`: the cache does not hold the data. `cache`: an answer from the cache or none. */
  readonly source?: Source
  /** The instant that the answer is about. Set it if several answers must share one instant. Absent: the start of the snapshot. */
  readonly now?: Date
}

/** An answer before its snapshot is described. */
export type Shaped = Omit<Answer, 'meta'> & Pick<Answer['meta'], 'fields' | 'amounts' | 'days'>
