import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api'
import type { TableDialect } from '../../compiler/dialect.ts'
import { quoted } from '../../compiler/literal.ts'
import type { Statement } from '../../compiler/statement.ts'
import { InternalError } from '../../core/errors.ts'
import { eachInSlices } from '../../core/slices.ts'
import type { CacheWriter, ScratchWriter } from '../../ports/cache-database.ts'
import type { Row } from '../../ports/rows.ts'
import { boundValues, rowsOf, send } from './session.ts'
import { appendCell } from './values.ts'

const IDENTIFIER = /^[a-z][a-z0-9_]*$/

/** The writer of a cache's database, over its connection for writing. `directory` is the folder of the files that it loads. */
export function createWriter(connection: DuckDBConnection, dialect: TableDialect): CacheWriter {
  return {
    dialect,
    query: (statement) => send(connection, statement),
    async append(table, columns, rows, database) {
      const appender = await connection.createAppender(table, 'main', database ?? null)
      try {
        await eachInSlices(rows, (row) => {
          for (const { name, type } of columns) appendCell(appender, row[name] ?? null, type)
          appender.endRow()
        })
        appender.flushSync()
      } finally {
        appender.closeSync()
      }
    },
    async load(table, file) {
      if (!IDENTIFIER.test(table)) throw new InternalError(`not a table: ${table}`)
      const result = await connection.run(
        `copy work.${table} from ${quoted(file)} (format csv, header false, nullstr '', allow_quoted_nulls false, auto_detect false, delim ',', new_line '\\n', quote '"', escape '"')`,
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

/** Most statements whose plans are kept. A mirror has about a hundred. */
const MOST_PLANS = 500

/**
 * The optimizers that look at the rows of tables when they make a plan: such a plan loses rows once the tables have others. The others
 * look at the statement. They use the number of rows only to choose a faster plan.
 */
const LOOK_AT_ROWS = ['statistics_propagation', 'compressed_materialization', 'row_group_pruner']

/** An optimizer that costs more than it saves over a few rows: each join would first collect the bounds of its keys. */
const FOR_MANY_ROWS = ['join_filter_pushdown']

/** The settings of a scratch database. Its writer may keep plans only with these. */
export const SCRATCH_SETTINGS: readonly string[] = [
  'set threads = 1',
  `set disabled_optimizers = '${[...LOOK_AT_ROWS, ...FOR_MANY_ROWS].join(',')}'`,
]

/** The writer of a scratch database, over a connection to an instance with SCRATCH_SETTINGS. */
export function createScratchWriter(connection: DuckDBConnection, dialect: TableDialect): ScratchWriter {
  const plans = new Map<string, DuckDBPreparedStatement>()
  const forget = (text: string): void => {
    plans.get(text)?.destroySync()
    plans.delete(text)
  }
  const planOf = async (text: string): Promise<DuckDBPreparedStatement> => {
    const known = plans.get(text)
    const plan = known ?? (await connection.prepare(text))
    plans.delete(text)
    plans.set(text, plan)
    const [oldest] = plans.keys()
    if (plans.size > MOST_PLANS && oldest !== undefined) forget(oldest)
    return plan
  }
  const query = async ({ text, values }: Statement): Promise<readonly Row[]> => {
    const plan = await planOf(text)
    try {
      if (values.length > 0) plan.bind(boundValues(values))
      return await rowsOf(await plan.run())
    } catch (error) {
      forget(text)
      throw error
    }
  }
  return {
    ...createWriter(connection, dialect),
    query,
    async undone(work) {
      await connection.run('begin transaction')
      try {
        return await work()
      } finally {
        await connection.run('rollback')
      }
    },
  }
}
