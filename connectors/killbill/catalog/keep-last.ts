/** Keeps the values that were asked for last, at most so many; `make` makes one whose key is not kept, and what it throws is not. */
export function keepLast<T>(most: number): (key: string, make: () => T) => T {
  const kept = new Map<string, { readonly value: T }>()
  return (key, make) => {
    const entry = kept.get(key) ?? { value: make() }
    // A map keeps the order of insertion, so the first key is the one that nobody has asked for the longest.
    kept.delete(key)
    kept.set(key, entry)
    const oldest = kept.keys().next()
    if (kept.size > most && oldest.done !== true) kept.delete(oldest.value)
    return entry.value
  }
}
