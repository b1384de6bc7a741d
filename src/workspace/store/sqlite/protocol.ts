/** Values that can be bound to a statement or appear in its rows. */
export type SqliteValue = string | number | null

/** How a connection's thread opens its file. */
export interface SqliteOpening {
  readonly file: string
  /** How long a statement waits for another writer, in milliseconds. */
  readonly busyMs: number
}

/** Messages to a connection's thread, which handles them one after the other. */
export type SqliteRequest =
  | { readonly kind: 'run'; readonly sql: string; readonly bindings: readonly SqliteValue[] }
  | { readonly kind: 'close' }

/** Messages from the thread: rows as they arrive, then the result or the failure. The first message answers the opening. */
export type SqliteReply =
  | { readonly kind: 'rows'; readonly rows: readonly object[] }
  | { readonly kind: 'done'; readonly changes: number }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
