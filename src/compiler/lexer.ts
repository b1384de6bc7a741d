/** `punct` is one character, except `::` and `||`. Nothing is lost: the texts of all tokens joined are the file. */
export type TokenKind = 'space' | 'line_comment' | 'block_comment' | 'string' | 'quoted' | 'word' | 'number' | 'param' | 'punct'

export interface Token {
  readonly kind: TokenKind
  readonly text: string
  /** From 1. */
  readonly line: number
  readonly column: number
  /** False for a literal, quoted name or comment that the file ends within. */
  readonly closed: boolean
}

type Pattern = readonly [TokenKind, RegExp]

// Tried in this order at each position; `y` keeps them from looking ahead. Doubled quote marks stay inside their literal.
const PATTERNS: readonly Pattern[] = [
  ['space', /\s+/y],
  ['line_comment', /--[^\n]*/y],
  ['block_comment', /\/\*[\s\S]*?\*\//y],
  ['string', /'(?:[^']|'')*'/y],
  ['quoted', /"(?:[^"]|"")*"|`(?:[^`]|``)*`/y],
  ['word', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['number', /\d+(?:\.\d+)?/y],
  ['punct', /::|\|\|/y],
  ['param', /:[A-Za-z_][A-Za-z0-9_]*/y],
]
const UNCLOSED: readonly Pattern[] = [
  ['block_comment', /\/\*[\s\S]*/y],
  ['string', /'[\s\S]*/y],
  ['quoted', /["`][\s\S]*/y],
  ['punct', /[\s\S]/y],
]

/** Cuts SQL into tokens, so that nothing inside literals, quoted names or comments is ever taken for syntax. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let offset = 0
  let line = 1
  let column = 1
  while (offset < text.length) {
    const found = matchAt(PATTERNS, text, offset)
    const token = found ?? matchAt(UNCLOSED, text, offset)
    if (token === undefined) break
    tokens.push({ ...token, line, column, closed: found !== undefined || token.kind === 'punct' })
    const lastBreak = token.text.lastIndexOf('\n')
    line += token.text.split('\n').length - 1
    column = lastBreak < 0 ? column + token.text.length : token.text.length - lastBreak
    offset += token.text.length
  }
  return tokens
}

function matchAt(patterns: readonly Pattern[], text: string, offset: number): { kind: TokenKind; text: string } | undefined {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = offset
    const match = pattern.exec(text)
    if (match !== null) return { kind, text: match[0] }
  }
  return undefined
}

/** True for white space and comments. */
export function isBlank(token: Token): boolean {
  return token.kind === 'space' || token.kind === 'line_comment' || token.kind === 'block_comment'
}
