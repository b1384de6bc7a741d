import { eachInSlices } from '../core/slices.ts'
import { tooLarge } from '../core/too-large.ts'
import type { MetricResult } from '../metrics/define-metric.ts'

const LIMIT = Number.MAX_SAFE_INTEGER

/** The answer as it is. AppError `result_too_large` where a number of it is beyond 2^53, with its measure and row. */
export async function exactAnswer<R extends MetricResult>(result: R): Promise<R> {
  if (result.kind === 'scalar') checkRow({ [result.field]: result.value })
  else if (result.kind === 'object') checkRow(result.value)
  else await eachInSlices(result.rows, checkRow)
  return result
}

function checkRow(row: Readonly<Record<string, unknown>>): void {
  for (const name in row) {
    const value = row[name]
    if (typeof value === 'number') {
      // Also what is no number at all, such as the difference of two that are too large.
      if (!(value <= LIMIT && value >= -LIMIT)) throw tooLarge(name, row)
    } else if (Array.isArray(value)) for (const inner of value) if (typeof inner === 'object' && inner !== null) checkRow(inner)
  }
}
