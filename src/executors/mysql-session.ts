import { type Limits, MEBIBYTE } from './options.ts'

export type MysqlVariant = 'mysql' | 'mariadb'

export const READ_VERSION = 'select @@version as version'
export const BEGIN = 'start transaction with consistent snapshot, read only'

// These are MySQL 8's own defaults as far as they concern reading. They are set so that no choice of a server changes a result: it has
// neither ANSI_QUOTES nor PIPES_AS_CONCAT, and grouping is as strict as on PostgreSQL.
const SQL_MODE = 'ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'

/** Which of the two servers answers with this version text. */
export function variantOf(version: string): MysqlVariant {
  return /mariadb/i.test(version) ? 'mariadb' : 'mysql'
}

/** Settings that a new connection must accept. */
export function sessionSettings(variant: MysqlVariant, limits: Limits): readonly string[] {
  const limitMs = Math.max(1, Math.ceil(limits.statementTimeoutMs))
  return [
    'set session transaction isolation level repeatable read, read only',
    "set @@session.time_zone = '+00:00'",
    `set @@session.sql_mode = '${SQL_MODE}'`,
    ...(variant === 'mariadb'
      ? [`set @@session.max_statement_time = ${limitMs / 1000}`]
      : [
          `set @@session.max_execution_time = ${limitMs}`,
          // 0 lets the server choose how far it looks ahead. By default it compares every order of up to 62 tables, which takes hours for a
          // statement that joins twenty.
          'set @@session.optimizer_search_depth = 0',
        ]),
  ]
}

/**
 * Settings that make statements faster and change no result; some servers reserve them to administrators. A window function reads its
 * temporary table in sorted order, and the whole statement takes twice as long when that table is on disk.
 */
export function memorySettings(limits: Limits): readonly string[] {
  const table = limits.sessionMemoryBytes
  const sort = Math.min(Math.floor(table / 4), 64 * MEBIBYTE)
  return [
    `set @@session.tmp_table_size = ${table}`,
    `set @@session.max_heap_table_size = ${table}`,
    `set @@session.sort_buffer_size = ${sort}`,
  ]
}
