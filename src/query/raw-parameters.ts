import { atMost, type IssueSink, mustBe, mustBeOne } from './issues.ts'
import type { ParameterType } from './parameter-types.ts'
import { ALL_PARAMETERS, type ParameterName, type ParameterValue, parameterNamed, STAGED_PARAMETERS } from './parameters.ts'
import { NO_FORECASTS } from './ranges.ts'

export type Raw = Readonly<Record<string, unknown>>

/** A value with the place it was given at. */
export interface Given<T> {
  readonly value: T
  readonly where: string
}

/** Parameters after their form was checked, each by itself. What was malformed is reported, and listed in `given` all the same. */
export type RawParameters = { readonly [Name in ParameterName]?: Given<ParameterValue<Name>> } & {
  /** Names given with a value, well-formed or not. */
  readonly given: ReadonlySet<string>
}

/** Parameters that an operation takes besides those that every request knows, and the names that an unknown one is told of. */
export interface AcceptedParameters {
  readonly own: readonly ParameterName[]
  /** True where it knows its own alone. */
  readonly isPlain?: boolean
  readonly accepted: readonly string[]
  /** Types of some of them where they are not those of the table. */
  readonly types?: { readonly [Name in ParameterName]?: ParameterType<ParameterValue<Name>> }
}

/** True for a parameter that counts as not given: absent, null, empty text. An empty list is a value, and a wrong one. */
export function isAbsent(raw: unknown): boolean {
  return raw === undefined || raw === null || raw === ''
}

/** Reads `params` by the table: unknown names, staged names, repeated and malformed values are reported (http-api.md 1.1, 1.5). */
export function readParameters(
  params: Raw,
  { own, isPlain = false, accepted, types = {} }: AcceptedParameters,
  report: IssueSink,
): RawParameters {
  const named = Object.entries(params).filter(([, raw]) => !isAbsent(raw))
  const judged = atMost(named, 'params', 'parameters', report).map(([name]) => name)
  const takes = (name: string) => own.some((taken) => taken === name)
  const known = ALL_PARAMETERS.filter(({ name, places: [main], known_to }) => {
    return main === `params.${name}` && (takes(name) || (known_to === 'all' && !isPlain))
  })
  for (const name of judged) {
    // What mainly stands in the spec is read with it, and known here where it is taken.
    const isOfSpec = takes(name) && parameterNamed(name)?.places.includes(`params.${name}`) === true
    if (!isOfSpec && !known.some((parameter) => parameter.name === name)) reportUnknown(name, params[name], accepted, report)
  }
  const read = known.flatMap(({ name, type }) => {
    const given = readValue(
      types[name as ParameterName] ?? type,
      Object.hasOwn(params, name) ? params[name] : undefined,
      `params.${name}`,
      report,
    )
    return given === undefined ? [] : [[name, given] as const]
  })
  // The types of the table are those of the names.
  return Object.freeze({ ...(Object.fromEntries(read) as Omit<RawParameters, 'given'>), given: new Set(judged) })
}

function reportUnknown(name: string, value: unknown, accepted: readonly string[], report: IssueSink): void {
  const where = `params.${name}`
  if (STAGED_PARAMETERS.includes(name)) {
    const why = name === 'forecast' ? `: ${NO_FORECASTS}` : ''
    report('invalid_value', where, `"${name}" is not available in this version${why}.`, { value })
    return
  }
  const known = [...accepted].sort()
  report('invalid_value', where, `Unknown parameter "${name}".`, { value, word: name, known, context: { available: known } })
}

/** The value given at one place, in its type; undefined where there is none, or after what is wrong with it was reported. */
export function readValue<T>(type: ParameterType<T>, raw: unknown, where: string, report: IssueSink): Given<T> | undefined {
  const given = type.isCollection ? raw : single(raw, where, report)
  if (given === undefined) return undefined
  const value = type.read(given)
  if (value !== undefined) return { value, where }
  const { code, words, available, reason } = type
  report(code, where, reason?.(given) ?? mustBe(lastName(where), words, given), {
    value: given,
    ...(available === undefined ? {} : { known: available, context: { available } }),
  })
  return undefined
}

// The one value of a single-valued parameter; an empty list and several different ones are reported.
function single(raw: unknown, where: string, report: IssueSink): unknown {
  if (isAbsent(raw)) return undefined
  if (!Array.isArray(raw)) return raw
  const distinct = [...new Set<unknown>(raw.filter((item) => !isAbsent(item)))]
  if (distinct.length !== 1) report('invalid_value', where, mustBeOne(lastName(where), distinct), { value: distinct })
  return distinct[0]
}

/** The value of the first place that has one. A place that says something else is reported. */
export function agreed<T>(
  givens: readonly (Given<T> | undefined)[],
  code: 'invalid_value' | 'invalid_interval' | 'invalid_range',
  report: IssueSink,
): Given<T> | undefined {
  const [first, ...others] = givens.filter((given) => given !== undefined)
  for (const { value, where } of others) {
    if (first === undefined || JSON.stringify(value) === JSON.stringify(first.value)) continue
    const [name, other] = lastName(where) === lastName(first.where) ? [where, first.where] : [where, first.where].map(lastName)
    report(code, where, mustBe(name ?? where, `the same as "${other}", ${JSON.stringify(first.value)}`, value), { value })
  }
  return first
}

function lastName(where: string): string {
  return where.slice(where.lastIndexOf('.') + 1)
}
