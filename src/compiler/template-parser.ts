import { suggest } from '../core/errors.ts'
import { FN_ARITY, FN_NAMES, type FnName } from './fragment.ts'
import type { Report } from './header.ts'
import { isBlank, type Token } from './lexer.ts'
import { isReserved } from './reserved-words.ts'
import { type Position, SLOTS, type Slot, type TemplateNode } from './template-node.ts'

/** The tokens of one file and the current position. */
interface Cursor {
  readonly tokens: readonly Token[]
  readonly report: Report
  index: number
}

/** Nodes of a template's body. Everything except parameters, relations, functions and slots stays text, including comments. */
export function parseNodes(tokens: readonly Token[], report: Report): TemplateNode[] {
  return parseUntil({ tokens, report, index: 0 }, () => false)
}

function parseUntil(cursor: Cursor, isEnd: (token: Token, depth: number) => boolean): TemplateNode[] {
  const nodes: TemplateNode[] = []
  let text = ''
  let depth = 0
  for (let token = cursor.tokens[cursor.index]; token !== undefined; token = cursor.tokens[cursor.index]) {
    if (isEnd(token, depth)) break
    if (token.text === '(') depth++
    if (token.text === ')') depth--
    const node = parseSpecial(cursor, token)
    if (node === undefined) {
      text += token.text
      cursor.index++
    } else {
      if (text !== '') nodes.push({ kind: 'text', text })
      text = ''
      nodes.push(node)
    }
  }
  return text === '' ? nodes : [...nodes, { kind: 'text', text }]
}

/** The special node at the token, with the cursor moved past it; undefined if the token is text. */
function parseSpecial(cursor: Cursor, token: Token): TemplateNode | undefined {
  const at: Position = { line: token.line, column: token.column }
  if (token.kind === 'param') {
    cursor.index++
    return { kind: 'param', name: token.text.slice(1), at }
  }
  if (isSlot(token)) return parseSlot(cursor, token, at)
  if (token.kind !== 'word' || cursor.tokens[cursor.index + 1]?.text !== '.') return undefined
  if (token.text === 'relation') return parseRelation(cursor, at)
  return token.text === 'fn' ? parseFunction(cursor, at) : undefined
}

/** True for a slot, known or unknown. */
export function isSlot(token: Token): boolean {
  return token.kind === 'block_comment' && token.text.startsWith('/*{')
}

function parseSlot(cursor: Cursor, token: Token, at: Position): TemplateNode | undefined {
  const name = /^\/\*\{([^}]*)\}\*\/$/.exec(token.text)?.[1] ?? ''
  const slot = SLOTS.find((known) => known === name)
  if (slot === undefined) {
    cursor.report(at, `unknown slot \`${token.text}\`; slots are ${SLOTS.map((known: Slot) => `/*{${known}}*/`).join(' ')}`)
    return undefined
  }
  cursor.index++
  return { kind: 'slot', slot, at }
}

function parseRelation(cursor: Cursor, at: Position): TemplateNode | undefined {
  const name = cursor.tokens[cursor.index + 2]
  if (name?.kind !== 'word' || !/^[a-z][a-z0-9_]*$/.test(name.text)) {
    cursor.report(at, '`relation.` must be followed by the snake_case name of a relation')
    return undefined
  }
  cursor.index += 3
  if (!hasAlias(cursor)) cursor.report(at, `relation.${name.text} needs an alias: \`relation.${name.text} as fact\``)
  return { kind: 'relation', name: name.text, at }
}

function hasAlias(cursor: Cursor): boolean {
  const [first, second] = nextTokens(cursor, 2)
  const alias = first?.text.toLowerCase() === 'as' ? second : first
  return alias?.kind === 'word' && !isReserved(alias.text)
}

/** At most `count` next tokens that are not blank. */
function nextTokens({ tokens, index }: Cursor, count: number): readonly Token[] {
  const found: Token[] = []
  for (let at = index; found.length < count; at++) {
    const token = tokens[at]
    if (token === undefined) break
    if (!isBlank(token)) found.push(token)
  }
  return found
}

function parseFunction(cursor: Cursor, at: Position): TemplateNode | undefined {
  const word = cursor.tokens[cursor.index + 2]?.text ?? ''
  const name: FnName | undefined = FN_NAMES.find((known) => known === word)
  if (name === undefined) {
    const [near] = suggest(word, FN_NAMES)
    cursor.report(
      at,
      `unknown function fn.${word}${near === undefined ? '' : `; did you mean fn.${near}?`} Functions: ${FN_NAMES.join(', ')}`,
    )
    return undefined
  }
  if (cursor.tokens[cursor.index + 3]?.text !== '(') {
    cursor.report(at, `fn.${name} must be followed by \`(\` without a space`)
    return undefined
  }
  cursor.index += 4
  const args = parseArguments(cursor)
  if (args === undefined) cursor.report(at, `fn.${name}( is never closed`)
  else if (args.length !== FN_ARITY[name]) cursor.report(at, `fn.${name} takes ${FN_ARITY[name]} arguments, found ${args.length}`)
  return { kind: 'fn', name, args: args ?? [], at }
}

function parseArguments(cursor: Cursor): TemplateNode[][] | undefined {
  const args: TemplateNode[][] = []
  while (true) {
    args.push(trim(parseUntil(cursor, (token, depth) => depth === 0 && (token.text === ',' || token.text === ')'))))
    const end = cursor.tokens[cursor.index++]
    if (end === undefined) return undefined
    if (end.text === ')') return args.length === 1 && args[0]?.length === 0 ? [] : args
  }
}

function trim(nodes: readonly TemplateNode[]): TemplateNode[] {
  const last = nodes.length - 1
  return nodes
    .map((node, index) => {
      if (node.kind !== 'text') return node
      const text = index === 0 ? node.text.trimStart() : node.text
      return { ...node, text: index === last ? text.trimEnd() : text }
    })
    .filter((node) => node.kind !== 'text' || node.text !== '')
}
