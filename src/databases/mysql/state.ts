import type { ReplicaState } from '../../ports/executor.ts'
import type { Cell, Row } from '../../ports/rows.ts'
import { PRIMARY, type ReplicaLag, type Snapshot } from '../../ports/snapshot.ts'
import { shownVersion } from '../server-version.ts'
import { orUnread, replicationOf, secondsBefore, statement, textOf } from './replication.ts'
import { type MysqlVariant, PRODUCTS, variantOf } from './settings.ts'

const IDENTITY = `
select @@version as version, @@read_only as is_read_only, @@innodb_read_only as is_innodb_read_only, sysdate() as read_at`
const SCHEMA = 'select database() as name'

// These statements list the sources of all connections. Old MySQL servers know only the second form.
const STATUS: Readonly<Record<MysqlVariant, readonly string[]>> = {
  mariadb: ['show all slaves status'],
  mysql: ['show replica status', 'show slave status'],
}
const PRIVILEGE: Readonly<Record<MysqlVariant, string>> = { mariadb: 'REPLICA MONITOR', mysql: 'REPLICATION CLIENT' }

const PATIENCE = "show global variables where variable_name in ('slave_net_timeout', 'replica_net_timeout')"
const APPLIERS = "show global status like 'Slaves\\_running'"

/** Role, lag and version of a MySQL or MariaDB server. */
export async function mysqlState(snapshot: Snapshot): Promise<Omit<ReplicaState, 'schema'>> {
  const [identity] = await snapshot.query(statement(IDENTITY))
  const version = String(identity?.['version'] ?? '')
  const readAt = String(identity?.['read_at'])
  const isLocked = String(identity?.['is_innodb_read_only']) !== '0'
  const takesWrites = !isLocked && String(identity?.['is_read_only']) === '0'
  const variant = variantOf(version)
  const name = `${PRODUCTS[variant]} ${shownVersion(version)}`
  // A reader of Aurora reports that it accepts writes, and only InnoDB refuses them. Its writer is a primary like any other.
  const aurora = isLocked ? await auroraVersion(snapshot) : undefined
  if (aurora === undefined) return { ...(await replicaLag(snapshot, variant, { takesWrites, isLocked, readAt })), version: name }
  return { ...(await auroraLag(snapshot, readAt)), version: name.includes('Aurora') ? name : `${name} (Aurora ${aurora})` }
}

/** The database that the session reads. */
export async function mysqlSchema(snapshot: Snapshot): Promise<string | null> {
  const [row] = await snapshot.query(statement(SCHEMA))
  return textOf(row?.['name'])
}

interface Server {
  readonly takesWrites: boolean
  /** True if nothing can change the tables, not even replication. */
  readonly isLocked: boolean
  readonly readAt: string
}

async function replicaLag(
  snapshot: Snapshot,
  variant: MysqlVariant,
  { takesWrites, isLocked, readAt }: Server,
): Promise<ReplicaLag> {
  const sources = await readSources(snapshot, variant)
  if (sources === undefined) return withoutPrivilege(snapshot, variant, takesWrites)
  if (sources.length === 0) {
    if (takesWrites) return PRIMARY
    const doubt = isLocked ? 'InnoDB is read-only and the server does not report how far it is behind' : null
    return { role: isLocked ? 'replica' : 'unknown', lag_seconds: null, data_through: null, doubt }
  }
  const [patience] = await snapshot.query(statement(PATIENCE))
  const patience_seconds = patience === undefined ? null : Number(patience['Value'])
  return { role: 'replica', ...replicationOf(sources, { read_at: readAt, patience_seconds }) }
}

// Every role may see the threads that apply changes, and whether the server accepts writes. They show that it is a replica, but not its lag.
async function withoutPrivilege(snapshot: Snapshot, variant: MysqlVariant, takesWrites: boolean): Promise<ReplicaLag> {
  const [appliers] = await snapshot.query(statement(APPLIERS))
  const isReplica = !takesWrites || Number(appliers?.['Value'] ?? 0) > 0
  const doubt = `the role may not read the state of replication, ${PRIVILEGE[variant]} is missing`
  return { role: isReplica ? 'replica' : 'unknown', lag_seconds: null, data_through: null, doubt }
}

/** One row for each source and none on a primary. Undefined if the role may not ask. */
async function readSources(snapshot: Snapshot, variant: MysqlVariant): Promise<readonly Row[] | undefined> {
  for (const text of STATUS[variant]) {
    const rows = await orUnread(() => snapshot.query(statement(text)))
    if (rows !== undefined) return rows
  }
  return undefined
}

/** Only Aurora has this variable. */
const AURORA_VERSION = "show global variables like 'aurora\\_version'"

// Aurora does not replicate with a log, so the statements about sources show nothing. The table replica_host_status has a row for
// each instance. The writer's row has the session id MASTER_SESSION_ID.
const AURORA_STATUS = `
select
  session_id = 'MASTER_SESSION_ID' as is_writer,
  server_id = @@aurora_server_id as is_own,
  replica_lag_in_milliseconds / 1000 + greatest(0, coalesce(timestampdiff(second, last_update_timestamp, sysdate()), 0)) as lag_seconds
from information_schema.replica_host_status`

/** The version of Aurora. Undefined for any other server. */
export async function auroraVersion(snapshot: Snapshot): Promise<string | undefined> {
  const [row] = await snapshot.query(statement(AURORA_VERSION))
  return row === undefined ? undefined : (textOf(row['Value']) ?? '')
}

/** The lag of an Aurora reader. `readAt` is a UTC instant of its clock. */
export async function auroraLag(snapshot: Snapshot, readAt: string): Promise<ReplicaLag> {
  const rows = (await orUnread(() => snapshot.query(statement(AURORA_STATUS)))) ?? []
  const own = rows.filter((row) => isTrue(row['is_own']))
  const lag = own.length === 1 && !isTrue(own[0]?.['is_writer']) ? textOf(own[0]?.['lag_seconds']) : null
  if (lag === null) return unknownLag('the server does not report how far it is behind')
  if (!rows.some((row) => isTrue(row['is_writer']))) return unknownLag('the cluster shows no writer')
  return { role: 'replica', lag_seconds: Math.floor(Number(lag)), data_through: secondsBefore(readAt, Number(lag)), doubt: null }
}

function isTrue(cell: Cell | undefined): boolean {
  return textOf(cell) === '1'
}

function unknownLag(doubt: string): ReplicaLag {
  return { role: 'replica', lag_seconds: null, data_through: null, doubt }
}
