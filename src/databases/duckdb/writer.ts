import type { DuckDBConnection } from '@duckdb/node-api'
import type { Dialect } from '../../compiler/dialect.ts'
import { InternalError } from '../../core/errors.ts'
import type { CacheWriter } from '../../ports/cache-database.ts'
import { send } from './session.ts'
import { appendCell } from './values.ts'

const IDENTIFIER = /^[a-z][a-z0-9_]*$/

/** The writer of a cache's database, over its connection for writing. `directory` is the folder of the files that it loads. */
export function createWriter(connection: DuckDBConnection, dialect: Dialect): CacheWriter {
  return {
    dialect,
    query: (statement) => send(connection, statement),
    async append(table, columns, rows, database) {
      const appender = await connection.createAppender(table, 'main', database ?? null)
      try {
        for (const row of rows) {
          for (const { name, type } of columns) appendCell(appender, row[name] ?? null, type)
          appender.endRow()
        }
        appender.flushSync()
      } finally {
        appender.closeSync()
      }
    },
    async load(table, file) {
      if (!IDENTIFIER.test(table)) throw new InternalError(`not a table: ${table}`)
      const result = await connection.run(
        `copy work.${table} from '${file.replaceAll("'", "''")}' (format csv, header false, nullstr '', allow_quoted_nulls false, auto_detect false, delim ',', new_line '\\n', quote '"', escape '"')`,
      )
      return result.rowsChanged
    },
    async transaction(work) {
      await connection.run('begin transaction')
      try {
        const result = await work()
        await connection.run('commit')
        return result
      } catch (error) {
        await connection.run('rollback').catch(() => {})
        throw error
      }
    },
  }
}
