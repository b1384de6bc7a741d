import { chunksOf } from '../../../core/batches.ts'
import type { ExpenseRecord } from '../../../core/expense.ts'
import { textCell, textOf } from '../../../ports/cells.ts'
import type { Row } from '../../../ports/rows.ts'
import { type Changing, changeLines } from './line-totals.ts'
import { type BookPlace, inBook } from './place.ts'

const ITEMS_AT_ONCE = 500

/** The accounts of the items that are known, null for one without. */
export async function accountsOfItems(place: BookPlace, ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  const accounts = new Map<string, string | null>()
  for (const chunk of chunksOf([...new Set(ids)], ITEMS_AT_ONCE)) {
    const rows: Row[] = await inBook(place, 'item').whereIn('external_id', chunk).select('external_id', 'account_external_id')
    for (const row of rows) accounts.set(textOf(row, 'external_id'), textCell(row, 'account_external_id'))
  }
  return accounts
}

/** Books the lines that name these items on the accounts that they have now. */
export async function applyItems(place: BookPlace, written: readonly { readonly record: ExpenseRecord }[]): Promise<void> {
  const items = new Map(written.flatMap(({ record }) => (record.kind === 'item' ? [[record.external_id, record] as const] : [])))
  const lines = inBook(place, 'document_line').whereIn('item_external_id', [...items.keys()])
  const used: Row[] = await lines.distinct('item_external_id')
  for (const row of used) {
    const item_external_id = textOf(row, 'item_external_id')
    const account_external_id = items.get(item_external_id)?.account_external_id ?? null
    const named: Changing = (all) => all.where({ item_external_id })
    await changeLines(place, named, (all) => all.update({ account_external_id }))
  }
}
