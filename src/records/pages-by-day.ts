/** The part of a list that is asked for. */
interface Part {
  readonly limit: number
  readonly offset: number
}

/**
 * A page of items with their total, in the order of their days and, within a day, of `inOrder`. Each call of `each` makes the items again; those of
 * some days only if `days` is given. Only the items of the days of the page are kept, so a long list needs no more memory than its page.
 * `seen` receives every item once.
 */
export function pageByDay<T>(
  each: (days?: ReadonlySet<number>) => Iterable<T>,
  { dayOf, inOrder, seen }: { dayOf: (item: T) => number; inOrder: (a: T, b: T) => number; seen: (item: T) => void },
  { limit, offset }: Part,
): { readonly total: number; readonly items: readonly T[] } {
  const perDay = new Map<number, number>()
  for (const item of each()) {
    seen(item)
    perDay.set(dayOf(item), (perDay.get(dayOf(item)) ?? 0) + 1)
  }
  const shown = new Set<number>()
  let total = 0
  let skipped = 0
  for (const [day, count] of [...perDay].sort(([a], [b]) => a - b)) {
    if (total + count <= offset) skipped += count
    else if (total < offset + limit) shown.add(day)
    total += count
  }
  const kept = [...each(shown)].sort((a, b) => dayOf(a) - dayOf(b) || inOrder(a, b))
  return { total, items: kept.slice(offset - skipped, offset - skipped + limit) }
}
