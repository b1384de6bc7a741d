import { createHash } from 'node:crypto'
import type { ExpenseRecord } from '../../../core/expense.ts'
import { clipped } from '../../../core/text.ts'
import { instantForStore } from '../instants.ts'

export type StoredRow = Readonly<Record<string, unknown>>

const NAME_LENGTH = 500
const TEXT_LENGTH = 4_000

/** The row of a record in the table of its kind. `deletedAt` is when a deletion was told that it is not newer than. */
export function recordRow(bookId: number, record: ExpenseRecord, deletedAt: string | undefined): StoredRow {
  const { external_id, updated_at, metadata } = record
  return {
    book_id: bookId,
    external_id,
    fingerprint: fingerprintOf(record),
    updated_at: instantForStore(updated_at),
    is_deleted: record.is_deleted || deletedAt !== undefined,
    metadata: JSON.stringify(deletedAt === undefined ? metadata : { ...metadata, deleted_at: deletedAt }),
    ...cellsOf(record),
  }
}

/** Short text that differs where two versions of a record say different things; when they were made aside. */
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

/** A name as it is stored: longer ones are cut, and what no database can hold is replaced. */
export function nameText(text: string): string {
  return storable(clipped(text, NAME_LENGTH))
}

/** A description, likewise. */
export function longText(text: string): string {
  return storable(clipped(text, TEXT_LENGTH))
}

function storable(text: string): string {
  return text.replace(/\0|\p{Cs}/gu, '\ufffd')
}
