import type { ColumnTraits } from '../../core/column.ts'
import type { Definitions } from '../../core/definitions.ts'
import { AppError } from '../../core/errors.ts'
import type { Warning } from '../../query/warning.ts'
import type { Explanation } from '../explain/explanation.ts'

/** A column of an answer: what it holds and means, and the attributes that it declares. */
export interface AnswerField extends Partial<ColumnTraits> {
  readonly name: string
  /** Display name. */
  readonly label: string
  readonly holds: 'amount' | 'day' | 'instant' | 'other'
  readonly description: string
}

/** How the amounts of an answer are written. */
export interface Amounts {
  /** Whole cents, or decimal text in units. */
  readonly unit: 'cents' | 'units'
  /** Base currency, or `original`: each row names its own currency, except that `*_base_cents` is in the base currency. */
  readonly currency: string
}

/** Days `YYYY-MM-DD`, both included. */
export interface Days {
  readonly start: string
  readonly end: string
}

/** Rows of an answer as a table. */
export interface TableOfAnswer extends Pick<Answer, 'data' | 'kind' | 'columns'> {
  readonly fields: readonly AnswerField[]
}

/** A JSON value, its layout as a table, and its metadata. */
export interface Answer {
  readonly data: unknown
  /** `page` is `{total, limit, offset, rows}`. As a table it shows only `rows`. */
  readonly kind: 'scalar' | 'object' | 'rows' | 'page'
  /** Column names in order. A scalar has one: the name of its column in a list. */
  readonly columns: readonly string[]
  /** The table in CSV and in workbooks, if it is another than that of `data`. */
  readonly file?: TableOfAnswer
  /** Number of rows on all pages, for a list without periods. */
  readonly total?: number
  /** The day or the days (`<start>/<end>`) that the figures are compared with. */
  readonly compared_with?: string
  /** For a compared scalar: the name of its column in a list. */
  readonly measure?: string
  /** How the answer was made, if the request asks for it. */
  readonly explanation?: Explanation
  readonly meta: {
    /** Instant up to which the snapshot is complete. Null: a replica whose lag is not known. */
    readonly data_through: string | null
    /** Hash of the resolved definitions, 12 hex digits. */
    readonly definitions: string
    readonly warnings: readonly Warning[]
    readonly base_currency: string
    /** Absent in UTC. */
    readonly time_zone?: string
    /** The columns, in order. */
    readonly fields: readonly AnswerField[]
    readonly amounts: Amounts
    /** First and last day that the answer is about. Undefined: now. */
    readonly days?: Days | undefined
  }
}

/** A place for a large answer. Each principal has a limited number of places. */
export interface LargePlace {
  /** Part of the question's key, so that a retry that has its place never joins a request that has none. */
  readonly isTaken: boolean
  /** Takes the place if it is free. Returns whether the place is now taken. */
  take(): boolean
  /** Waits for the place and takes it. AppError `overloaded`. */
  wait(): Promise<void>
}

/** The data that an answer is read from: the billing database, or its copy in the cache. */
export type Source = 'replica' | 'cache'

/** Where an answer was read, and why not elsewhere. */
export interface Origin {
  readonly source: Source
  /** The service of this machine that gave the answer, and the instant of its start. Absent: this process gave it. */
  readonly service?: { readonly pid: number; readonly since: string }
  /** True if this process has opened the cache that an earlier one has left. */
  readonly isStored?: boolean
  /** Why this process uses no cache that an earlier one has left, as the end of a sentence. Absent if it has not looked for one. */
  readonly unstored?: string
  /** Why no service gave the answer, as the end of a sentence. Absent if none was asked. */
  readonly alone?: string
}

/** No place is free for a large answer. The caller waits without a snapshot, because a snapshot would hold a connection. */
export class PlaceNeeded extends AppError {
  constructor() {
    super('overloaded', 'More large answers are asked for than can be written at a time; ask again later.', {
      context: { retry_after: RETRY_SECONDS },
    })
  }
}

const RETRY_SECONDS = 5

/** An answer with more rows than this needs a place, because writing it takes much time and memory. */
export const LARGE_ROWS = 5_000

export interface AskOptions {
  readonly signal?: AbortSignal
  /** The place for a large answer. Absent: no place is needed. */
  readonly large?: LargePlace | undefined
  /**
   * Called before any database is asked, with the parts of the question that show or identify customers or vendors. The list is
   * empty if the question asks only for totals. If the function throws, the question is refused.
   */
  readonly disclosing?: (names: readonly string[]) => void
  /** True if the caller has only the scope `read:aggregate`. Fields and refusals then name no attributes and no segment definitions. */
  readonly numbersOnly?: boolean
  /** Opens the cache that an earlier process has left. Called before the cache is read. */
  readonly openCache?: () => Promise<void>
  /**
   * Called once before a level is read from the billing database, if that may exceed the time limit of a statement. The text says so and what to
   * set. It is not called for an answer that is shared with an equal request.
   */
  readonly onStraight?: (text: string) => void
  /** Called before the answer is returned. */
  readonly onOrigin?: (origin: Origin) => void
}

export interface AnswerOptions extends AskOptions {
  /**
   * `replica`: reads the billing database, because the cache does not hold the data. `cache`: reads the cache and fails if it
   * cannot answer.
   */
  readonly source?: Source
  /** The definitions of the answer. Absent: those of the configuration. */
  readonly definitions?: Definitions
  /** The instant that the answer is about. Set it if several answers must share one instant. Absent: the start of the snapshot. */
  readonly now?: Date
}

/** An answer before its snapshot is described. */
export type Shaped = Omit<Answer, 'meta' | 'explanation'> & Pick<Answer['meta'], 'fields' | 'amounts' | 'days'>
