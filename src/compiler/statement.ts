/** A statement for a driver. `label` is in a leading comment, so that a DBA finds the statement in the slow log. */
export interface Statement {
  readonly text: string
  readonly values: readonly (string | number | boolean | null)[]
  readonly label: string
  /** The schema of names without one. Only Trino takes it. Absent: the schema of the address. */
  readonly place?: { readonly catalog: string; readonly schema: string } | undefined
  /** Called with the work of the statement after its last row. Only Trino reports it. */
  readonly onCost?: (cost: StatementCost) => void
}

/** The work of a statement, as its server counts it. */
export interface StatementCost {
  /** Bytes and rows that it read. */
  readonly bytes_read: number
  readonly rows_read: number
  /** Milliseconds of all processors together. */
  readonly cpu_ms: number
  readonly peak_memory_bytes: number
}
