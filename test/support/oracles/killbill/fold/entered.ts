import type { Instant } from './instant.ts'

/** The row applies to subscriptions that entered their plan in [entered_from, entered_to). */
export interface Entered {
  readonly entered_from: Instant
  readonly entered_to: Instant
}

/** Looks up the rows for an entry. The time depends on the number of found rows, not on the number of all rows. */
export function byEntry<T extends Entered>(rows: readonly T[]): (entered: Instant) => readonly T[] {
  const sorted = [...rows].sort((a, b) => (a.entered_from < b.entered_from ? -1 : Number(a.entered_from > b.entered_from)))
  // A tree over the sorted rows. Each node has the latest end below it.
  const latest: Instant[] = []
  const build = (node: number, from: number, to: number): Instant => {
    const middle = (from + to) >> 1
    const end =
      to - from === 1 ? (sorted[from]?.entered_to ?? '') : later(build(2 * node, from, middle), build(2 * node + 1, middle, to))
    latest[node] = end
    return end
  }
  if (sorted.length > 0) build(1, 0, sorted.length)
  return (entered) => {
    const found: T[] = []
    const visit = (node: number, from: number, to: number): void => {
      const row = sorted[from]
      if (row === undefined || row.entered_from > entered || (latest[node] ?? '') <= entered) return
      if (to - from === 1) return void found.push(row)
      const middle = (from + to) >> 1
      visit(2 * node, from, middle)
      visit(2 * node + 1, middle, to)
    }
    visit(1, 0, sorted.length)
    return found
  }
}

function later(a: Instant, b: Instant): Instant {
  return a > b ? a : b
}
