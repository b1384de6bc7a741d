/** Values by key. The most recently used values stay. A value whose promise is rejected is removed. */
interface KeptLast<T> {
  get(key: string): Promise<T> | undefined
  keep(key: string, value: Promise<T>, size?: number): Promise<T>
}

/** Stores values up to a total size of `most`. The newest value is stored even if it is larger. */
export function keepLast<T>(most: number): KeptLast<T> {
  // A map keeps the order of insertion, so the first key is the least recently used one.
  const kept = new Map<string, { readonly value: Promise<T>; readonly size: number }>()
  let total = 0
  const drop = (key: string): void => {
    total -= kept.get(key)?.size ?? 0
    kept.delete(key)
  }
  return {
    get(key) {
      const entry = kept.get(key)
      if (entry === undefined) return undefined
      kept.delete(key)
      kept.set(key, entry)
      return entry.value
    },
    keep(key, value, size = 1) {
      drop(key)
      kept.set(key, { value, size })
      total += size
      for (const oldest of kept.keys()) {
        if (total <= most || oldest === key) break
        drop(oldest)
      }
      value.catch(() => {
        if (kept.get(key)?.value === value) drop(key)
      })
      return value
    },
  }
}
