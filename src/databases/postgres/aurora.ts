import { PRIMARY, type ReplicaLag, type Snapshot } from '../../ports/snapshot.ts'
import { statement, textOf, unlessUnsupported } from './introspection.ts'

// Aurora has no receiver and raises in the functions that tell of one. Each instance has a row here; that of the writer has a session id of
// that name. The time of a row is null for the instance that answers, from 13.9 on; where it is there, the lag is as old as that.
const STATUS = `
with status as (
  select
    status.session_id = 'MASTER_SESSION_ID' as is_writer,
    status.server_id = aurora_db_instance_identifier() as is_own,
    status.replica_lag_in_msec / 1000.0
      + greatest(0, coalesce(extract(epoch from clock_timestamp() - status.last_update_timestamp), 0)) as lag_seconds
  from aurora_replica_status() as status
)
select
  is_writer,
  (select bool_or(is_writer) from status) as has_writer,
  lag_seconds,
  to_char((clock_timestamp() - lag_seconds * interval '1 second') at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as complete_at
from status
where is_own`

const UNTOLD = 'the server does not tell how far it is behind'

/** What Aurora is called, by the number of its PostgreSQL. */
export function auroraVersion(number: string): string {
  return `PostgreSQL ${number} (Aurora)`
}

/** How an Aurora instance stands. `isReplica` is what it says of itself, for where it does not show the state of its cluster. */
export async function auroraLag(snapshot: Snapshot, isReplica: boolean): Promise<ReplicaLag> {
  const rows = await unlessUnsupported(() => snapshot.query(statement(STATUS)))
  const row = rows?.length === 1 ? rows[0] : undefined
  if (row === undefined) return isReplica ? unknown(UNTOLD) : PRIMARY
  if (row['is_writer'] === true && !isReplica) return PRIMARY
  if (row['has_writer'] !== true) return unknown('the cluster shows no writer')
  const lag = textOf(row, 'lag_seconds')
  if (lag === null || row['is_writer'] === true) return unknown(UNTOLD)
  return {
    role: 'replica',
    lag_seconds: Math.max(0, Math.floor(Number(lag))),
    data_through: textOf(row, 'complete_at'),
    doubt: null,
  }
}

function unknown(doubt: string): ReplicaLag {
  return { role: 'replica', lag_seconds: null, data_through: null, doubt }
}
