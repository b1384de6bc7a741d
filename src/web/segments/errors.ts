/** What is wrong with a definition, by the place that it is about. */
export type Errors = ReadonlyMap<string, readonly string[]>

export const ROOT = 'root'

/** The place of a node within its group, as the API calls it. */
export function placeWithin(group: string, index: number): string {
  return `${group}.conditions[${index}]`
}

/** The messages of a verdict by their places; each begins with its own. */
export function errorsByPlace(messages: readonly string[]): Errors {
  const pairs = messages.map((message) => {
    const [, place = ROOT, text = message] = /^(root[^:]*): (.*)$/s.exec(message) ?? []
    return { place, text: `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?]$/.test(text) ? '' : '.'}` }
  })
  return new Map([...Map.groupBy(pairs, ({ place }) => place)].map(([place, own]) => [place, own.map(({ text }) => text)]))
}
