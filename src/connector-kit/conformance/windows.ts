import type { Row } from '../../ports/rows.ts'
import { text } from '../reading.ts'
import type { Report } from './finding.ts'

/**
 * An instant from which on movements are worth reading by themselves: that of the last return of a customer who had gone, else of the
 * middle movement; without fractions, undefined where there is none.
 */
export function lateInstant(movements: readonly Row[]): string | undefined {
  const ordered = movements.toSorted((a, b) => (text(a['occurred_at']) < text(b['occurred_at']) ? -1 : 1))
  const back = ordered.findLast((row) => row['movement_type'] === 'reactivation' && row['reason'] !== 'resume')
  const chosen = back ?? ordered[Math.floor(ordered.length / 2)]
  return chosen === undefined ? undefined : text(chosen['occurred_at']).slice(0, 19)
}

/** A movement is the same whether or not the request reaches back before it: what came earlier decides its kind (D32). */
export function checkWindow(whole: readonly Row[], late: readonly Row[], from: string, report: Report): void {
  const kinds = new Map(late.map((row) => [keyOf(row), row['movement_type']]))
  for (const row of whole.filter((one) => text(one['occurred_at']) >= from)) {
    const [kind, other] = [text(row['movement_type']), kinds.get(keyOf(row))]
    if (kind !== other)
      report(
        'windows',
        'a movement is another where the request does not reach back',
        `${keyOf(row)} ${kind}, then ${other ?? 'none'}`,
      )
  }
}

function keyOf(row: Row): string {
  return ['subscription_id', 'movement_source', 'occurred_at'].map((name) => text(row[name])).join(' ')
}
