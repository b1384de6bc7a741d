import type { FieldType } from './field.ts'

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

/** All operators there are. */
export const ALL_OPERATORS = ALL

/** True for the name of an operator. */
export function isOperator(name: string): name is Operator {
  return ALL.some((operator) => operator === name)
}
