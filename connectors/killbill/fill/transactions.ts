import { type QueryRunner, sql } from '../../../src/connector-kit/query-runner.ts'

/** Which transactions a snapshot could still see open. Numbers grow; all below `oldest` have ended, all from `next` on come later. */
export interface Transactions {
  /** Null where the server does not tell. */
  readonly known: { readonly oldest: bigint; readonly next: bigint } | null
}

/**
 * PostgreSQL tells it exactly, on a standby too; MySQL and MariaDB tell it to nobody who reads a replica. A reader of Aurora replicates in
 * another way than a standby, and it is documented nowhere that it tells this exactly.
 */
export async function readTransactions(run: QueryRunner, dialect: string): Promise<Transactions> {
  if (dialect !== 'postgres') return { known: null }
  const [row] = await run(
    'killbill.log.transactions',
    sql`select txid_snapshot_xmin(txid_current_snapshot()) as oldest, txid_snapshot_xmax(txid_current_snapshot()) as next,
      pg_is_in_recovery() and coalesce(current_setting('rds.extensions', true), '') like '%aurora%' as is_aurora_reader`,
  )
  if (row?.['is_aurora_reader'] === true) return { known: null }
  return { known: { oldest: BigInt(String(row?.['oldest'])), next: BigInt(String(row?.['next'])) } }
}
