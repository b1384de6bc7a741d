import { InternalError } from '../core/errors.ts'
import type { ReplicaState } from '../ports/executor.ts'
import type { Cell, Row } from '../ports/rows.ts'
import type { Snapshot } from '../ports/snapshot.ts'
import { replicationOf } from './mysql-replication.ts'
import { type MysqlVariant, PRODUCTS, variantOf } from './mysql-settings.ts'
import { shownVersion } from './server-version.ts'

const IDENTITY = 'select @@version as version, database() as name, @@read_only as is_read_only, sysdate() as read_at'

// These statements list the sources of all connections. Old MySQL servers know only the second form.
const STATUS: Readonly<Record<MysqlVariant, readonly string[]>> = {
  mariadb: ['show all slaves status'],
  mysql: ['show replica status', 'show slave status'],
}
const PRIVILEGE: Readonly<Record<MysqlVariant, string>> = { mariadb: 'REPLICA MONITOR', mysql: 'REPLICATION CLIENT' }

const PATIENCE = "show global variables where variable_name in ('slave_net_timeout', 'replica_net_timeout')"
const APPLIERS = "show global status like 'Slaves\\_running'"

/** Role, lag, version and database of a MySQL or MariaDB server. */
export async function mysqlState(snapshot: Snapshot): Promise<ReplicaState> {
  const [identity] = await snapshot.query(statement(IDENTITY))
  const version = String(identity?.['version'] ?? '')
  const variant = variantOf(version)
  const common = { version: `${PRODUCTS[variant]} ${shownVersion(version)}`, schema: textOf(identity?.['name']) }
  const takesWrites = String(identity?.['is_read_only']) === '0'
  const sources = await readSources(snapshot, variant)
  if (sources === undefined) return { ...(await unseen(snapshot, variant, takesWrites)), ...common }
  if (sources.length === 0) {
    const role = takesWrites ? 'primary' : 'unknown'
    return { role, lag_seconds: null, data_through: null, doubt: null, ...common }
  }
  const [patience] = await snapshot.query(statement(PATIENCE))
  const moment = {
    read_at: String(identity?.['read_at']),
    patience_seconds: patience === undefined ? null : Number(patience['Value']),
  }
  return { role: 'replica', ...replicationOf(sources, moment), ...common }
}

// Every role may see threads that apply changes and whether the server takes writes. They tell that it is a replica, but not its lag.
async function unseen(snapshot: Snapshot, variant: MysqlVariant, takesWrites: boolean) {
  const [appliers] = await snapshot.query(statement(APPLIERS))
  const isReplica = !takesWrites || Number(appliers?.['Value'] ?? 0) > 0
  const doubt = `the role may not ask for the state of replication, ${PRIVILEGE[variant]} is missing`
  return { role: isReplica ? 'replica' : 'unknown', lag_seconds: null, data_through: null, doubt } as const
}

/** One row for each source and none on a primary; undefined where the role may not ask. */
async function readSources(snapshot: Snapshot, variant: MysqlVariant): Promise<readonly Row[] | undefined> {
  for (const text of STATUS[variant]) {
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

function textOf(cell: Cell | undefined): string | null {
  return cell === null || cell === undefined ? null : String(cell)
}
