import { AppError } from '../../core/errors.ts'
import type { Snapshot } from '../../ports/snapshot.ts'
import type { CopiedTable } from './copy.ts'

/** Tables that one statement reads. */
const TOGETHER = 10

/** The tables in which several rows have the same key: a tool has written each change as a further row. `selects` are the rows of each table. */
export async function changeLogs(
  snapshot: Snapshot,
  tables: readonly CopiedTable[],
  selects: ReadonlyMap<string, string>,
  key: string,
): Promise<readonly string[]> {
  const questions = tables.flatMap(({ name, columns }) => {
    const select = selects.get(name)
    if (select === undefined || !columns.some((column) => column.name === key)) return []
    return [
      `select '${name}' as table_name from (select ${key} from (${select}) as copied group by ${key} having count(*) > 1 limit 1)`,
    ]
  })
  const found: string[] = []
  for (let from = 0; from < questions.length; from += TOGETHER) {
    const text = questions.slice(from, from + TOGETHER).join('\nunion all\n')
    const rows = await snapshot.query({ text, values: [], label: 'lake.logs' })
    found.push(...rows.map((row) => String(row['table_name'])))
  }
  return found.sort()
}

/** AppError `unsupported_by_connector` names the tables that are logs of changes. */
export async function refuseLogs(...[snapshot, tables, selects, key]: Parameters<typeof changeLogs>): Promise<void> {
  const logs = await changeLogs(snapshot, tables, selects, key)
  if (logs.length > 0) throw logsError(logs, key)
}

/** The refusal of tables that are logs of changes. */
export function logsError(logs: readonly string[], key: string): AppError {
  const text = `Several rows have the same ${key} in ${logs.join(', ')}: the copy is a log of changes, and not the current rows. Have the tool keep one row for each record, or name a schema of views that choose the newest.`
  return new AppError('unsupported_by_connector', text, { context: { missing: logs } })
}
