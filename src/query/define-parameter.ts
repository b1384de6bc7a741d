import type { ParameterType } from './parameter-types.ts'

/** Form in the query string and on the command line: once, repeated, repeated or separated by commas, repeated as `key=value`. */
type WireForm = 'once' | 'repeated' | 'repeated_or_commas' | 'pairs'

/** Place in a request: `params.<name>` or `spec.<field>`. */
export type Place = `params.${string}` | `spec.${string}`

/** The command-line option of a parameter. */
interface ParameterOption<Name extends string = string> {
  readonly name: Name
  readonly hint: string
  readonly description: string
}

/** A request parameter. The query string, body, command line, API document, messages and parser all follow from this definition. */
export interface ParameterDefinition<T = unknown, Option extends string = string> {
  readonly name: string
  readonly type: ParameterType<T>
  readonly wire: WireForm
  /** Equivalent places. Query string and command line use the first. */
  readonly places: readonly [Place, ...Place[]]
  /**
   * The requests that know it. A parameter for `all` is checked for form, and ignored if it has no use (http-api.md 1.1). A parameter for
   * `rows` is known to metrics and records that take it. One for `cells` names one number of an answer.
   */
  readonly known_to: 'all' | 'metrics' | 'records' | 'rows' | 'cells'
  readonly option: ParameterOption<Option> | undefined
  readonly description: string
}

/** A frozen parameter with its defaults: once, in `params`, known to all requests. */
export function parameter<T, const Option extends string = never>(
  name: string,
  type: ParameterType<T>,
  description: string,
  rest: Partial<Pick<ParameterDefinition, 'wire' | 'places' | 'known_to'>> & { readonly option?: ParameterOption<Option> } = {},
): ParameterDefinition<T, Option> {
  const { wire = 'once', places = [`params.${name}`], known_to = 'all', option } = rest
  return Object.freeze({ name, type, description, wire, places, known_to, option })
}
