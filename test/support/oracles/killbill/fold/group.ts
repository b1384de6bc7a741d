/** Entries by key, in the order of their first occurrence. */
export function groupBy<T>(entries: Iterable<T>, keyOf: (entry: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const entry of entries) {
    const key = keyOf(entry)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [entry])
    else group.push(entry)
  }
  return groups
}

/** Groups entries whose equal keys are adjacent: one look-up per group instead of one per entry. */
export function groupRuns<T>(entries: readonly T[], keyOf: (entry: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  let key: string | undefined
  let group: T[] = []
  for (const entry of entries) {
    const next = keyOf(entry)
    if (next !== key) {
      key = next
      group = []
      groups.set(key, group)
    }
    group.push(entry)
  }
  return groups
}

/** Sorts in place and returns the list. Rows mostly arrive in order, and checking the order is far cheaper than sorting. */
export function ordered<T>(entries: T[], compare: (a: T, b: T) => number): T[] {
  let previous: T | undefined
  for (const entry of entries) {
    if (previous !== undefined && compare(previous, entry) > 0) return entries.sort(compare)
    previous = entry
  }
  return entries
}
