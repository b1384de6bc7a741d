import { basename } from 'node:path'
import { type Header, type ParsedHeader, parseHeader, type Report } from './header.ts'
import { isBlank, type Token, tokenize } from './lexer.ts'
import { flatten, TemplateError, type TemplateNode, type TemplateProblem } from './template-node.ts'
import { isSlot, parseNodes } from './template-parser.ts'

export type { Header, QueryHeader, RelationHeader } from './header.ts'
export { flatten, SLOTS, type Slot, TemplateError, type TemplateNode } from './template-node.ts'

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

/** Parses a file and checks it against its header. Throws a TemplateError with all violations. */
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
  // A WITH list must come first, because relations are added in front of it.
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

/** Reports tokens that no template may contain, because it is nested into other statements and prepared by several databases. */
function checkTokens(tokens: readonly Token[], report: Report): void {
  let depth = 0
  for (const token of tokens) {
    if (!token.closed) report(token, `${token.kind.replace('_', ' ')} is never closed`)
    if (token.text === '::')
      report(
        token,
        '`::` is a cast of PostgreSQL only: give the parameter a type in the header, or write fn.text(x), fn.integer(x)',
      )
    if (token.text === ';') report(token, '`;` is not allowed: a template is nested into other statements')
    if (token.text === '?') report(token, '`?` is a placeholder of MySQL: write :name and declare it in the header')
    if (token.kind === 'block_comment' && /^\/\*[!+]/.test(token.text))
      report(token, `\`${token.text.slice(0, 3)}\` is executed by MySQL`)
    if (token.text === '(') depth++
    if (token.text === ')') {
      depth--
      if (depth < 0) report(token, '`)` closes nothing')
      depth = Math.max(depth, 0)
    }
  }
  const last = tokens.at(-1)
  if (depth > 0 && last !== undefined) report(last, `${depth} \`(\` never closed`)
}

/** Checks that header and body agree, in both directions. */
function checkContract(parsed: ParsedHeader, nodes: readonly TemplateNode[], report: Report): void {
  const all = flatten(nodes)
  const declaredParams = new Set(parsed.params.map((entry) => entry.name))
  const declaredReads = new Set(parsed.reads.map((entry) => entry.name))
  const used = { param: new Set<string>(), relation: new Set<string>(), slot: new Set<string>() }
  for (const node of all) {
    if (node.kind === 'slot') {
      used.slot.add(node.slot)
      if (parsed.header?.kind === 'relation') report(node.at, `a relation takes no slots, found /*{${node.slot}}*/`)
    }
    if (node.kind !== 'param' && node.kind !== 'relation') continue
    const declared = node.kind === 'param' ? declaredParams : declaredReads
    if (!declared.has(node.name) && !used[node.kind].has(node.name)) {
      report(
        node.at,
        node.kind === 'param'
          ? `:${node.name} is not declared: add \`-- param: ${node.name} <type>\``
          : `relation.${node.name} is not listed in \`-- reads:\``,
      )
    }
    used[node.kind].add(node.name)
  }
  for (const entry of parsed.params)
    if (!used.param.has(entry.name)) report(entry.at, `:${entry.name} is declared but never used`)
  for (const entry of parsed.reads)
    if (!used.relation.has(entry.name)) report(entry.at, `relation.${entry.name} is listed in \`reads:\` but never used`)
  if (parsed.header !== undefined) checkSlots(parsed.header, used.slot, report)
}

// A list has filters, order and pages, but no groups.
const SLICING_SLOTS = ['dimensions', 'dimension_names', 'group_by']

function checkSlots(header: Header, slots: ReadonlySet<string>, report: Report): void {
  if (header.kind === 'relation') return
  const start = { line: 1, column: 1 }
  for (const slot of header.unsliced ? [] : ['dimensions', 'filters']) {
    if (!slots.has(slot)) report(start, `the slot /*{${slot}}*/ is missing: a query that cannot be sliced says \`-- unsliced\``)
  }
  const slicing = [...slots].filter((slot) => SLICING_SLOTS.includes(slot))
  if (header.unsliced && slicing.length > 0) report(start, `\`-- unsliced\` contradicts the slots ${slicing.join(', ')}`)
}

/** Names of the file's CTEs, and tables that it reads by their plain name. */
export function namesIn(tokens: readonly Token[]): { ctes: Set<string>; tables: Set<string> } {
  const words = tokens.filter((token) => !isBlank(token))
  const ctes = new Set<string>()
  const tables = new Set<string>()
  words.forEach((token, index) => {
    if (token.kind !== 'word') return
    const before = words[index - 1]?.text.toLowerCase()
    const [next, afterNext] = [words[index + 1]?.text.toLowerCase(), words[index + 2]?.text]
    if ((before === 'with' || before === ',') && next === 'as' && afterNext === '(') ctes.add(token.text)
    if ((before === 'from' || before === 'join') && next !== '.') tables.add(token.text)
  })
  for (const cte of ctes) tables.delete(cte)
  return { ctes, tables }
}
