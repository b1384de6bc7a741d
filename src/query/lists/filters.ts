import { isObject } from '../../core/json.ts'
import type { Condition } from '../condition.ts'
import type { Field } from '../field.ts'
import { collectIssues, type IssueSink, mustBe, throwIssues } from '../issues.ts'
import { choice, text } from '../parameter-types.ts'
import type { ParameterDefinition } from '../parameters.ts'
import { isAbsent, type Raw } from '../raw-parameters.ts'

/** A field of a list as a separate parameter: `status=open` equals `filter=status=open`. */
export function plainFilter(
  { key, description }: Pick<Field, 'key' | 'description'>,
  known: readonly string[],
): ParameterDefinition {
  return {
    name: key,
    type: known.length === 0 ? text() : choice(known),
    wire: 'repeated',
    places: [`params.${key}`],
    known_to: 'records',
    option: undefined,
    description: `Only records with this ${key}. Repeatable; any of the values matches. ${description}`,
  }
}

/** Place of a condition on a field: a separate parameter, or the filters. */
export function placeOfFilter(key: string, params: Raw): string {
  return Object.hasOwn(params, key) && !isAbsent(params[key]) ? `params.${key}` : `spec.filters.${key}`
}

/** Moves parameters that name fields into the filters. Reports a value that contradicts the filters. */
export function withPlainFilters(
  params: Raw,
  spec: Raw,
  fields: readonly Pick<Field, 'key'>[],
  report: IssueSink,
): { readonly params: Raw; readonly spec: Raw } {
  const isField = (name: string) => fields.some(({ key }) => key === name)
  const [plain, others] = [true, false].map((wanted) => Object.entries(params).filter(([name]) => isField(name) === wanted))
  const named = (plain ?? []).filter(([, value]) => !isAbsent(value))
  const filters = spec['filters'] ?? {}
  // Filters that are not an object are refused later.
  if (named.length === 0 || !isObject(filters)) return { params: Object.fromEntries(others ?? []), spec }
  for (const [name, value] of named) {
    const other = Object.hasOwn(filters, name) ? filters[name] : value
    if (JSON.stringify(other) === JSON.stringify(value)) continue
    const message = mustBe(name, `the same as in "filter", ${JSON.stringify(other)}`, value)
    report('invalid_value', `params.${name}`, message, { value })
  }
  return { params: Object.fromEntries(others ?? []), spec: { ...spec, filters: { ...filters, ...Object.fromEntries(named) } } }
}

/** The wanted values of each field, for lists whose filters allow only `=`. AppError `invalid_operator` for other operators. */
export function equalitiesIn(conditions: readonly Condition[], params: Raw): ReadonlyMap<string, readonly string[]> {
  const { report, issues } = collectIssues()
  const wanted = new Map<string, readonly string[]>()
  for (const { field, operator, values } of conditions) {
    if (operator !== '=' && operator !== 'in')
      report('invalid_operator', placeOfFilter(field.key, params), `"${field.key}" allows only the operator "=".`, {
        value: operator,
      })
    wanted.set(field.key, values.map(String))
  }
  throwIssues(issues)
  return wanted
}
