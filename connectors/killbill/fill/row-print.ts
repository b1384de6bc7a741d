import { type Fragment, ident, join, sql } from '../../../src/connector-kit/query-runner.ts'
import { identityOf, type Log } from './logs.ts'

/**
 * A number of 32 bits that identifies a row of a log, as far as the log's rows can be told apart. `alias` names the table. The function is
 * the server's own and need mean the same on that server only: another one that prints differently costs a filling.
 */
export function rowPrint(log: Log, alias: string, dialect: string): Fragment {
  const cells = identityOf(log).map((column) => sql`${ident(alias)}.${ident(column)}`)
  const [only] = cells
  const text = cells.length === 1 && only !== undefined ? only : sql`concat_ws('|', ${join(cells, sql`, `)})`
  return dialect === 'postgres' ? sql`coalesce(hashtext(${text}), 0)` : sql`coalesce(crc32(${text}), 0)`
}
