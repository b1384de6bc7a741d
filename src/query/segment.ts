import { isObject, shapeFault } from '../core/json.ts'
import type { NamedSegment } from '../core/workspace.ts'
import type { Condition } from './condition.ts'
import type { Field } from './field.ts'

/**
 * The level of a field: the customer, a span of one of its subscriptions at the reference instant, or an attribute (D62).
 */
export interface SegmentField {
  readonly level: 'customer' | 'span' | 'attribute'
  readonly field: Field
}

/** A validated definition: nested groups and conditions. An empty group matches every customer. */
export type SegmentNode = SegmentGroup | SegmentCondition

export interface SegmentGroup {
  readonly kind: 'group'
  readonly op: 'and' | 'or'
  readonly nodes: readonly SegmentNode[]
}

export interface SegmentCondition {
  readonly kind: 'condition'
  readonly level: SegmentField['level']
  readonly condition: Condition
}

/** All conditions of the tree, from left to right. */
export function conditionsIn(node: SegmentNode): readonly SegmentCondition[] {
  return node.kind === 'condition' ? [node] : node.nodes.flatMap(conditionsIn)
}

/** The tree without empty groups, which have no effect in `and` or `or` (http-api.md 6.1). */
export function withoutEmptyGroups(group: SegmentGroup): SegmentGroup {
  const nodes = group.nodes.flatMap((node): readonly SegmentNode[] => {
    if (node.kind === 'condition') return [node]
    const inner = withoutEmptyGroups(node)
    return inner.nodes.length === 0 ? [] : [inner]
  })
  return { ...group, nodes }
}

const NAME = 'as written'

/** True for an inline definition, which begins with `{`, in place of a segment's id or name. */
export function isWrittenSegment(text: string): boolean {
  return text.trimStart().startsWith('{')
}

/**
 * The segment of an inline definition; undefined if the text is not a JSON object, or is nested too deeply or too large. This does not
 * validate the definition.
 */
export function writtenSegment(text: string): NamedSegment | undefined {
  // A very deep definition would exhaust the stack when it is serialized again.
  if (!isWrittenSegment(text) || shapeFault(new TextEncoder().encode(text)) !== undefined) return undefined
  try {
    const definition: unknown = JSON.parse(text)
    return isObject(definition) ? { id: text, name: NAME, definition } : undefined
  } catch {
    return undefined
  }
}
