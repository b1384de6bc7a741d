import { isObject } from '../../core/json.ts'
import { attributeKeyOf } from '../attributes.ts'
import { attributeNamed, attributeNames, type ResolvedNames } from '../audience-request.ts'
import { type Condition, parseConditions } from '../condition.ts'
import type { Field } from '../field.ts'
import { collectIssues, type IssueSink, mustBe, throwIssues } from '../issues.ts'
import { choice, text } from '../parameter-types.ts'
import type { ParameterDefinition } from '../parameters.ts'
import { isAbsent, type Raw } from '../raw-parameters.ts'
import type { SegmentCondition } from '../segment.ts'
import { segmentField } from '../segment-fields.ts'
import type { RawSpec } from '../spec.ts'

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

/** Filters of a list: those on its own fields, and those on the customers or subscriptions of its records. */
export function dividedFilters(
  { filters }: Pick<RawSpec, 'filters'>,
  fields: readonly Pick<Field, 'key'>[],
): { readonly own: RawSpec['filters']; readonly others: RawSpec['filters'] } {
  const isOwn = (name: string) => fields.some(({ key }) => key === name)
  return { own: filters.filter(([name]) => isOwn(name)), others: filters.filter(([name]) => !isOwn(name)) }
}

/**
 * Conditions on the customers and subscriptions of a list's records: any field that a segment may have (http-api.md 6.1). Reports unknown fields.
 * `known` are the list's own fields, for messages.
 */
export function readFurtherFilters(
  filters: RawSpec['filters'],
  known: readonly Pick<Field, 'key'>[],
  names: ResolvedNames,
  report: IssueSink,
): readonly SegmentCondition[] {
  return filters.flatMap(([name, raw]) => {
    const where = `spec.filters.${name}`
    if (attributeKeyOf(name) !== undefined && attributeNamed(name, where, names.attributes, report) === undefined) return []
    const found = segmentField(names, name)
    if (found !== undefined)
      return parseConditions(found.field, raw, where, report).map((condition) => ({
        kind: 'condition' as const,
        level: found.level,
        condition,
      }))
    const fields = new Set([...known.map(({ key }) => key), ...names.fields.keys()])
    const available_filters = [...fields, ...attributeNames(names.attributes)]
    report('unknown_filter', where, `Unknown filter "${name}".`, {
      value: name,
      known: available_filters,
      context: { available_filters },
    })
    return []
  })
}
