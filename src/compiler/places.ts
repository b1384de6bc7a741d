import { isBlank, tokenize } from './lexer.ts'
import { flatten, type Template } from './template.ts'

/** The name of a part of a template: one of its CTEs, or the statement after them. */
interface Part {
  readonly relations: string[]
  readonly ctes: string[]
}

/** The name of the part after the CTEs. */
const REST = ''

/**
 * The number of times that a database reads each relation of a template if it runs a CTE again for each place that names it. A relation counts
 * as often as the CTE that contains it.
 */
export function placesIn(template: Template): ReadonlyMap<string, number> {
  const parts = partsOf(template)
  const known = new Map([[REST, 1]])
  const timesOf = (cte: string): number => {
    const readers = [...parts].flatMap(([name, { ctes }]) => ctes.flatMap((read) => (read === cte ? [name] : [])))
    const times = known.get(cte) ?? readers.reduce((sum, reader) => sum + timesOf(reader), 0)
    known.set(cte, times)
    return times
  }
  const places = new Map<string, number>()
  for (const [name, { relations }] of parts)
    for (const relation of relations) places.set(relation, (places.get(relation) ?? 0) + timesOf(name))
  return places
}

function partsOf({ nodes, ctes }: Template): ReadonlyMap<string, Part> {
  const parts = new Map<string, Part>()
  let name = REST
  let depth = 0
  let [beforeLast, last] = ['', '']
  const part = (): Part => {
    const found = parts.get(name) ?? { relations: [], ctes: [] }
    parts.set(name, found)
    return found
  }
  for (const node of flatten(nodes)) {
    if (node.kind === 'relation') part().relations.push(node.name)
    if (node.kind !== 'text') continue
    for (const { text } of tokenize(node.text).filter((token) => !isBlank(token))) {
      if (text === '(' && depth === 0 && last === 'as' && ctes.has(beforeLast)) {
        name = beforeLast
        depth = 1
      } else if (name !== REST) {
        if (text === '(') depth++
        if (text === ')') depth--
        if (depth === 0) name = REST
      }
      if (ctes.has(text) && (last === 'from' || last === 'join')) part().ctes.push(text)
      beforeLast = last
      last = text.toLowerCase()
    }
  }
  return parts
}
