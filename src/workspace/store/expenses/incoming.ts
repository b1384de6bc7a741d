import type { DeletedRecord, ExpenseRecord } from '../../../core/expense.ts'

/** What a batch says of one record: its newest version in it, its newest deletion, or both. */
export interface Incoming {
  readonly id: string
  readonly record?: ExpenseRecord
  readonly deletedAt?: string
}

type Kind = ExpenseRecord['kind']
/** What lines refer to stands before the documents that have them. */
const KINDS: readonly Kind[] = ['vendor', 'account', 'item', 'bill', 'expense', 'bill_payment']

/** A batch by kind, each record once. Of two versions of the same instant the later one in the batch counts. */
export function incomingByKind(
  records: readonly (ExpenseRecord | DeletedRecord)[],
): readonly (readonly [Kind, readonly Incoming[]])[] {
  const byKind = new Map<Kind, Map<string, Incoming>>(KINDS.map((kind) => [kind, new Map()]))
  for (const record of records) {
    const byId = byKind.get(record.kind)
    const known = byId?.get(record.external_id) ?? { id: record.external_id }
    byId?.set(record.external_id, { ...known, ...newest(known, record) })
  }
  return [...byKind].map(([kind, byId]) => [kind, [...byId.values()]])
}

function newest(known: Incoming, record: ExpenseRecord | DeletedRecord): Partial<Incoming> {
  if (!('is_deleted' in record)) {
    return known.deletedAt === undefined || record.updated_at > known.deletedAt ? { deletedAt: record.updated_at } : {}
  }
  return known.record === undefined || record.updated_at >= known.record.updated_at ? { record } : {}
}
