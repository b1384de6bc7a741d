import { SINGLE_PARAMETERS } from './parameters.ts'

/** Fields of `spec` (http-api.md 2). */
export const SPEC_FIELDS: readonly string[] = ['dimensions', 'filters', 'granularity', 'segment', 'compare', 'time_range']

// What the query string calls otherwise.
const RENAMED: Readonly<Record<string, string>> = { filter: 'filters', compare_segments: 'compare' }

/** Where a body has what somebody wrote elsewhere: `spec.compare` of `compare_segments`; undefined for what is nowhere. */
export function placeOf(name: string): string | undefined {
  const field = Object.hasOwn(RENAMED, name) ? RENAMED[name] : name
  if (field !== undefined && SPEC_FIELDS.includes(field)) return `spec.${field}`
  return SINGLE_PARAMETERS.some((known) => known === name) ? `params.${name}` : undefined
}

/** Message about a field that is not known where it stands. */
export function unknownField(name: string): string {
  const place = placeOf(name)
  return `Unknown field "${name}"${place === undefined ? '' : `: it belongs to "${place}"`}.`
}
