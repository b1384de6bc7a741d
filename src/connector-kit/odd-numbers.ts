import { AppError } from '../core/errors.ts'
import type { CheckFinding, SnapshotSource } from './connector.ts'
import { createQueryRunner, type Fragment, ident, parseInteger, sql, text } from './query-runner.ts'

/** A column of numbers, and the rows `t` of its table that belong to the sources. */
export interface NumberColumn {
  readonly table: string
  readonly column: string
  /** Column that names a row in a message. */
  readonly key: string
  readonly where: Fragment
}

const finding = (level: CheckFinding['level'], message: string): CheckFinding => ({ name: 'amounts', level, message })

/**
 * Columns in which a number is NaN or infinite. PostgreSQL accepts such numbers, and the billing engine never writes them. Reads the tables to their
 * ends.
 */
export async function oddNumberFindings(
  source: SnapshotSource,
  connector: string,
  columns: readonly NumberColumn[],
): Promise<readonly CheckFinding[]> {
  const found: CheckFinding[] = []
  for (const { table, column, key, where } of columns) {
    const number = sql`t.${ident(column)}`
    const counted = await source
      .withSnapshot((snapshot) =>
        createQueryRunner(snapshot)(
          `${connector}.amounts.${table}.${column}`,
          sql`select t.${ident(key)} as row_key, count(*) over () as odd_rows from ${ident(table)} as t
            where ${where} and cast(${number} as varchar(30)) in ('NaN', 'Infinity', '-Infinity')
            order by t.${ident(key)} limit 1`,
        ),
      )
      .catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'query_timeout') return undefined
        throw error
      })
    const [row] = counted ?? []
    if (counted === undefined) found.push(finding('warning', `${table}.${column} was not read to its end: it took too long`))
    else if (row !== undefined)
      found.push(
        finding(
          'failure',
          `${table}.${column} is NaN or infinite in ${parseInteger(row['odd_rows'])} rows, the first with ${key} ${text(row['row_key'])}`,
        ),
      )
  }
  return found.length > 0 ? found : [finding('ok', `no amount is NaN or infinite (${columns.length} columns)`)]
}
