import type { Row } from '../../../src/connector-kit/connector.ts'
import { type Fragment, join, type QueryRunner, sql } from '../../../src/connector-kit/query-runner.ts'

/**
 * Bounds of the transactions that a snapshot could still see open. Transaction numbers grow. All transactions below `oldest` have
 * ended, and all from `next` on begin later.
 */
export interface Transactions {
  readonly oldest: bigint
  readonly next: bigint
}

/** A server's report about itself in a snapshot. */
export interface ServerState {
  /** Null if the server does not report it. */
  readonly transactions: Transactions | null
  /**
   * Identifies the server among several servers with the same contents. If servers cannot be distinguished, all have the same
   * text.
   */
  readonly server: string
  /** Identifies the tables themselves. A new text on the same server means that the tables were created again, even with equal contents. */
  readonly storage: string
}

/** Reads the state in one statement. `mayTellCluster` is the result of `tellsCluster`. */
export async function readServerState(run: QueryRunner, dialect: string, mayTellCluster: boolean): Promise<ServerState> {
  const [row] = await run('killbill.log.server', selectServerState(dialect, mayTellCluster))
  return serverStateOf(row, dialect)
}

/** The statement with the state, in one row. */
export function selectServerState(dialect: string, mayTellCluster: boolean): Fragment {
  return dialect === 'postgres' ? postgresState(mayTellCluster) : MYSQL
}

/**
 * The state in a row of that statement. PostgreSQL reports transactions exactly, also on a standby. MySQL and MariaDB do not report them to
 * readers of a replica.
 */
export function serverStateOf(row: Row | undefined, dialect: string): ServerState {
  if (dialect !== 'postgres') return { transactions: null, server: String(row?.['server']), storage: String(row?.['storage']) }
  // A reader of Aurora replicates in another way than a standby, and its documentation does not promise exact values.
  const transactions =
    row?.['is_aurora_reader'] === true ? null : { oldest: BigInt(String(row?.['oldest'])), next: BigInt(String(row?.['next'])) }
  return { transactions, server: '', storage: String(row?.['storage']) }
}

/**
 * True if the role may ask a PostgreSQL server for its cluster and timeline. Aurora is not asked, because some of its functions exist but
 * raise an error.
 */
export async function tellsCluster(run: QueryRunner, dialect: string): Promise<boolean> {
  if (dialect !== 'postgres') return false
  const [row] = await run(
    'killbill.log.cluster',
    sql`select has_function_privilege('pg_control_system()', 'execute') and has_function_privilege('pg_control_checkpoint()', 'execute')
  and not exists (select 1 from pg_catalog.pg_proc where proname = 'aurora_version') as may_tell`,
  )
  return row?.['may_tell'] === true
}

/** Loading a copy of the database creates the table `accounts` again. Its creation time is precise to the second. */
const MYSQL = sql`select concat_ws(' ', @@hostname, @@port, @@server_id) as server,
  (select t.create_time from information_schema.tables as t where t.table_schema = database() and t.table_name = 'accounts') as storage`

/** A standby has the same numbers as its primary, so servers are not distinguished. */
function postgresState(mayTellCluster: boolean): Fragment {
  const parts = [
    sql`(select own.oid from pg_catalog.pg_database as own where own.datname = current_database())`,
    sql`(select concat_ws(':', t.oid, t.relfilenode) from pg_catalog.pg_class as t
    where t.relnamespace = (select s.oid from pg_catalog.pg_namespace as s where s.nspname = current_schema()) and t.relname = 'accounts')`,
    ...(mayTellCluster
      ? [sql`(select system_identifier from pg_control_system())`, sql`(select timeline_id from pg_control_checkpoint())`]
      : []),
  ]
  return sql`select txid_snapshot_xmin(txid_current_snapshot()) as oldest, txid_snapshot_xmax(txid_current_snapshot()) as next,
  pg_is_in_recovery() and coalesce(current_setting('rds.extensions', true), '') like '%aurora%' as is_aurora_reader,
  concat_ws(' ', ${join(parts, sql`, `)}) as storage`
}
