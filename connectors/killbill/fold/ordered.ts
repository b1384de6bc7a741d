/** Sorts in place and gives the list back. Rows mostly arrive in order, and looking is far cheaper than sorting. */
export function ordered<T>(entries: T[], compare: (a: T, b: T) => number): T[] {
  let previous: T | undefined
  for (const entry of entries) {
    if (previous !== undefined && compare(previous, entry) > 0) return entries.sort(compare)
    previous = entry
  }
  return entries
}
