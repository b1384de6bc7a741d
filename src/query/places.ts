import { ALL_PARAMETERS, type ParameterDefinition, parameterNamed } from './parameters.ts'

const PLACES: readonly string[] = ALL_PARAMETERS.flatMap(({ places }) => places)

/** Fields of `spec` (http-api.md 2). */
export const SPEC_FIELDS: readonly string[] = [...new Set(PLACES.flatMap((place) => /^spec\.([^.]+)/.exec(place)?.[1] ?? []))]

/** Filter keys that a body may use in place of a field. A name=value pair may not (http-api.md 2). */
export const RESERVED_FILTERS: readonly string[] = ALL_PARAMETERS.flatMap(({ places }) => places.slice(1)).flatMap(
  (place) => /^spec\.filters\.(.+)/.exec(place)?.[1] ?? [],
)

/** Parameters that `params` of a metric query may contain. */
export const QUERY_PARAMETERS: readonly string[] = ALL_PARAMETERS.filter(
  ({ name, places, known_to }) => known_to !== 'records' && places.includes(`params.${name}`),
).map(({ name }) => name)

/** The parameter at the place of an issue, if there is one. Only fields of the spec have nested places. */
export function parameterAt(where: string): ParameterDefinition | undefined {
  const field = /^spec\.[^.]+/.exec(where)?.[0]
  return ALL_PARAMETERS.find(({ places }) => places.some((place) => place === where || place === field))
}

/** The place of a name in a body, for example `spec.compare` for `compare_segments`; undefined if it has none. */
export function placeOf(name: string): string | undefined {
  if (SPEC_FIELDS.includes(name)) return `spec.${name}`
  const parameter = parameterNamed(name)
  return parameter?.known_to === 'records' ? undefined : parameter?.places[0]
}

/** Message about an unknown field, with its right place if it has one. */
export function unknownField(name: string): string {
  const place = placeOf(name)
  return `Unknown field "${name}"${place === undefined ? '' : `: it belongs to "${place}"`}.`
}
