/** The value of a key. A key without a value gets a new one. */
export function getOrCreate<V>(map: Map<string, V>, key: string, create: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const created = create()
  map.set(key, created)
  return created
}
