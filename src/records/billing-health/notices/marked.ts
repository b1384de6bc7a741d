import { sumOrNull } from '../../../core/amount.ts'
import { listsOf } from './judge.ts'
import type { MarkedList, Notice } from './rows.ts'

/** The sums of each list. Rows that are marked as no error have separate sums (H7). Those of `unknown` lists are null. */
export function markedLists(notices: readonly Notice[], unknown: readonly string[]): readonly MarkedList[] {
  const isNoError = ({ mark }: Notice) => mark?.state === 'no_error'
  const counted = notices.filter((notice) => !isNoError(notice))
  return listsOf(counted, unknown).map((list) => {
    const marked = notices.filter((notice) => notice.kind === list.kind && isNoError(notice))
    return {
      ...list,
      seen: counted.filter(({ kind, mark }) => kind === list.kind && mark !== null).length,
      marked: {
        count: marked.length,
        amount_base_cents: sumOrNull(marked.map((notice) => notice.amount_base_cents)),
        monthly_base_cents: sumOrNull(marked.map((notice) => notice.monthly_base_cents)),
      },
    }
  })
}
