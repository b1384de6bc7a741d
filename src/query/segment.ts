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
