import type { TestDatabase } from '../support/databases/test-database.ts'

/** An instance's report about itself and its cluster. */
export interface AuroraInstance {
  /** The answer of `pg_is_in_recovery()`. */
  readonly isReader: boolean
  /** Whether the setting is there by which Aurora names its extensions. */
  readonly isNamed: boolean
  /** Rows of `aurora_replica_status()`: server, session, lag in milliseconds, seconds since the last update. None: there is no such function. */
  readonly status?: readonly (readonly [server: string, session: string, lag: number | null, age: number | null])[]
}

/** Name of the instance that answers. */
export const OWN = 'instance-1'
export const WRITER = 'MASTER_SESSION_ID'

/** Functions that Aurora has and that raise there, each with its type. */
const RAISING = [
  ['pg_last_wal_receive_lsn', 'pg_lsn'],
  ['pg_last_wal_replay_lsn', 'pg_lsn'],
  ['pg_last_xact_replay_timestamp', 'timestamptz'],
  ['pg_is_wal_replay_paused', 'boolean'],
] as const

const COLUMNS = `server_id text, session_id text, durable_lsn bigint, highest_lsn_rcvd bigint, current_read_lsn bigint,
  cur_replay_latency_in_usec bigint, active_txns bigint, is_current boolean, last_transport_error bigint, last_error_timestamp timestamptz,
  last_update_timestamp timestamptz, feedback_xmin bigint, feedback_epoch bigint, replica_lag_in_msec double precision,
  log_stream_speed_in_kib_per_second double precision, log_buffer_sequence_number bigint, oldest_read_view_trx_id bigint,
  oldest_read_view_lsn bigint, pending_read_ios bigint, read_ios bigint, iops bigint, cpu double precision`

/**
 * Makes a database of a PostgreSQL server answer as an instance of Aurora does, whatever search path its roles have. In this
 * database alone, functions with the names of the server's own replace them.
 */
export async function actAsAurora(database: TestDatabase, { isReader, isNamed, status }: AuroraInstance): Promise<void> {
  const run = async (...texts: readonly string[]) => {
    for (const text of texts) await database.adminQuery(text)
  }
  const name = new URL(database.url).pathname.slice(1)
  await run('set allow_system_table_mods = on')
  for (const [own, type] of [...RAISING, ['pg_is_in_recovery', 'boolean'] as const]) {
    const moved = await database.adminQuery(`select 1 as n from pg_proc where proname = 'own_${own}'`)
    if (moved.length === 0) await run(`alter function pg_catalog.${own}() rename to own_${own}`)
    await run(`drop function if exists pg_catalog.${own}()`)
    const body =
      own === 'pg_is_in_recovery'
        ? `begin return ${isReader}; end`
        : `begin raise exception 'Function ${own}() is currently not supported for Aurora' using errcode = '0A000'; end`
    await run(`create function pg_catalog.${own}() returns ${type} volatile language plpgsql as $$ ${body} $$`)
  }
  await run(
    'drop function if exists pg_catalog.aurora_replica_status()',
    'drop function if exists pg_catalog.aurora_db_instance_identifier()',
  )
  if (status !== undefined) {
    const rows = status.map(
      ([server, session, lag, age]) => `select '${server}'::text as server_id, '${session}'::text as session_id,
        ${lag}::double precision as lag, clock_timestamp() - ${age} * interval '1 second' as updated_at`,
    )
    const cells = COLUMNS.split(',').map((column) => {
      const [cell = '', type = ''] = column.trim().split(/ (.*)/)
      const filled: Readonly<Record<string, string>> = {
        server_id: 'server_id',
        session_id: 'session_id',
        replica_lag_in_msec: 'lag',
        last_update_timestamp: 'updated_at',
      }
      return filled[cell] ?? `null::${type}`
    })
    await run(
      `create function pg_catalog.aurora_replica_status() returns table (${COLUMNS}) volatile language sql as $$
        select ${cells.join(', ')} from (${rows.join(' union all ')}) as instance $$`,
      `create function pg_catalog.aurora_db_instance_identifier() returns text language sql as $$ select '${OWN}'::text $$`,
    )
  }
  await run(
    'reset allow_system_table_mods',
    isNamed
      ? `alter database ${name} set rds.extensions = 'address_standardizer,aurora_stat_utils,plpgsql'`
      : `alter database ${name} reset rds.extensions`,
  )
}
