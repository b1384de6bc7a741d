import { integerCell, textCell } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { readsBaseAmounts } from '../../query/request.ts'
import type { MetricContext } from './context.ts'
import { settleGaps, type UnratedGap } from './gaps.ts'
import { listUnpriced } from './unpriced.ts'

/** What rows report in `unrated_count`, `unrated_from` and `unrated_through`, by `fact_currency` (D14). */
export function unratedIn(rows: readonly Row[]): readonly UnratedGap[] {
  return rows.flatMap((row) => {
    const from = textCell(row, 'unrated_from')
    if (from === null) return []
    const through = textCell(row, 'unrated_through') ?? from
    const count = integerCell(row, 'unrated_count')
    return [{ currency: textCell(row, 'fact_currency') ?? '', from: from.slice(0, 10), through: through.slice(0, 10), count }]
  })
}

/** Gaps that the rows of a template report, those of prices in `unpriced_count` (D14, D26). */
export async function settleRowGaps(
  context: MetricContext,
  rows: readonly Row[],
  time: { readonly from: Date; readonly to: Date },
): Promise<void> {
  const unrated = readsBaseAmounts(context.request) ? unratedIn(rows) : []
  const unpriced = rows.reduce((sum, row) => sum + integerCell(row, 'unpriced_count'), 0)
  await settleGaps(context, { unpriced, unrated }, () => listUnpriced(context, time))
}
