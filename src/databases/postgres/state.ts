import type { ReplicaState } from '../../ports/executor.ts'
import type { Row } from '../../ports/rows.ts'
import { PRIMARY, type ReplicaLag, type Snapshot } from '../../ports/snapshot.ts'
import { shownVersion } from '../server-version.ts'
import { auroraLag, auroraVersion } from './aurora.ts'
import { statement, textOf, unlessUnsupported } from './introspection.ts'

/** Aurora names its extensions in a setting that other servers do not have. */
const IDENTITY = `
select
  pg_is_in_recovery() as is_replica,
  coalesce(current_setting('rds.extensions', true), '') like '%aurora%' as is_aurora,
  current_setting('server_version') as version`

const SCHEMA = 'select current_schema() as schema'

// A role that may not read the receiver's statistics sees only that the process is there (`is_veiled`). A standby is complete up to its
// primary's last message once it has replayed all that the primary had written by then; the two times of that message are equal only while
// the receiver has not heard anything yet. After a start the position received is the beginning of a segment, and so lies before the
// position replayed, until the primary writes again.
const STANDBY = `
with standby as (
  select
    coalesce(pg_last_wal_receive_lsn() <= pg_last_wal_replay_lsn(), false) as is_replayed,
    pg_last_xact_replay_timestamp() as replayed_at
), receiver as (
  select
    status is null as is_veiled,
    case
      when latest_end_lsn <= pg_last_wal_replay_lsn() and last_msg_send_time <> last_msg_receipt_time
      then least(last_msg_send_time, last_msg_receipt_time)
    end as heard_at
  from pg_stat_wal_receiver
  where coalesce(status, 'streaming') = 'streaming'
), reached as (
  select
    standby.*,
    receiver.is_veiled is not null as is_receiving,
    is_replayed and (is_veiled or clock_timestamp() - heard_at <= current_setting('wal_receiver_timeout')::interval) as is_current,
    greatest(replayed_at, heard_at) as complete_at
  from standby left join receiver on true
)
select
  pg_is_wal_replay_paused() as is_paused,
  is_receiving,
  is_replayed,
  is_current,
  case when is_current then 0 else extract(epoch from clock_timestamp() - complete_at) end as lag_seconds,
  to_char(complete_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as complete_at,
  has_function_privilege('pg_control_checkpoint()', 'execute') as may_read_checkpoint
from reached`

const CHECKPOINT = `
select to_char(checkpoint_time at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as checkpoint_at from pg_control_checkpoint()`

/** Role, lag and version of a PostgreSQL server (embedded or not). It is asked outside of a transaction, as a server may refuse parts of it. */
export async function postgresState(snapshot: Snapshot): Promise<Omit<ReplicaState, 'schema'>> {
  const [identity] = await snapshot.query(statement(IDENTITY))
  const number = shownVersion(textOf(identity, 'version') ?? '')
  const isReplica = identity?.['is_replica'] === true
  if (identity?.['is_aurora'] === true) return { ...(await auroraLag(snapshot, isReplica)), version: auroraVersion(number) }
  const version = `PostgreSQL ${number}`.trim()
  if (!isReplica) return { ...PRIMARY, version }
  const replicaLag = await unlessUnsupported(() => standbyLag(snapshot))
  if (replicaLag !== undefined) return { ...replicaLag, version }
  return { ...(await auroraLag(snapshot, isReplica)), version }
}

/** The schema that the session reads. */
export async function postgresSchema(snapshot: Snapshot): Promise<string | null> {
  const [row] = await snapshot.query(statement(SCHEMA))
  return textOf(row, 'schema')
}

async function standbyLag(snapshot: Snapshot): Promise<ReplicaLag> {
  const [row] = await snapshot.query(statement(STANDBY))
  const lag = textOf(row, 'lag_seconds')
  const lagSeconds = lag === null ? null : Math.max(0, Math.floor(Number(lag)))
  return {
    role: 'replica',
    lag_seconds: lagSeconds,
    data_through: textOf(row, 'complete_at') ?? (await checkpointTime(snapshot, row)),
    doubt: row?.['is_current'] === true ? null : doubtOf(row, lagSeconds),
  }
}

// A standby that has applied a checkpoint has everything from before it.
async function checkpointTime(snapshot: Snapshot, row: Row | undefined): Promise<string | null> {
  if (row?.['may_read_checkpoint'] !== true) return null
  const [checkpoint] = await snapshot.query(statement(CHECKPOINT))
  return textOf(checkpoint, 'checkpoint_at')
}

function doubtOf(row: Row | undefined, lagSeconds: number | null): string {
  const cause = causeOf(row)
  return lagSeconds === null ? `${cause}, and no commit has been replayed since the server started` : cause
}

function causeOf(row: Row | undefined): string {
  if (row?.['is_paused'] === true) return 'replay is paused'
  if (row?.['is_receiving'] !== true) return 'no receiver streams'
  if (row?.['is_replayed'] !== true) return 'not all that was received is replayed'
  return 'the receiver does not know how far its primary is'
}
