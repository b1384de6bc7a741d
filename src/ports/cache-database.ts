import type { Dialect } from '../compiler/dialect.ts'
import type { InlineColumn } from '../compiler/inline.ts'
import type { Statement } from '../compiler/statement.ts'
import type { Executor } from './executor.ts'
import type { Row } from './rows.ts'

/** The cache's own database, private to this process and disposable. */
export interface CacheDatabase {
  /** For reading. Each snapshot sees the data committed before it began. */
  readonly reader: Executor
  /** Runs `work` in one transaction, all or nothing. One writer at a time. */
  write<T>(work: (writer: CacheWriter) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface CacheWriter {
  readonly dialect: Dialect
  query(statement: Statement): Promise<readonly Row[]>
  /** Appends rows to a table, cells by column name. */
  append(table: string, columns: readonly InlineColumn[], rows: Iterable<Row>): Promise<void>
}
