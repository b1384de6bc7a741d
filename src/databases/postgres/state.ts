import type { Statement } from '../../compiler/statement.ts'
import { InternalError } from '../../core/errors.ts'
import type { ReplicaState } from '../../ports/executor.ts'
import type { Row } from '../../ports/rows.ts'
import { PRIMARY, type ReplicaLag, type Snapshot } from '../../ports/snapshot.ts'
import { driverCode } from '../failures.ts'
import { shownVersion } from '../server-version.ts'

/** Aurora names its extensions in a setting that other servers do not have. */
const IDENTITY = `
select
  pg_is_in_recovery() as is_replica,
  coalesce(current_setting('rds.extensions', true), '') like '%aurora%' as is_aurora,
  current_setting('server_version') as version`

const SCHEMA = 'select current_schema() as schema'

// A role without the right to read the receiver's statistics sees only that the process exists (`is_veiled`). Each message of the
// primary carries the primary's write position. Once a standby has replayed up to this position, it is complete up to the time of
// the message. The send time and the receipt time of the last message are equal only before the first message arrives. After a
// start, the received position is the beginning of a segment. So it is before the replayed position until the primary writes
// again.
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

/** The statement shows whether a server is a primary. `read` gives the state of a primary, and undefined for other servers. */
export const PRIMARY_STATE = {
  statement: statement(IDENTITY),
  read([identity]: readonly Row[]): Omit<ReplicaState, 'schema'> | undefined {
    if (identity?.['is_replica'] === true || identity?.['is_aurora'] === true) return undefined
    return { ...PRIMARY, version: versionOf(identity) }
  },
}

function versionOf(identity: Row | undefined): string {
  return `PostgreSQL ${numberOf(identity)}`.trim()
}

function numberOf(identity: Row | undefined): string {
  return shownVersion(textOf(identity, 'version') ?? '')
}

/**
 * Role, lag and version of a PostgreSQL server (embedded or not). Runs outside of a transaction, because a server may refuse some
 * of the statements.
 */
export async function postgresState(snapshot: Snapshot): Promise<Omit<ReplicaState, 'schema'>> {
  const rows = await snapshot.query(PRIMARY_STATE.statement)
  const primary = PRIMARY_STATE.read(rows)
  if (primary !== undefined) return primary
  const [identity] = rows
  const isReplica = identity?.['is_replica'] === true
  if (identity?.['is_aurora'] === true) {
    return { ...(await auroraLag(snapshot, isReplica)), version: auroraVersion(numberOf(identity)) }
  }
  const version = versionOf(identity)
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

// A standby that has applied a checkpoint has all changes from before the checkpoint.
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

/** feature_not_supported, undefined_function, undefined_column, insufficient_privilege: the server or the role cannot run the statement. */
const UNSUPPORTED = ['0A000', '42883', '42703', '42501']

/** A statement about the server itself. */
export function statement(text: string): Statement {
  return { text, values: [], label: 'plumbline state' }
}

/** A cell as text. Null if there is no row. */
export function textOf(row: Row | undefined, column: string): string | null {
  const cell = row?.[column] ?? null
  return cell === null ? null : String(cell)
}

/** The result of `read`. Undefined if the server does not support or allow it. */
async function unlessUnsupported<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof InternalError && UNSUPPORTED.includes(driverCode(error.cause) ?? '')) return undefined
    throw error
  }
}

// Aurora has no receiver, and the functions that report one raise an error. aurora_replica_status() returns a row for each
// instance. The writer's row has the session id MASTER_SESSION_ID. `last_update_timestamp` is the time at which the lag was
// measured. Since 13.9 it is null in the row of the instance that answers.
const AURORA_STATUS = `
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

const LAG_NOT_REPORTED = 'the server does not report how far it is behind'

/** Version text of Aurora, with the number of its PostgreSQL. */
export function auroraVersion(number: string): string {
  return `PostgreSQL ${number} (Aurora)`
}

/** The lag of an Aurora instance. `isReplica` is the instance's own report, for a cluster whose state is not visible. */
export async function auroraLag(snapshot: Snapshot, isReplica: boolean): Promise<ReplicaLag> {
  const rows = await unlessUnsupported(() => snapshot.query(statement(AURORA_STATUS)))
  const row = rows?.length === 1 ? rows[0] : undefined
  if (row === undefined) return isReplica ? unknownLag(LAG_NOT_REPORTED) : PRIMARY
  if (row['is_writer'] === true && !isReplica) return PRIMARY
  if (row['has_writer'] !== true) return unknownLag('the cluster shows no writer')
  const lag = textOf(row, 'lag_seconds')
  if (lag === null || row['is_writer'] === true) return unknownLag(LAG_NOT_REPORTED)
  return {
    role: 'replica',
    lag_seconds: Math.max(0, Math.floor(Number(lag))),
    data_through: textOf(row, 'complete_at'),
    doubt: null,
  }
}

function unknownLag(doubt: string): ReplicaLag {
  return { role: 'replica', lag_seconds: null, data_through: null, doubt }
}
