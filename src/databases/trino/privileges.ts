import { AppError, InternalError } from '../../core/errors.ts'
import type { Snapshot } from '../../ports/snapshot.ts'
import { driverCode } from '../failures.ts'

const LABEL = 'plumbline privileges'
const FIRST_TABLE = `select table_name from information_schema.tables
where table_schema = current_schema and table_type = 'BASE TABLE' order by table_name limit 1`

/**
 * What the user may write in the schema. Trino tells nobody the rights of a user, so Plumbline asks it to check a deletion, which nothing ever
 * runs. Only a refusal by the access control proves that the user cannot write.
 */
export async function trinoWritePrivileges(snapshot: Snapshot): Promise<readonly string[]> {
  const [row] = await snapshot.query({ text: FIRST_TABLE, values: [], label: LABEL })
  if (row === undefined) return []
  const table = String(row['table_name'])
  const text = `explain (type validate) delete from "${table.replaceAll('"', '""')}" where false`
  try {
    await snapshot.query({ text, values: [], label: LABEL })
    return [`DELETE on table ${table}`]
  } catch (error) {
    if (error instanceof AppError && error.code === 'unsupported_by_connector') {
      if (driverCode(error.cause) === 'PERMISSION_DENIED') return []
    }
    if (error instanceof InternalError) return [`DELETE on table ${table}, as far as the access control decides`]
    throw error
  }
}
