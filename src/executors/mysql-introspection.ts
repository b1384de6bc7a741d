import { InternalError } from '../core/errors.ts'
import type { ReplicaState, Row, Snapshot } from '../engine/ports.ts'
import { writeGrants } from './mysql-grants.ts'
import { variantOf } from './mysql-session.ts'

const IDENTITY = 'select @@version as version, database() as name, @@read_only as is_read_only, utc_timestamp() as read_at'

/** Role, lag, version and database; `unknown` when the role may not ask for the state of replication. */
export async function mysqlState(snapshot: Snapshot): Promise<ReplicaState> {
  const [identity] = await snapshot.query(statement(IDENTITY))
  const replication = await readReplication(snapshot)
  const version = String(identity?.['version'] ?? '')
  const name = variantOf(version) === 'mariadb' ? 'MariaDB' : 'MySQL'
  const common = { version: `${name} ${version.split('-')[0]}`, schema: textOf(identity?.['name']) }
  const row = replication?.[0]
  if (row === undefined) {
    const isPrimary = replication !== undefined && String(identity?.['is_read_only']) === '0'
    return { role: isPrimary ? 'primary' : 'unknown', lag_seconds: null, data_through: null, ...common }
  }
  const behind = row['Seconds_Behind_Source'] ?? row['Seconds_Behind_Master'] ?? null
  const lagSeconds = behind === null ? null : Number(behind)
  return {
    role: 'replica',
    lag_seconds: lagSeconds,
    data_through: lagSeconds === null || lagSeconds === 0 ? null : secondsBefore(String(identity?.['read_at']), lagSeconds),
    ...common,
  }
}

/** What the connected role and its active roles may write in the current database. */
export async function mysqlWritePrivileges(snapshot: Snapshot): Promise<readonly string[]> {
  const [identity] = await snapshot.query(statement('select database() as name, @@version as version'))
  const isMariadb = variantOf(String(identity?.['version'])) === 'mariadb'
  // MariaDB lists the active roles' grants by itself; MySQL must be told their names, which it quotes itself.
  const [active] = isMariadb ? [] : await snapshot.query(statement('select current_role() as roles'))
  const roles = textOf(active?.['roles']) ?? 'NONE'
  const rows = await snapshot.query(statement(roles === 'NONE' ? 'show grants' : `show grants for current_user() using ${roles}`))
  const lines = rows.map((row) => String(Object.values(row)[0] ?? ''))
  return writeGrants(lines, textOf(identity?.['name']) ?? '')
}

/** Rows of the replication state, none on a primary; undefined when not permitted. Old servers know the second form only. */
async function readReplication(snapshot: Snapshot): Promise<readonly Row[] | undefined> {
  for (const text of ['show replica status', 'show slave status']) {
    try {
      return await snapshot.query(statement(text))
    } catch (error) {
      if (!(error instanceof InternalError)) throw error
    }
  }
  return undefined
}

function statement(text: string) {
  return { text, values: [], label: 'plumbline state' }
}

function textOf(cell: Row[string] | undefined): string | null {
  return cell === null || cell === undefined ? null : String(cell)
}

function secondsBefore(instant: string, seconds: number): string {
  const then = new Date(Date.parse(`${instant.replace(' ', 'T')}Z`) - seconds * 1000)
  return then.toISOString().slice(0, 19).replace('T', ' ')
}
