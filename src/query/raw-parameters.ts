import { NO_FORECAST } from './forecast.ts'
import { atMost, type IssueSink, mustBe, mustBeOne } from './issues.ts'
import { FLAG, type ParameterType } from './parameter-types.ts'
import { ALL_PARAMETERS, type ParameterName, type ParameterValue, parameterNamed } from './parameters.ts'
import { STAGED_PARAMETERS, stagedReason } from './staged-parameters.ts'

export type Raw = Readonly<Record<string, unknown>>

/** A value with its place in the request. */
export interface Given<T> {
  readonly value: T
  readonly where: string
}

/** Parameters after the check of their form. A malformed one is reported, and still listed in `given`. */
export type RawParameters = { readonly [Name in ParameterName]?: Given<ParameterValue<Name>> } & {
  /** Names given with a value, valid or not. */
  readonly given: ReadonlySet<string>
}

/** Parameters that an operation accepts. */
export interface AcceptedParameters {
  /** Parameters that the operation takes in addition to the common ones. */
  readonly own: readonly ParameterName[]
  /** True if it takes only its own parameters. */
  readonly isPlain?: boolean
  readonly accepted: readonly string[]
  /** Types that replace the default types. */
  readonly types?: { readonly [Name in ParameterName]?: ParameterType<ParameterValue<Name>> } | undefined
}

/** True if a parameter counts as not given: absent, null or empty text. An empty list is an invalid value. */
export function isAbsent(raw: unknown): boolean {
  return raw === undefined || raw === null || raw === ''
}

/** Reads `params`. Reports unknown and reserved names, and repeated and malformed values (http-api.md 1.1, 1.5). */
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
    // If the main place of a parameter is the spec, readSpec reads it. Here it only counts as known.
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
  // Each value has the type of its parameter, so the cast is safe.
  return Object.freeze({ ...(Object.fromEntries(read) as Omit<RawParameters, 'given'>), given: new Set(judged) })
}

function reportUnknown(name: string, value: unknown, accepted: readonly string[], report: IssueSink): void {
  const where = `params.${name}`
  if (STAGED_PARAMETERS.includes(name)) {
    report('invalid_value', where, `"${name}" is ${stagedReason(name)}.`, { value })
    return
  }
  if (name === 'forecast') {
    report('invalid_value', where, NO_FORECAST, { value })
    return
  }
  const known = [...accepted].sort()
  report('invalid_value', where, `Unknown parameter "${name}".`, { value, word: name, known, context: { available: known } })
}

/** The parsed value at one place; undefined without a value, or after its issue was reported. */
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

// The value of a single-valued parameter. Reports an empty list and several different values.
function single(raw: unknown, where: string, report: IssueSink): unknown {
  if (isAbsent(raw)) return undefined
  if (!Array.isArray(raw)) return raw
  const distinct = [...new Set<unknown>(raw.filter((item) => !isAbsent(item)))]
  if (distinct.length !== 1) report('invalid_value', where, mustBeOne(lastName(where), distinct), { value: distinct })
  return distinct[0]
}

/** True if a request asks for the explanation of its answer. The parser reports a malformed value. */
export function isExplained(params: Raw): boolean {
  return isTrue(params, 'explain')
}

/** True if a request asks for a forecast, whether it is valid or not. */
export function asksForecast(params: Raw): boolean {
  return isTrue(params, 'forecast')
}

function isTrue(params: Raw, name: string): boolean {
  const raw = Object.hasOwn(params, name) ? params[name] : undefined
  return readValue(FLAG, raw, `params.${name}`, () => {})?.value === true
}

/** The value of the first place that has one. Reports a place with a different value. */
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
