import type { Cell } from '../../ports/rows.ts'
import type { ReplicaLag, Snapshot } from '../../ports/snapshot.ts'
import { orUnread, statement, textOf } from './introspection.ts'
import { secondsBefore } from './replication.ts'

/** Only Aurora has this variable. */
const VERSION = "show global variables like 'aurora\\_version'"

// Aurora does not replicate by a log of its own, so the statements about sources show nothing. Each instance has a row here; that of the
// writer has a session id of that name.
const STATUS = `
select
  session_id = 'MASTER_SESSION_ID' as is_writer,
  server_id = @@aurora_server_id as is_own,
  replica_lag_in_milliseconds / 1000 + greatest(0, coalesce(timestampdiff(second, last_update_timestamp, sysdate()), 0)) as lag_seconds
from information_schema.replica_host_status`

/** The version of Aurora; undefined of any other server. */
export async function auroraVersion(snapshot: Snapshot): Promise<string | undefined> {
  const [row] = await snapshot.query(statement(VERSION))
  return row === undefined ? undefined : (textOf(row['Value']) ?? '')
}

/** How a reader of Aurora stands; `readAt` is a UTC instant of its clock. */
export async function auroraLag(snapshot: Snapshot, readAt: string): Promise<ReplicaLag> {
  const rows = (await orUnread(() => snapshot.query(statement(STATUS)))) ?? []
  const own = rows.filter((row) => isTrue(row['is_own']))
  const lag = own.length === 1 && !isTrue(own[0]?.['is_writer']) ? textOf(own[0]?.['lag_seconds']) : null
  if (lag === null) return unknown('the server does not tell how far it is behind')
  if (!rows.some((row) => isTrue(row['is_writer']))) return unknown('the cluster shows no writer')
  return { role: 'replica', lag_seconds: Math.floor(Number(lag)), data_through: secondsBefore(readAt, Number(lag)), doubt: null }
}

function isTrue(cell: Cell | undefined): boolean {
  return textOf(cell) === '1'
}

function unknown(doubt: string): ReplicaLag {
  return { role: 'replica', lag_seconds: null, data_through: null, doubt }
}
