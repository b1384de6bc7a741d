import { type DeletedRecord, DOCUMENT_KINDS } from '../../../core/expense.ts'
import type { ExpenseConnector } from '../../../ports/accounting.ts'
import type { ExpenseStore } from '../../../ports/expense-store.ts'

const IDS_AT_ONCE = 1_500

/**
 * Looks for documents of a source that the platform has no more, and tells of them: a reading shows what there is, and deletions are listed for
 * a while only. Begun anew it does no harm.
 */
export async function sweep(
  expenses: Pick<ExpenseStore, 'documentIds'>,
  sourceId: string,
  connector: Pick<ExpenseConnector, 'missing'>,
  signal: AbortSignal,
  tell: (gone: readonly DeletedRecord[]) => Promise<void>,
): Promise<void> {
  for (const kind of DOCUMENT_KINDS) {
    let after = ''
    for (;;) {
      const ids = await expenses.documentIds(sourceId, kind, after, IDS_AT_ONCE)
      const last = ids.at(-1)
      if (last === undefined) break
      await tell(await connector.missing(kind, ids, signal))
      after = last
    }
  }
}
