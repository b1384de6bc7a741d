import { textOf } from '../../../ports/cells.ts'
import type { CountedKind } from '../../../ports/expense-store.ts'
import type { Row } from '../../../ports/rows.ts'
import { instantFromStore } from '../instants.ts'
import { type BookPlace, inBook } from './place.ts'

/** What decides whether a record that is kept gives way. */
export interface Kept {
  readonly id: string
  readonly updated_at: string
  readonly fingerprint: string
  readonly is_deleted: boolean
  readonly counted: CountedKind
}

/** The records of these ids that are kept. */
export async function readKept(place: BookPlace, ids: readonly string[]): Promise<ReadonlyMap<string, Kept>> {
  const columns = ['external_id', 'updated_at', 'fingerprint', 'is_deleted']
  const asked = place.kind === 'bill' ? [...columns, 'bill_kind'] : columns
  const rows: Row[] = await inBook(place, place.kind).whereIn('external_id', ids).select(asked)
  return new Map(rows.map((row) => [textOf(row, 'external_id'), keptOf(row, place.kind)]))
}

function keptOf(row: Row, kind: BookPlace['kind']): Kept {
  const isCredit = kind === 'bill' && row['bill_kind'] === 'vendor_credit'
  return {
    id: textOf(row, 'external_id'),
    updated_at: instantFromStore(textOf(row, 'updated_at')),
    fingerprint: textOf(row, 'fingerprint'),
    is_deleted: row['is_deleted'] === true || row['is_deleted'] === 1,
    counted: isCredit ? 'vendor_credit' : kind,
  }
}
