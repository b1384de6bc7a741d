import type { TableDialect } from '../compiler/dialect.ts'
import type { DeclaredType } from '../compiler/inline.ts'
import type { Statement } from '../compiler/statement.ts'
import type { Executor } from './executor.ts'
import type { Row } from './rows.ts'

/** The type of a column of the cache. */
export type CacheType = DeclaredType

export interface CacheColumn {
  readonly name: string
  readonly type: CacheType
}

/** The place of growing rows. Bytes. */
export interface CacheRoom {
  /**
   * `file`: the disk of the file. `memory`: memory, and the disk of `directory` beyond it. `machine`: memory that this machine does not have, so
   * nothing would go to the disk.
   */
  readonly place: 'file' | 'memory' | 'machine'
  /** The directory of the disk. */
  readonly directory: string
  readonly taken: number
  readonly free: number
}

/**
 * The cache's own database, private to this process. Its tables are in the main schema. A second database in memory, `work`, holds tables
 * that a writer needs for a moment. Names are looked up in the main schema first, then in `work`.
 */
export interface CacheDatabase {
  /** For reading. Each snapshot sees the data committed before it began. */
  readonly reader: Executor
  /** A folder that only this user can read. The database reads files from no other folder. */
  readonly directory: string
  /** The file that outlives the process. Null for a database in memory. */
  readonly file: string | null
  /** Runs `work` on the writer's connection, after the works before it. */
  write<T>(work: (writer: CacheWriter) => Promise<T>): Promise<T>
  /** The room of the held rows, or of the tables in `work`. */
  room(rows: 'held' | 'work'): Promise<CacheRoom>
  /**
   * Writes the tables of the main schema, at one moment, into a new database: a file in `directory`, to which it resolves. Other work goes on
   * meanwhile. Rejects with the signal's reason, and leaves no file then.
   */
  copy(signal?: AbortSignal): Promise<string>
  /** A small database apart from this one, opened at its first use and closed with this one. It is for the works of `write` only. */
  scratch(): Promise<ScratchWriter>
  close(): Promise<void>
  /** Closes it, and removes its file. */
  discard(): Promise<void>
}

/** A copy of a cache's database for another process. */
export interface DatabaseCopy {
  /** The directory that a process with the same configuration has below its `cache.directory`. */
  readonly directory: string
  readonly bytes: number
}

/** The databases of one cache, of which at most one outlives the process. */
export interface CacheFiles {
  /**
   * The database of an earlier process. Null if there is none, or if another process has it open. Unless `isKept`, it waits some seconds for
   * the other process, and removes files that cannot be opened. `onUnused` receives the reason why a database cannot be used, as the end of a sentence.
   */
  open(options: { readonly isKept: boolean; readonly onUnused?: (why: string) => void }): Promise<CacheDatabase | null>
  /**
   * An empty database, in a file if the directory can be used, else in memory. With `mayRemove`, the files of ended processes are removed. Without
   * it, the database is in memory if there is a file. With `inMemory`, it is in memory.
   */
  create(options: { readonly mayRemove: boolean; readonly inMemory?: boolean }): Promise<CacheDatabase>
  /** Removes the files of all other databases. */
  keepOnly(database: CacheDatabase): Promise<void>
  /**
   * Copies a database into a directory that does not exist or is empty. All or nothing: a copy that is not complete is under another name, and is
   * removed if the copy fails or the signal fires. AppError `invalid_value` for a directory that cannot be used, `conflict` without room.
   */
  copy(database: CacheDatabase, directory: string, signal?: AbortSignal): Promise<DatabaseCopy>
  /** Removes the files of all databases that this process does not have open. AppError `conflict` if another process has one open. */
  removeAll(): Promise<void>
}

export interface CacheWriter {
  readonly dialect: TableDialect
  query(statement: Statement): Promise<readonly Row[]>
  /** Appends rows to a table of the main schema or, with `work`, of that database. Cells by column name. Other work goes on between the rows. */
  append(table: string, columns: readonly CacheColumn[], rows: Iterable<Row>, database?: 'work'): Promise<void>
  /** Appends the rows of a CSV file (Snapshot.csv) in `directory` to a table of `work`. Resolves to the number of rows. */
  load(table: string, file: string): Promise<number>
  /** Runs `work` in one transaction, all or nothing. A transaction writes to the main schema or to `work`, not to both. */
  transaction<T>(work: () => Promise<T>): Promise<T>
}

/**
 * The writer of a database in memory with a few rows that are needed for a moment. It plans a statement once and then runs the plan on the
 * rows of each time, on one thread: planning costs more than a run over a few rows.
 */
export interface ScratchWriter extends CacheWriter {
  /** Runs `work` in one transaction, and then removes all rows that it has written. */
  undone<T>(work: () => Promise<T>): Promise<T>
}
