import type { Issue } from '../../core/errors.ts'
import { mustBe } from '../../query/issues.ts'
import { parameterNamed } from '../../query/parameters.ts'
import { RESERVED_FILTERS } from '../../query/places.ts'

/** The unparsed input of the engine: parameters and spec as written, and the syntax issues that the facade found. */
export interface RawRequest {
  readonly params: Readonly<Record<string, unknown>>
  readonly spec: Readonly<Record<string, unknown>>
  readonly issues: readonly Issue[]
}

/**
 * The request of name=value pairs in their order: a query string, or the options of a command. The parameter table defines the syntax of each
 * name and its place in the request. `filter` is `key=value`. An empty value means absent. Values stay text, and a repeated name becomes a
 * list: the engine converts and validates them.
 */
export function rawRequest(pairs: Iterable<readonly [string, string]>): RawRequest {
  const named: Values = new Map()
  const filters: Values = new Map()
  const issues: Issue[] = []
  for (const [name, text] of pairs) {
    if (text === '') continue
    const wire = parameterNamed(name)?.wire ?? 'once'
    if (wire === 'pairs') addFilter(filters, issues, text)
    else for (const value of wire === 'repeated_or_commas' ? commaSeparated(text) : [text]) add(named, name, value)
  }
  const placed = [...named].map(([name, values]) => ({ place: placeOf(name), value: writtenValue(name, [...values]) }))
  const inside = (part: 'params' | 'spec') =>
    Object.fromEntries(placed.flatMap(({ place, value }) => (place.part === part ? [[place.field, value] as const] : [])))
  const given = [...filters].map(([key, values]) => [key, oneOrList([...values])] as const)
  const spec = { ...inside('spec'), ...(given.length === 0 ? {} : { filters: Object.fromEntries(given) }) }
  return { params: inside('params'), spec, issues }
}

// Values by parameter name or filter key, in the order of the request and without duplicates.
type Values = Map<string, Set<string>>

function placeOf(name: string): { readonly part: 'params' | 'spec'; readonly field: string } {
  const field = /^spec\.(.+)/.exec(parameterNamed(name)?.places[0] ?? '')?.[1]
  return field === undefined ? { part: 'params', field: name } : { part: 'spec', field }
}

function writtenValue(name: string, values: readonly string[]): string | readonly string[] | undefined {
  return parameterNamed(name)?.type.isCollection === true ? values : oneOrList(values)
}

function addFilter(filters: Values, issues: Issue[], text: string): void {
  const at = text.indexOf('=')
  const key = text.slice(0, Math.max(at, 0))
  if (key === '') refuse(issues, 'invalid_value', text, mustBe('filter', 'written key=value', text))
  else if (RESERVED_FILTERS.includes(key)) refuse(issues, 'unknown_filter', key, `Unknown filter "${key}".`)
  else add(filters, key, text.slice(at + 1))
}

function refuse(issues: Issue[], code: Issue['code'], value: string, message: string): void {
  issues.push({ code, where: 'spec.filters', value, message, did_you_mean: [] })
}

function commaSeparated(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function add(map: Values, key: string, value: string): void {
  const values = map.get(key)
  if (values === undefined) map.set(key, new Set([value]))
  else values.add(value)
}

function oneOrList(values: readonly string[]): string | readonly string[] | undefined {
  return values.length === 1 ? values[0] : values
}
