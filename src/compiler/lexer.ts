/** Kinds of tokens. `punct` is one character, except `::` and `||`. The texts of all tokens together are the file. */
type TokenKind = 'space' | 'line_comment' | 'block_comment' | 'string' | 'quoted' | 'word' | 'number' | 'param' | 'punct'

export interface Token {
  readonly kind: TokenKind
  readonly text: string
  /** From 1. */
  readonly line: number
  readonly column: number
  /** False for a literal, quoted name or comment that is not closed at the end of the file. */
  readonly closed: boolean
}

// Alternatives are tried in this order at each position, unclosed forms last. With the flag `y` they match only at this position.
// Doubled quote marks stay inside their literal. One expression serves all forms, because templates are read at every start of
// the program.
const FORMS: readonly (readonly [kind: TokenKind, closed: boolean, source: string])[] = [
  ['space', true, '\\s+'],
  ['line_comment', true, '--[^\\n]*'],
  ['block_comment', true, '/\\*[^]*?\\*/'],
  ['string', true, "'(?:[^']|'')*'"],
  ['quoted', true, '"(?:[^"]|"")*"|`(?:[^`]|``)*`'],
  ['word', true, '[A-Za-z_][A-Za-z0-9_]*'],
  ['number', true, '\\d+(?:\\.\\d+)?'],
  ['punct', true, '::|\\|\\|'],
  ['param', true, ':[A-Za-z_][A-Za-z0-9_]*'],
  ['block_comment', false, '/\\*[^]*'],
  ['string', false, "'[^]*"],
  ['quoted', false, '["`][^]*'],
  ['punct', true, '[^]'],
]
const ANY_TOKEN = new RegExp(FORMS.map(([, , source]) => `(${source})`).join('|'), 'y')
const MAY_SPAN_LINES: ReadonlySet<TokenKind> = new Set(['space', 'block_comment', 'string', 'quoted', 'punct'])

/** Splits SQL into tokens, so that nothing inside literals, quoted names or comments is taken for syntax. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let line = 1
  let column = 1
  ANY_TOKEN.lastIndex = 0
  for (let match = ANY_TOKEN.exec(text); match !== null; match = ANY_TOKEN.exec(text)) {
    const [kind, closed] = FORMS[match.indexOf(match[0], 1) - 1] ?? ['punct', true]
    const token = match[0]
    tokens.push({ kind, text: token, line, column, closed })
    const lastBreak = MAY_SPAN_LINES.has(kind) ? token.lastIndexOf('\n') : -1
    if (lastBreak < 0) column += token.length
    else {
      line += token.split('\n').length - 1
      column = token.length - lastBreak
    }
  }
  return tokens
}

/** True for white space and comments. */
export function isBlank(token: Token): boolean {
  return token.kind === 'space' || token.kind === 'line_comment' || token.kind === 'block_comment'
}
