import { isObject, shapeFault } from '../core/json.ts'
import type { NamedSegment } from '../core/workspace.ts'
import type { Condition } from './condition.ts'
import type { Field } from './field.ts'

/**
 * Where the value of a field stands: on the customer, on a stretch of one of its subscriptions at the reference instant, or among its
 * attributes (D62).
 */
export interface SegmentField {
  readonly level: 'customer' | 'span' | 'attribute'
  readonly field: Field
}

/** A checked definition: groups of groups and conditions. A group of nothing holds for everybody. */
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

/** Every condition of the tree, from left to right. */
export function conditionsIn(node: SegmentNode): readonly SegmentCondition[] {
  return node.kind === 'condition' ? [node] : node.nodes.flatMap(conditionsIn)
}

/** The tree without what does not decide: a group of nothing holds in `and`, and is left out of `or` (http-api.md 6.1). */
export function withoutEmptyGroups(group: SegmentGroup): SegmentGroup {
  const nodes = group.nodes.flatMap((node): readonly SegmentNode[] => {
    if (node.kind === 'condition') return [node]
    const inner = withoutEmptyGroups(node)
    return inner.nodes.length === 0 ? [] : [inner]
  })
  return { ...group, nodes }
}

const NAME = 'as written'

/** True for a definition in the place of a segment's id or name: JSON text of an object. */
export function isWrittenSegment(text: string): boolean {
  return text.trimStart().startsWith('{')
}

/**
 * The segment that a definition in the place of a name stands for; undefined where the text is not a JSON object or has a shape that no
 * definition needs. The content is judged elsewhere.
 */
export function writtenSegment(text: string): NamedSegment | undefined {
  // What is nested very deeply exhausts the stack of all who write it again.
  if (!isWrittenSegment(text) || shapeFault(new TextEncoder().encode(text)) !== undefined) return undefined
  try {
    const definition: unknown = JSON.parse(text)
    return isObject(definition) ? { id: text, name: NAME, definition } : undefined
  } catch {
    return undefined
  }
}
