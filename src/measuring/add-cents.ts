import { AppError } from '../core/errors.ts'
import { cellOf } from '../ports/cells.ts'
import type { Row } from '../ports/rows.ts'

/**
 * A sum of cents and the one in a row, null for 0. AppError `result_too_large` beyond 2^53: neither this program nor most readers of JSON count
 * exactly above that, and books, unlike prices of a catalog, have no limit that keeps sums below it.
 */
export function addCents(sum: number, row: Row, column: string): number {
  const total = sum + Number(cellOf(row, column) ?? 0)
  if (Number.isSafeInteger(total)) return total
  const limit = Number.MAX_SAFE_INTEGER
  throw new AppError('result_too_large', `A sum is beyond ${limit} cents, the most that is counted exactly. ${REMEDY}`, {
    context: { limit_cents: limit },
  })
}

/** What whoever asked for too large a sum can do. */
const REMEDY = 'Ask for a shorter range, or narrow it by account type, vendor or source.'
