import { InternalError } from '../core/errors.ts'
import type { FnName } from './fragment.ts'

/** Places for fragments of the query layer. A template writes a slot as a comment with its name in braces. */
export const SLOTS = ['dimensions', 'dimension_names', 'joins', 'filters', 'group_by', 'order_by', 'page'] as const
export type Slot = (typeof SLOTS)[number]

/** Place in a file; line and column count from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'param'; readonly name: string; readonly at: Position }
  | { readonly kind: 'relation'; readonly name: string; readonly at: Position }
  | { readonly kind: 'fn'; readonly name: FnName; readonly args: readonly (readonly TemplateNode[])[]; readonly at: Position }
  | { readonly kind: 'slot'; readonly slot: Slot; readonly at: Position }

/** All nodes, including those inside function arguments. */
export function flatten(nodes: readonly TemplateNode[]): TemplateNode[] {
  return nodes.flatMap((node) => (node.kind === 'fn' ? [node, ...node.args.flatMap(flatten)] : [node]))
}

/** A violation of the contract of templates. Line and column count from 1. */
export interface TemplateProblem {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
}

/** All violations of the contract of templates, each with its place. */
export class TemplateError extends InternalError {
  readonly problems: readonly TemplateProblem[]

  constructor(problems: readonly TemplateProblem[]) {
    super(problems.map((problem) => `${problem.file}:${problem.line}:${problem.column}: ${problem.message}`).join('\n'))
    this.name = 'TemplateError'
    this.problems = problems
  }
}
