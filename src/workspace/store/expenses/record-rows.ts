import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import { chunksOf } from '../../../core/batches.ts'
import type { ExpenseRecord } from '../../../core/expense.ts'
import { clipped } from '../../../core/text.ts'
import { textOf } from '../../../ports/cells.ts'
import type { CountedKind } from '../../../ports/expense-store.ts'
import type { Row } from '../../../ports/rows.ts'
import { type Database, engineOf, table } from '../database.ts'
import { instantForStore, instantFromStore } from '../instants.ts'
import { upsertRows } from '../sqlite/upsert-rows.ts'

/** The records of one kind from one source, inside a transaction. `ledgerId` is the `book_id` of the source. */
export interface LedgerScope {
  readonly database: Database
  readonly transaction: Knex
  readonly ledgerId: number
  readonly kind: ExpenseRecord['kind']
}

/** Rows of a table that belong to the source. */
export function inLedger({ database, transaction, ledgerId }: LedgerScope, name: string): Knex.QueryBuilder {
  return table(database, name, transaction).where({ book_id: ledgerId })
}

/** The fields of a stored record that decide whether a new version replaces it. */
export interface StoredVersion {
  readonly id: string
  readonly updated_at: string
  readonly fingerprint: string
  readonly is_deleted: boolean
  readonly counted: CountedKind
}

/** The stored records with these ids. */
export async function readStored(ledger: LedgerScope, ids: readonly string[]): Promise<ReadonlyMap<string, StoredVersion>> {
  const columns = ['external_id', 'updated_at', 'fingerprint', 'is_deleted']
  const asked = ledger.kind === 'bill' ? [...columns, 'bill_kind'] : columns
  const rows: Row[] = await inLedger(ledger, ledger.kind).whereIn('external_id', ids).select(asked)
  return new Map(rows.map((row) => [textOf(row, 'external_id'), storedVersion(row, ledger.kind)]))
}

function storedVersion(row: Row, kind: LedgerScope['kind']): StoredVersion {
  const isCredit = kind === 'bill' && row['bill_kind'] === 'vendor_credit'
  return {
    id: textOf(row, 'external_id'),
    updated_at: instantFromStore(textOf(row, 'updated_at')),
    fingerprint: textOf(row, 'fingerprint'),
    is_deleted: row['is_deleted'] === true || row['is_deleted'] === 1,
    counted: isCredit ? 'vendor_credit' : kind,
  }
}

export type StoredRow = Readonly<Record<string, unknown>>

const NAME_LENGTH = 500
const TEXT_LENGTH = 4_000

/**
 * The row of a record in the table of its kind. `deletedAt` is a reported deletion. Undefined if the record is newer than the
 * deletion.
 */
export function recordRow(ledgerId: number, record: ExpenseRecord, deletedAt: string | undefined): StoredRow {
  const { external_id, updated_at, metadata } = record
  return {
    book_id: ledgerId,
    external_id,
    fingerprint: fingerprintOf(record),
    updated_at: instantForStore(updated_at),
    is_deleted: record.is_deleted || deletedAt !== undefined,
    metadata: JSON.stringify(deletedAt === undefined ? metadata : { ...metadata, deleted_at: deletedAt }),
    ...cellsOf(record),
  }
}

/** Hash of a record's content, without the instant of the version. */
export function fingerprintOf({ updated_at: _, ...said }: ExpenseRecord): string {
  return createHash('sha256').update(JSON.stringify(said)).digest('base64url')
}

function cellsOf(record: ExpenseRecord): StoredRow {
  switch (record.kind) {
    case 'vendor':
      return { name: nameText(record.name), is_active: record.is_active }
    case 'account': {
      const { name, account_type, parent_external_id, is_active } = record
      return { name: nameText(name), account_type, parent_external_id, is_active }
    }
    case 'item':
      return { name: nameText(record.name), account_external_id: record.account_external_id }
    case 'bill': {
      const { bill_kind, status, due_date, total_cents, balance_cents } = record
      const { document_date, number } = record
      return { ...moneyOf(record, document_date, number), bill_kind, status, due_date, total_cents, balance_cents }
    }
    case 'expense': {
      const { payment_type, is_voided, total_cents, document_date, number } = record
      return { ...moneyOf(record, document_date, number), payment_type, is_voided, total_cents }
    }
    case 'bill_payment': {
      const { payment_type, is_voided, amount_cents, payment_date, applied } = record
      return {
        ...moneyOf(record, payment_date, null),
        payment_type,
        is_voided,
        amount_cents,
        applied: JSON.stringify(applied),
      }
    }
  }
}

function moneyOf(
  record: Extract<ExpenseRecord, { kind: 'bill' | 'expense' | 'bill_payment' }>,
  document_date: string,
  number: string | null,
): StoredRow {
  const { currency, home_currency, exchange_rate, vendor_external_id } = record
  const shown = number === null ? null : nameText(number)
  return { document_date, currency, home_currency, exchange_rate, vendor_external_id, number: shown }
}

/** A name in the form that the store holds. Long names are cut, and characters that no database accepts are replaced. */
export function nameText(text: string): string {
  return storable(clipped(text, NAME_LENGTH))
}

/** A description in the form that the store holds. It is cut and cleaned like a name. */
export function longText(text: string): string {
  return storable(clipped(text, TEXT_LENGTH))
}

function storable(text: string): string {
  return text.replace(/\0|\p{Cs}/gu, '\ufffd')
}

const ROWS_AT_ONCE = 1_000

/** Inserts rows that all have the same columns. If a row of the same `identity` exists, it is replaced. */
export async function insertRows(
  database: Database,
  transaction: Knex,
  name: string,
  rows: readonly StoredRow[],
  identity: readonly string[],
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = Object.keys(first)
  const merged = columns.filter((column) => !identity.includes(column))
  for (const chunk of chunksOf(rows, ROWS_AT_ONCE)) {
    switch (engineOf(transaction)) {
      case 'sqlite':
        await upsertRows(transaction, { table: name, columns, rows: chunk, identity, merged })
        break
      case 'postgres':
        await insertJson(database, transaction, name, chunk, { columns, identity, merged })
        break
      case 'mysql':
        await table(database, name, transaction)
          .insert([...chunk])
          .onConflict([...identity])
          .merge()
    }
  }
}

interface Columns {
  readonly columns: readonly string[]
  readonly identity: readonly string[]
  readonly merged: readonly string[]
}

// One JSON text holds any number of rows. PostgreSQL accepts at most 65,535 values, and reads JSON faster than many values.
async function insertJson(
  { schema = '' }: Database,
  transaction: Knex,
  name: string,
  rows: readonly StoredRow[],
  { columns, identity, merged }: Columns,
): Promise<void> {
  const names = (list: readonly string[]) => list.map(() => '??').join(', ')
  const replaced = merged.map(() => '?? = ??').join(', ')
  await transaction.raw(
    `insert into ??.?? (${names(columns)}) select ${names(columns)} from json_populate_recordset(null::??.??, ?)
     on conflict (${names(identity)}) do update set ${replaced}`,
    [
      schema,
      name,
      ...columns,
      ...columns,
      schema,
      name,
      JSON.stringify(rows),
      ...identity,
      ...merged.flatMap((column) => [column, `excluded.${column}`]),
    ],
  )
}
