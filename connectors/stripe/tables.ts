import type { Family } from './documents.ts'

/** The schema of a mirror, unless the operator chose another one. */
export const SCHEMA = 'stripe'

const DOCUMENT_COLUMNS = ['id', '_raw_data', '_account_id', '_last_synced_at']
const DOCUMENTS = ['products', 'prices', 'customers', 'subscriptions', 'invoices'] as const

/** Tables and columns that the connector reads, by family, in the order in which a stranger meets them. Generated columns are never read. */
export const TABLES: Readonly<Record<Family, Readonly<Record<string, readonly string[]>>>> = {
  documents: {
    accounts: ['id', '_raw_data', 'first_synced_at'],
    ...Object.fromEntries(DOCUMENTS.map((table) => [table, DOCUMENT_COLUMNS])),
  },
  columns: Object.fromEntries(DOCUMENTS.map((table) => [table, ['id', 'last_synced_at']])),
}

/** The columns of the tables about money that went back. */
export const RETURN_COLUMNS: Readonly<Record<Family, readonly string[]>> = {
  documents: DOCUMENT_COLUMNS,
  columns: ['id', 'last_synced_at'],
}

/** The runs of the engine that fills a mirror. Not every engine has them. */
export const SYNC_RUNS: Readonly<Record<string, readonly string[]>> = { _sync_runs: ['_account_id', 'closed_at'] }
