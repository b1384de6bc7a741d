import { isBlank, type Token, tokenize } from './lexer.ts'
import { BANNED_FUNCTIONS, BANNED_WORDS, CAST_ADVICE, CAST_TYPES, NEUTRAL_BEFORE_PARENTHESIS } from './neutral-words.ts'
import { isReserved } from './reserved-words.ts'
import type { TemplateProblem } from './template-error.ts'

/** Signs that both databases read alike. */
const SIGNS = '(),.*+-=<>%'

const SIGN_REASONS: Readonly<Record<string, string>> = {
  '::': 'PostgreSQL only: give the parameter a type, or write fn.text(x), fn.integer(x)',
  '||': 'MySQL reads it as OR: write concat(a, b)',
  '/': '5 / 2 is 2 on PostgreSQL and 2.5 on MySQL: write fn.int_div(a, b), or divide in TypeScript',
  '!': 'write <>',
}

/** Everything in a file that only one of the databases understands, or that they understand differently; each with the reason. */
export function scanNeutralSql(file: string, text: string): TemplateProblem[] {
  const all = tokenize(text)
  const tokens = all.filter((token) => !isBlank(token))
  const castTypes = new Set(tokens.flatMap((_, index) => castType(tokens, index) ?? []))
  const reasons = [
    ...tokens.map((token, index) => [token, reasonAgainst(tokens, index, castTypes)] as const),
    ...all.map((token, index) => [token, layoutReason(token, all[index + 1])] as const),
  ]
  return reasons.flatMap(([token, reason]) =>
    reason === undefined
      ? []
      : [{ file, line: token.line, column: token.column, message: `${token.text.slice(0, 40)}: ${reason}` }],
  )
}

function reasonAgainst(tokens: readonly Token[], index: number, castTypes: ReadonlySet<number>): string | undefined {
  const token = tokens[index]
  switch (token?.kind) {
    case 'quoted':
      return 'quotation marks differ: use plain snake_case names'
    case 'string':
      return token.text.includes('\\') ? 'MySQL reads a backslash in a literal as an escape' : undefined
    case 'punct':
      return signReason(tokens, index)
    case 'word':
      if (castTypes.has(index)) return castReason(token.text.toLowerCase())
      return tokens[index - 1]?.text === '.' ? undefined : wordReason(tokens, index)
    default:
      return undefined
  }
}

function signReason(tokens: readonly Token[], index: number): string | undefined {
  const [sign = '', next, afterNext] = textsFrom(tokens, index)
  if (sign === '<' && next === '=' && afterNext === '>') return 'MySQL only: write fn.null_safe_equal(a, b)'
  if (sign === '-' && next === '>') return 'JSON operators differ: write fn.json_text(doc, path)'
  return SIGNS.includes(sign) ? undefined : (SIGN_REASONS[sign] ?? 'not an operator on both databases')
}

function wordReason(tokens: readonly Token[], index: number): string | undefined {
  const [word = '', next, afterNext] = textsFrom(tokens, index)
  const before = tokens[index - 1]?.text.toLowerCase()
  const isName =
    (before === 'as' && next !== '(') || ((before === 'with' || before === ',') && next === 'as' && afterNext === '(')
  if (isName && isReserved(word)) return 'a reserved word of PostgreSQL or MySQL: choose another name'
  if (word === 'full' && (next === 'join' || next === 'outer'))
    return 'unknown to MySQL: stack the rows of both sides with union all'
  if (word === 'distinct' && next === 'on') return 'PostgreSQL only: number the rows with row_number() in a CTE'
  if (word === 'distinct' && before === 'is') return 'PostgreSQL only: write fn.null_safe_equal(a, b)'
  if (word === 'distinct' && before === 'not') return 'PostgreSQL only: write fn.null_safe_equal(a, b)'
  if (word === 'regexp_replace') return anchorReason(tokens, index)
  if (Object.hasOwn(BANNED_WORDS, word)) return BANNED_WORDS[word]
  if (next !== '(' || NEUTRAL_BEFORE_PARENTHESIS.has(word)) return undefined
  return Object.hasOwn(BANNED_FUNCTIONS, word)
    ? BANNED_FUNCTIONS[word]
    : 'not on the list of functions known to behave alike on all databases'
}

function castReason(type: string): string | undefined {
  if (CAST_TYPES.has(type)) return undefined
  return `a cast to it does not mean the same on both sides: ${CAST_ADVICE[type] ?? 'give the parameter a type instead'}`
}

/** Index of the type's name when a cast begins at `index`. */
function castType(tokens: readonly Token[], index: number): number | undefined {
  const [word, next] = textsFrom(tokens, index)
  if (word !== 'cast' || next !== '(') return undefined
  const as = findInside(tokens, index + 1, (token) => token.text.toLowerCase() === 'as')
  return as === undefined ? undefined : as + 1
}

function anchorReason(tokens: readonly Token[], index: number): string | undefined {
  const comma = findInside(tokens, index + 1, (token) => token.text === ',')
  const pattern = comma === undefined ? undefined : tokens[comma + 1]
  if (pattern?.kind === 'string' && (pattern.text.startsWith("'^") || pattern.text.endsWith("$'"))) return undefined
  return 'replaces the first match on PostgreSQL and all on MySQL: write a literal pattern that begins with ^ or ends with $'
}

/** Index of the first token directly inside the parenthesis at `open` that satisfies `test`. */
function findInside(tokens: readonly Token[], open: number, test: (token: Token) => boolean): number | undefined {
  let depth = 0
  for (const [offset, token] of tokens.slice(open).entries()) {
    if (token.text === '(') depth++
    if (token.text === ')') depth--
    if (depth === 0) return undefined
    if (depth === 1 && test(token)) return open + offset
  }
  return undefined
}

/** Reasons that depend on white space and on comments. */
function layoutReason(token: Token, next: Token | undefined): string | undefined {
  if (token.kind === 'word' && next?.kind === 'string') return 'prefixes of literals differ'
  if (token.kind === 'line_comment' && !/^--(\s|$)/.test(token.text))
    return 'MySQL takes -- for a comment only when white space follows'
  if (token.kind === 'block_comment' && token.text.indexOf('/*', 2) >= 0) return 'PostgreSQL nests comments and MySQL does not'
  return undefined
}

function textsFrom(tokens: readonly Token[], index: number): string[] {
  return tokens.slice(index, index + 3).map((token) => token.text.toLowerCase())
}
