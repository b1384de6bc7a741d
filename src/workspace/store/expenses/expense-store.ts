import type { Workspace } from '../../../core/workspace.ts'
import { textOf } from '../../../ports/cells.ts'
import { type ExpenseStore, type ExpenseWriter, noChanges } from '../../../ports/expense-store.ts'
import type { Row } from '../../../ports/rows.ts'
import { type Access, type Database, table, writeExclusively } from '../database.ts'
import { createWriter } from './expense-writer.ts'
import { createLists } from './lists.ts'
import { createTexts } from './texts.ts'

/** The stored expenses of one workspace. */
export function createExpenses(access: Access, { name }: Workspace): ExpenseStore {
  const change = <T>(work: (writer: ExpenseWriter) => Promise<T>) =>
    writeExclusively(access, (database, transaction) => work(createWriter(database, transaction, name)))
  return {
    change,
    put: async (sourceId, records) => (records.length === 0 ? noChanges() : change((writer) => writer.put(sourceId, records))),
    ...createLists(access, name),
    ...createTexts(access, name),
    documentIds: (sourceId, kind, after, limit) =>
      access.read(async (database) => {
        const ledger = table(database, 'book').where({ workspace: name, source_id: sourceId }).select('book_id')
        const rows: Row[] = await table(database, kind)
          .whereIn('book_id', ledger)
          .where({ is_deleted: false })
          .where('external_id', '>', after)
          .orderBy('external_id')
          .limit(limit)
          .select('external_id')
        return rows.map((row) => textOf(row, 'external_id'))
      }),
    hasDocuments: () => access.read((database) => hasDocuments(database, name)),
  }
}

async function hasDocuments(database: Database, workspace: string): Promise<boolean> {
  const ledgers = table(database, 'book').where({ workspace }).select('book_id')
  for (const name of ['bill', 'expense']) {
    const found: unknown[] = await table(database, name).whereIn('book_id', ledgers.clone()).select('book_id').limit(1)
    if (found.length > 0) return true
  }
  return false
}
