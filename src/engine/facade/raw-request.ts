import type { Issue } from '../../core/errors.ts'

/** What a facade hands to the engine unread: parameters and spec as the user wrote them, and what was wrong with the syntax itself. */
export interface RawRequest {
  readonly params: Readonly<Record<string, unknown>>
  readonly spec: Readonly<Record<string, unknown>>
  readonly issues: readonly Issue[]
}

// Filter keys that a body may use in place of `segment` and `compare`; a name=value pair may not (http-api.md 2).
const BODY_ONLY_FILTERS = new Set(['__segment_id__', '__compare_segment_ids__'])

/**
 * Request from name=value pairs in the order given: a query string, or the options of a command. `dimensions` may be repeated or
 * comma-separated, `filter` is `key=value`, an empty value means absent. Values stay text, a repeated name becomes a list; the engine
 * converts and judges them.
 */
export function rawRequest(pairs: Iterable<readonly [string, string]>): RawRequest {
  const named = new Map<string, string[]>()
  const filters = new Map<string, string[]>()
  const issues: Issue[] = []
  for (const [name, text] of pairs) {
    if (text === '') continue
    if (name === 'filter') addFilter(filters, issues, text)
    else add(named, name, text)
  }
  const spec = {
    ...present('dimensions', named.get('dimensions')?.flatMap(commaSeparated)),
    ...present('segment', oneOrList(named.get('segment'))),
    ...present('compare', named.get('compare_segments')),
    ...(filters.size === 0 ? {} : { filters: Object.fromEntries([...filters].map(([key, values]) => [key, oneOrList(values)])) }),
  }
  const rest = [...named].filter(([name]) => !['dimensions', 'segment', 'compare_segments'].includes(name))
  return { params: Object.fromEntries(rest.map(([name, values]) => [name, oneOrList(values)])), spec, issues }
}

function addFilter(filters: Map<string, string[]>, issues: Issue[], text: string): void {
  const at = text.indexOf('=')
  const key = text.slice(0, Math.max(at, 0))
  if (key === '') refuse(issues, 'invalid_value', text, 'A filter is written key=value.')
  else if (BODY_ONLY_FILTERS.has(key)) refuse(issues, 'unknown_filter', key, `Unknown filter "${key}".`)
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

function add(map: Map<string, string[]>, key: string, value: string): void {
  const values = map.get(key)
  if (values === undefined) map.set(key, [value])
  else if (!values.includes(value)) values.push(value)
}

function present<V>(key: string, value: V | undefined): Record<string, V> {
  return value === undefined ? {} : { [key]: value }
}

function oneOrList(values: readonly string[] | undefined): string | readonly string[] | undefined {
  return values?.length === 1 ? values[0] : values
}
