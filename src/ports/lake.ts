/** Figures of the lake and of Trino since the process started. They are read from memory. */
export interface LakeFigures {
  /** The publication that answers. Null: none does. */
  readonly publication: { readonly made_at: string; readonly seconds: number | null; readonly rows: number } | null
  /** Queries that have ended, by code. `ok`: they have succeeded. */
  readonly queries: Readonly<Record<string, number>>
  /** Queries and steps that were sent again, by the code of the failure before. */
  readonly retries: Readonly<Record<string, number>>
}

/** The state of the lake, for a probe of readiness. */
export interface LakeCheck {
  /** True if questions are answered. */
  readonly ok: boolean
  /**
   * `stale`: the newest publication is of another version or other definitions and an older one answers, or the one that answers is too old. `none`:
   * there is none to answer.
   */
  readonly status: 'ready' | 'stale' | 'none'
  /** The id of the publication that answers. Null: there is none. */
  readonly publication: string | null
  /** The instant up to which its billing tables were surely complete. */
  readonly data_through: string | null
  readonly made_at: string | null
  readonly age_seconds: number | null
  /** Why the status is not `ready`. Absent if it is. */
  readonly reason?: string
}
