import type { components } from '../../client/index.ts'
import type { Operator } from './draft.ts'

export type SegmentField = components['schemas']['SegmentField']

const WORDS: Readonly<Record<Operator, string>> = {
  '=': 'is',
  '!=': 'is not',
  in: 'is any of',
  'not in': 'is none of',
  contains: 'contains',
  not_contains: 'does not contain',
  starts_with: 'starts with',
  ends_with: 'ends with',
  is_empty: 'is empty',
  is_not_empty: 'is not empty',
  '>': 'is more than',
  '>=': 'is at least',
  '<': 'is less than',
  '<=': 'is at most',
  between: 'is between',
}

const OF_DAYS: Partial<Record<Operator, string>> = {
  '>': 'is after',
  '>=': 'is on or after',
  '<': 'is before',
  '<=': 'is on or before',
}

/** An operator in words, as they are said of the field's type. */
export function operatorLabel(op: Operator, type: SegmentField['type'] | undefined): string {
  const ofDay = type === 'date' || type === 'timestamp' ? OF_DAYS[op] : undefined
  return ofDay ?? WORDS[op]
}

/** The operators that a field takes; before it is chosen, the plainest. */
export function operatorsOf(field: SegmentField | undefined): readonly Operator[] {
  return field === undefined ? ['='] : field.operators.filter((op): op is Operator => Object.hasOwn(WORDS, op))
}

/** Fields by what the form calls them: their label, and their name too where another has the same label. */
export function fieldsByLabel(fields: readonly SegmentField[]): ReadonlyMap<string, SegmentField> {
  const counts = Map.groupBy(fields, ({ label }) => label)
  const labelled = fields.map(
    (field) => [counts.get(field.label)?.length === 1 ? field.label : `${field.label} (${field.field})`, field] as const,
  )
  return new Map(labelled.sort(([a], [b]) => a.localeCompare(b)))
}
