import { basename } from 'node:path'
import { type Header, parseHeader, type Report } from './header.ts'
import { isBlank, tokenize } from './lexer.ts'
import { checkContract, checkTokens, namesIn } from './template-check.ts'
import { TemplateError, type TemplateProblem } from './template-error.ts'
import type { TemplateNode } from './template-node.ts'
import { isSlot, parseNodes } from './template-parser.ts'

export type { Header, QueryHeader, RelationHeader } from './header.ts'
export { TemplateError } from './template-error.ts'
export { flatten, SLOTS, type Slot, type TemplateNode } from './template-node.ts'

/** One SQL file, parsed and checked. */
export interface Template {
  readonly file: string
  readonly header: Header
  readonly nodes: readonly TemplateNode[]
  /** Names of the file's own CTEs. */
  readonly ctes: ReadonlySet<string>
  /** Tables that the file reads by their plain name. */
  readonly tables: ReadonlySet<string>
}

/** Parses a file and holds it against the contract of its header; throws a TemplateError that lists every breach. */
export function parseTemplate(file: string, text: string): Template {
  const problems: TemplateProblem[] = []
  const report: Report = (at, message) => {
    problems.push({ file, line: at.line, column: at.column, message })
  }
  const tokens = tokenize(text)
  const start = tokens.findIndex((token) => token.kind !== 'space' && token.kind !== 'line_comment')
  const bodyStart = start < 0 ? tokens.length : start
  const comments = tokens.slice(0, bodyStart).filter((token) => token.kind === 'line_comment')
  const parsed = parseHeader(basename(file), comments, report)
  const body = tokens.slice(bodyStart, tokens.findLastIndex((token) => token.kind !== 'space') + 1)
  if (body.every(isBlank)) report({ line: 1, column: 1 }, 'the file holds no SQL')
  checkTokens(body, report)
  // A WITH list stands first, where relations are put in front of it.
  const nodes = parseNodes(body.slice(body.findIndex((token) => isSlot(token) || !isBlank(token))), report)
  checkContract(parsed, nodes, report)
  const names = namesIn(body)
  for (const cte of names.ctes) {
    if (cte.startsWith('rel_'))
      report({ line: 1, column: 1 }, `the CTE name ${cte} begins with rel_, which is kept for relations`)
  }
  const { header } = parsed
  if (problems.length > 0 || header === undefined) throw new TemplateError(inOrder(problems))
  return Object.freeze({ file, header: Object.freeze(header), nodes: Object.freeze(nodes), ...names })
}

function inOrder(problems: readonly TemplateProblem[]): TemplateProblem[] {
  return [...problems].sort((a, b) => a.line - b.line || a.column - b.column)
}
