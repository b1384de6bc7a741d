import type { Issue } from '../../core/errors.ts'

/** What a facade hands to the engine unread: parameters and spec as the user wrote them, and what was wrong with the syntax itself. */
export interface RawRequest {
  readonly params: Readonly<Record<string, unknown>>
  readonly spec: Readonly<Record<string, unknown>>
  readonly issues: readonly Issue[]
}

const SPEC_NAMES: Readonly<Record<string, string>> = { granularity: 'granularity', segment: 'segment' }
// Filter keys that a body may use in place of `segment` and `compare`; a name=value pair may not (http-api.md 2).
const BODY_ONLY_FILTERS = new Set(['__segment_id__', '__compare_segment_ids__'])

/**
 * Request from name=value pairs in the order given: a query string, or the options of a command. `dimensions` may be repeated or
 * comma-separated, `filter` is `key=value`, an empty value means absent. Values stay text; the engine converts and judges them.
 */
export function rawRequest(pairs: Iterable<readonly [string, string]>): RawRequest {
  const single = new Map<string, Set<string>>()
  const dimensions = new Set<string>()
  const compare = new Set<string>()
  const filters = new Map<string, Set<string>>()
  const issues: Issue[] = []
  for (const [name, text] of pairs) {
    if (name === 'filter') addFilter(filters, issues, text)
    else if (text === '') continue
    else if (name === 'dimensions') for (const part of text.split(',')) addNonEmpty(dimensions, part.trim())
    else if (name === 'compare_segments') compare.add(text)
    else addTo(single, name, text)
  }
  const params = new Map<string, unknown>()
  const spec = new Map<string, unknown>()
  for (const [name, values] of single) {
    const [first, ...others] = values
    const specName = Object.hasOwn(SPEC_NAMES, name) ? SPEC_NAMES[name] : undefined
    if (others.length > 0) issues.push(repeated(specName === undefined ? `params.${name}` : `spec.${specName}`, name, [...values]))
    if (specName === undefined) params.set(name, first)
    else spec.set(specName, first)
  }
  if (dimensions.size > 0) spec.set('dimensions', [...dimensions])
  if (compare.size > 0) spec.set('compare', [...compare])
  if (filters.size > 0) spec.set('filters', Object.fromEntries([...filters].map(([key, values]) => [key, oneOrList(values)])))
  return { params: Object.fromEntries(params), spec: Object.fromEntries(spec), issues }
}

function addFilter(filters: Map<string, Set<string>>, issues: Issue[], text: string): void {
  const at = text.indexOf('=')
  const key = text.slice(0, at)
  if (at < 1) {
    issues.push(issue('invalid_value', 'spec.filters', text, 'A filter is written key=value.'))
  } else if (BODY_ONLY_FILTERS.has(key)) {
    issues.push(issue('unknown_filter', 'spec.filters', text, `Unknown filter "${key}".`))
  } else {
    addTo(filters, key, text.slice(at + 1))
  }
}

function repeated(where: string, name: string, values: readonly string[]): Issue {
  return issue('invalid_value', where, values, `"${name}" takes one value and was given several.`)
}

function issue(code: Issue['code'], where: string, value: unknown, message: string): Issue {
  return { code, where, value, message, did_you_mean: [] }
}

function addTo(map: Map<string, Set<string>>, key: string, value: string): void {
  const values = map.get(key)
  if (values === undefined) map.set(key, new Set([value]))
  else values.add(value)
}

function addNonEmpty(set: Set<string>, text: string): void {
  if (text !== '') set.add(text)
}

function oneOrList(values: ReadonlySet<string>): string | readonly string[] {
  const list = [...values]
  return list.length === 1 ? (list[0] ?? '') : list
}
