import type { components } from '../../client/index.ts'
import { labelOfField } from '../format/labels.ts'

export type Definition = components['schemas']['SegmentDefinition']
type Condition = components['schemas']['SegmentCondition']
export type Operator = Condition['op']
type Joint = 'and' | 'or'

/** A condition in the form. Its values are texts. */
export interface DraftCondition {
  readonly id: string
  readonly field: string
  readonly op: Operator
  readonly values: readonly string[]
}

/** Conditions and nested groups. Customers must match all or any of them. */
export interface DraftGroup {
  readonly id: string
  readonly joint: Joint
  readonly nodes: readonly DraftNode[]
}

export type DraftNode = DraftCondition | DraftGroup

export function isGroup(node: DraftNode): node is DraftGroup {
  return 'nodes' in node
}

export function newGroup(joint: Joint): DraftGroup {
  return { id: crypto.randomUUID(), joint, nodes: [] }
}

/** A condition without a value. */
export function newCondition(field = ''): DraftCondition {
  return { id: crypto.randomUUID(), field, op: '=', values: [] }
}

/** The editable tree of a saved definition. */
export function draftOf({ root }: Definition): DraftGroup {
  const { op, conditions } = root
  return {
    id: crypto.randomUUID(),
    joint: op,
    nodes: conditions.map((node) => ('conditions' in node ? draftOf({ root: node }) : conditionOf(node))),
  }
}

/** The definition in the form that the API expects. */
export function definitionOf(root: DraftGroup): Definition {
  return { version: 1, root: groupOf(root) }
}

/** The tree with one node replaced or removed. */
export function replaced(group: DraftGroup, id: string, node: DraftNode | undefined): DraftGroup {
  return {
    ...group,
    nodes: group.nodes.flatMap((own) => {
      if (own.id === id) return node ?? []
      return isGroup(own) ? replaced(own, id, node) : own
    }),
  }
}

/** Number of values that an operator takes. */
export function valueCount(op: Operator): 0 | 1 | 2 | 'many' {
  if (op === 'is_empty' || op === 'is_not_empty') return 0
  if (op === 'between') return 2
  return op === 'in' || op === 'not in' ? 'many' : 1
}

/** Whether every condition has a field and its values. */
export function isComplete(node: DraftNode): boolean {
  if (isGroup(node)) return node.nodes.every(isComplete)
  const count = valueCount(node.op)
  const written = node.values.filter((value) => value !== '').length
  return node.field !== '' && (count === 'many' ? written > 0 : written >= count)
}

function conditionOf({ field, op, value }: Condition): DraftCondition {
  const values = value === undefined || value === null ? [] : [value].flat().map(String)
  return { id: crypto.randomUUID(), field, op, values }
}

function groupOf({ joint, nodes }: DraftGroup): Definition['root'] {
  return {
    op: joint,
    conditions: nodes.map((node) => {
      if (isGroup(node)) return groupOf(node)
      const { field, op, values } = node
      const count = valueCount(op)
      if (count === 0) return { field, op }
      return { field, op, value: count === 1 ? (values[0] ?? '') : values }
    }),
  }
}

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

/** The name of an operator on the page. It depends on the type of the field. */
export function operatorLabel(op: Operator, type: SegmentField['type'] | undefined): string {
  const ofDay = type === 'date' || type === 'timestamp' ? OF_DAYS[op] : undefined
  return ofDay ?? WORDS[op]
}

/** The operators of a field. Before a field is chosen, only `=`. */
export function operatorsOf(field: SegmentField | undefined): readonly Operator[] {
  return field === undefined ? ['='] : field.operators.filter((op): op is Operator => Object.hasOwn(WORDS, op))
}

/**
 * Fields by their label in the form. Of fields with equal labels, those of the subscription say so. Fields that still have equal
 * labels also show their names.
 */
export function fieldsByLabel(fields: readonly SegmentField[]): ReadonlyMap<string, SegmentField> {
  const named = fields.map((field) => ({ field, label: labelOfField({ key: field.field, label: field.label }) }))
  const owned = distinct(named, ({ field, label }) => {
    const [, owner] = /^(customer|subscription|computed)\./.exec(field.field) ?? []
    return owner === undefined ? label : `${label} (${owner})`
  })
  const labelled = distinct(owned, ({ field, label }) => `${label} (${field.field})`)
  return new Map(labelled.map(({ label, field }) => [label, field] as const).sort(([a], [b]) => a.localeCompare(b)))
}

interface Named {
  readonly field: SegmentField
  readonly label: string
}

function distinct(fields: readonly Named[], longer: (named: Named) => string): readonly Named[] {
  const counts = Map.groupBy(fields, ({ label }) => label)
  return fields.map((named) => (counts.get(named.label)?.length === 1 ? named : { ...named, label: longer(named) }))
}
