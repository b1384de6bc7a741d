import type { FieldType } from '../query/field.ts'
import type { Warning } from '../query/warning.ts'
import type { CacheState } from './read-through.ts'

/** What a query answers: a JSON value, how to lay it out as a table, and what is known about it. */
export interface Answer {
  readonly data: unknown
  /** `page`: `{total, limit, offset, rows}`; as a table it is its rows. */
  readonly kind: 'scalar' | 'object' | 'rows' | 'page'
  /** Keys in order; for a scalar the name it has in the list form. */
  readonly columns: readonly string[]
  readonly meta: {
    /** Instant up to which the snapshot is complete. */
    readonly data_through: string
    /** Hash of the resolved definitions, 12 hex digits. */
    readonly definitions: string
    readonly warnings: readonly Warning[]
    readonly base_currency: string
  }
}

/** What a metric offers; `partial` among the warnings where the side store could not be asked for its attributes. */
export interface FieldsAnswer {
  readonly data: MetricFields
  readonly meta: Pick<Answer['meta'], 'warnings'>
}

export interface MetricFields {
  readonly dimensions: readonly {
    readonly key: string
    readonly label: string
    readonly type: FieldType
    readonly queries: readonly string[]
  }[]
  readonly time_dimensions: readonly { readonly key: string; readonly label: string }[]
  readonly attributes: readonly {
    readonly key: string
    readonly label: string
    readonly type: FieldType
    readonly source: string
    readonly description?: string
  }[]
  readonly filters: readonly {
    readonly key: string
    readonly label: string
    readonly type: FieldType
    readonly operators: readonly string[]
  }[]
  readonly query_types: readonly string[]
}

/** Body of /readyz (http-api.md 11). */
export interface Readiness {
  readonly status: 'ok' | 'unavailable'
  readonly checks: {
    readonly replica: {
      readonly ok: boolean
      readonly role: 'replica' | 'primary' | 'unknown'
      readonly lag_seconds: number | null
      readonly version: string | null
      readonly schema: string | null
    }
    readonly store: { readonly ok: boolean | null }
    /** Absent where answers never come from a cache. */
    readonly cache?: CacheState
  }
}

export type RawInput = Readonly<Record<string, unknown>>

export interface AskOptions {
  readonly signal?: AbortSignal
}

/** Answer of /api/segments/validate (http-api.md 6.3). */
export interface SegmentVerdict {
  readonly valid: boolean
  readonly errors: readonly string[]
  readonly errors_by_metric: Readonly<Record<string, readonly string[]>>
}

/** What can be listed from the billing engine (http-api.md 5). */
export type ListName = 'customers' | 'subscriptions' | 'invoices'
