import type { Row } from '../../ports/rows.ts'
import type { Snapshot } from '../../ports/snapshot.ts'
import { writeGrants } from './grants.ts'
import { variantOf } from './settings.ts'

/** What the connected role and its active roles may write in the current database. */
export async function mysqlWritePrivileges(snapshot: Snapshot): Promise<readonly string[]> {
  const [identity] = await snapshot.query(statement('select database() as name, @@version as version'))
  const isMariadb = variantOf(String(identity?.['version'])) === 'mariadb'
  // MariaDB lists the grants of active roles without being asked; MySQL must be given their names, in the quotes in which it returns them.
  const [active] = isMariadb ? [] : await snapshot.query(statement('select current_role() as roles'))
  const roles = textOf(active?.['roles']) ?? 'NONE'
  const rows = await snapshot.query(statement(roles === 'NONE' ? 'show grants' : `show grants for current_user() using ${roles}`))
  const lines = rows.map((row) => String(Object.values(row)[0] ?? ''))
  return writeGrants(lines, textOf(identity?.['name']) ?? '')
}

function statement(text: string) {
  return { text, values: [], label: 'plumbline privileges' }
}

function textOf(cell: Row[string] | undefined): string | null {
  return cell === null || cell === undefined ? null : String(cell)
}
