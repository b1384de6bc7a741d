import type { Field, FieldType } from './field.ts'
import { atMost, type IssueSink, mustBe, mustHave, oneOf } from './issues.ts'
import { describeType, parseValue, type TypedValue } from './values.ts'

const STRING = [
  '=',
  '!=',
  'in',
  'not in',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'is_empty',
  'is_not_empty',
] as const
const ORDERED = ['=', '!=', '>', '>=', '<', '<=', 'in', 'not in', 'between', 'is_empty', 'is_not_empty'] as const
const BOOLEAN = ['=', '!=', 'is_empty', 'is_not_empty'] as const

export type Operator = (typeof STRING)[number] | (typeof ORDERED)[number]

/** Operators by type (http-api.md 6.2). */
export const OPERATORS: Readonly<Record<FieldType, readonly Operator[]>> = {
  string: STRING,
  number: ORDERED,
  date: ORDERED,
  timestamp: ORDERED,
  boolean: BOOLEAN,
}

const ALL: readonly Operator[] = [...new Set<Operator>([...STRING, ...ORDERED])]

/** All operators. */
export const ALL_OPERATORS = ALL

/** True for the name of an operator. */
export function isOperator(name: string): name is Operator {
  return ALL.some((operator) => operator === name)
}

/** Most values of a list. */
export const IN_LIMIT = 10_000
// Each value becomes a placeholder and an instant becomes two; PostgreSQL and MySQL count placeholders with 16 bits.
const VALUE_LIMIT = 20_000
/** Most invalid values of one list that are reported. */
export const MOST_NAMED = 10
const EXACT: readonly Operator[] = ['=', '!=', 'in', 'not in']

/** True for an operator that compares complete values, not parts or bounds. */
export function comparesWhole(operator: Operator): boolean {
  return EXACT.includes(operator)
}

/** A checked test on one field. `values` has one entry, two for `between`, any number for `in`, none for `is_empty`. */
export interface Condition {
  readonly field: Field
  readonly operator: Operator
  readonly values: readonly TypedValue[]
}

/** Conditions from `value`, `[values]` (any of) or `{operator: value}` (all must hold). Reports invalid ones. */
export function parseConditions(field: Field, raw: unknown, where: string, report: IssueSink): readonly Condition[] {
  // A list matches any of its values, even for a type without the operator `in`.
  if (Array.isArray(raw)) {
    if (raw.length > 0) return compact([parseValues(field, 'in', raw, where, report)])
    report('invalid_value', where, `"${field.key}" needs a value. To match nothing, write {"in": []}.`, { value: raw })
    return []
  }
  if (typeof raw !== 'object' || raw === null) return compact([parseValues(field, '=', raw, where, report)])
  const tests = Object.entries(raw)
  if (tests.length === 0) {
    report('invalid_operator', where, `"${field.key}" needs a value or an operator.`, {
      context: { available: OPERATORS[field.type] },
    })
  }
  return atMost(tests, where, 'operators of a filter', report).flatMap(([name, value]) => {
    if (!isOperator(name)) {
      report('invalid_operator', where, `Unknown operator "${name}".`, {
        value: name,
        known: ALL_OPERATORS,
        context: { available: OPERATORS[field.type] },
      })
      return []
    }
    return compact([parseTest(field, name, value, where, report)])
  })
}

/** Reports more values than one statement can carry. */
export function checkValueCount(conditions: readonly Condition[], where: string, report: IssueSink): void {
  const count = conditions.reduce((sum, condition) => sum + condition.values.length, 0)
  if (count <= VALUE_LIMIT) return
  report('validation_failed', where, `The filters have ${count} values together; the limit is ${VALUE_LIMIT}.`, {
    context: { limit: VALUE_LIMIT },
  })
}

/** One operator and its value on a field; undefined if an issue was reported. */
export function parseTest(
  field: Field,
  operator: Operator,
  raw: unknown,
  where: string,
  report: IssueSink,
): Condition | undefined {
  if (!OPERATORS[field.type].includes(operator)) {
    report('invalid_operator', where, `"${operator}" does not apply to "${field.key}", which is ${describeType(field.type)}.`, {
      value: operator,
      context: { available: OPERATORS[field.type] },
    })
    return undefined
  }
  if (operator === 'is_empty' || operator === 'is_not_empty') return parseEmptiness(field, operator, raw, where, report)
  return parseValues(field, operator, raw, where, report)
}

/** Checks the value of an operator without the type of its field, for unknown fields. */
export function checkTestShape(operator: Operator, raw: unknown, where: string, report: IssueSink): undefined {
  if (operator === 'is_empty' || operator === 'is_not_empty') return
  const list = readList(operator, raw, where, report) ?? []
  const isPlain = (item: unknown) => ['string', 'number', 'boolean'].includes(typeof item)
  for (const item of list.filter((candidate) => !isPlain(candidate)).slice(0, MOST_NAMED)) {
    report('invalid_value', where, mustHave(operator, 'text, a number, true or false', item), { value: item })
  }
}

function readList(operator: Operator, raw: unknown, where: string, report: IssueSink): readonly unknown[] | undefined {
  const list = listOf(operator, raw)
  if (list === undefined) {
    report('invalid_value', where, mustHave(operator, `a list${operator === 'between' ? ' of two values' : ''}`, raw), {
      value: raw,
    })
    return undefined
  }
  if (list.length <= IN_LIMIT) return list
  report('validation_failed', where, `A list of ${list.length} values; the limit is ${IN_LIMIT}.`, {
    context: { limit: IN_LIMIT },
  })
  return undefined
}

function parseValues(field: Field, operator: Operator, raw: unknown, where: string, report: IssueSink): Condition | undefined {
  const list = readList(operator, raw, where, report)
  if (list === undefined) return undefined
  const values = list.map((item) => parseValue(item, field.type, field.isUpperCase))
  const wrong = list.filter((_, index) => values[index] === undefined)
  for (const item of wrong.slice(0, MOST_NAMED)) {
    report('invalid_value', where, mustBe(field.key, describeType(field.type), item), { value: item })
  }
  const unknownValues = comparesWhole(operator) ? unknownAmong(field, compact(values)) : []
  const impossible = comparesWhole(operator) ? list.filter((_, index) => isImpossible(field, values[index])) : []
  for (const value of impossible.slice(0, MOST_NAMED)) {
    report('invalid_value', where, mustBe(field.key, field.possible?.words ?? '', value), { value })
  }
  for (const value of unknownValues.slice(0, MOST_NAMED)) {
    const { key, known } = field
    report(
      'invalid_value',
      where,
      mustBe(key, known.length > MOST_NAMED ? `one of the ${known.length} known values` : oneOf(known), value),
      {
        value,
        known,
        context: { available: known },
      },
    )
  }
  return wrong.length + unknownValues.length + impossible.length > 0 ? undefined : { field, operator, values: compact(values) }
}

/** Values outside the known ones. A misspelt value would otherwise give an empty answer. */
function unknownAmong({ known }: Field, values: readonly TypedValue[]): readonly TypedValue[] {
  return known.length === 0 ? [] : values.filter((value) => !known.includes(String(value)))
}

/** True for a value that no row can have. */
function isImpossible({ possible }: Field, value: TypedValue | undefined): boolean {
  return possible !== undefined && value !== undefined && !possible.has(String(value))
}

function parseEmptiness(field: Field, operator: Operator, raw: unknown, where: string, report: IssueSink): Condition | undefined {
  if (raw === true || raw === null || raw === '') return { field, operator, values: [] }
  report('invalid_value', where, mustHave(operator, 'the value true or none', raw), { value: raw })
  return undefined
}

function listOf(operator: Operator, raw: unknown): readonly unknown[] | undefined {
  if (operator === 'between') return Array.isArray(raw) && raw.length === 2 ? raw : undefined
  if (operator === 'in' || operator === 'not in') return Array.isArray(raw) ? raw : undefined
  return [raw]
}

function compact<T>(items: readonly (T | undefined)[]): T[] {
  return items.filter((item) => item !== undefined)
}
