/** A query and its common table expressions, which come before it. */
interface Query {
  readonly named: Map<string, Query>
  readonly words: Set<string>
  readonly inner: Query[]
}

/** The tables that a query can read by name, by level. Its own level is the last one. */
type Scope = readonly ReadonlyMap<string, Query>[]

/**
 * The depth of the selects of a statement if each common table expression took the place of its name. MySQL counts so and refuses more than 63. A column
 * with the name of a table counts as the table, so the depth may be too large.
 */
export function selectDepth(statement: string): number {
  const text = statement
    .replace(/--[^\n]*/g, '')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/'(?:[^']|'')*'/g, "''")
  const words = text.match(/[a-z_][a-z0-9_]*|\S/gi) ?? []
  let at = 0
  const next = (): string => words[at++] ?? ''
  const isAt = (word: string): boolean => words[at]?.toLowerCase() === word
  const readQuery = (): Query => {
    const query: Query = { named: new Map(), words: new Set(), inner: [] }
    if (isAt('with')) {
      do {
        at += 1
        const name = next()
        while (words[at] !== '(') at += 1
        at += 1
        query.named.set(name, readQuery())
        at += 1
      } while (isAt(','))
    }
    readBody(query)
    return query
  }
  const readBody = (query: Query): void => {
    while (at < words.length && !isAt(')')) {
      const word = next()
      if (word !== '(') query.words.add(word)
      else {
        if (isAt('select') || isAt('with')) query.inner.push(readQuery())
        else readBody(query)
        at += 1
      }
    }
  }
  const depths = new Map<Query, number>()
  const depthOf = (query: Query, outer: Scope): number => {
    const known = depths.get(query)
    if (known !== undefined) return known
    const scope = [...outer, query.named]
    const named = [...query.words].flatMap((word): number[] => {
      const place = scope.findLastIndex((tables) => tables.has(word))
      const tables = [...(scope[place] ?? [])]
      const index = tables.findIndex(([name]) => name === word)
      const found = tables[index]?.[1]
      return found === undefined ? [] : [depthOf(found, [...scope.slice(0, place), new Map(tables.slice(0, index))])]
    })
    const depth = 1 + Math.max(0, ...named, ...query.inner.map((inner) => depthOf(inner, scope)))
    depths.set(query, depth)
    return depth
  }
  return depthOf(readQuery(), [])
}
