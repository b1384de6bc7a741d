import type { Token } from './lexer.ts'

/** Functions whose result is a text, and which PostgreSQL refuses for a number. */
const TEXT_FUNCTIONS: ReadonlySet<string> = new Set('concat substr replace regexp_replace trim lpad'.split(' '))
/** Functions of a dialect whose result is a text. */
const DIALECT_TEXT_FUNCTIONS: ReadonlySet<string> = new Set('text exact_text lower json_text'.split(' '))

/**
 * Whether every argument of the call is surely a text, because standard SQL concatenates nothing else. `open` is the index of the opening
 * parenthesis. A column or parameter has an unknown type, so it has to be an argument of `fn.text`.
 */
export function hasTextArguments(tokens: readonly Token[], open: number): boolean {
  return argumentsOf(tokens, open).every(isText)
}

function isText(argument: readonly Token[]): boolean {
  const [first, second, third] = argument
  if (argument.length === 1) return first?.kind === 'string'
  if (first?.text === 'fn' && second?.text === '.')
    return DIALECT_TEXT_FUNCTIONS.has(third?.text ?? '') && isWholeCall(argument, 3)
  if (!isWholeCall(argument, 1)) return false
  const name = first?.text.toLowerCase() ?? ''
  // All arguments of a coalesce have one type.
  return name === 'coalesce' ? argumentsOf(argument, 1).some(isText) : TEXT_FUNCTIONS.has(name)
}

/** Whether the parenthesis that opens at `open` closes with the last token. */
function isWholeCall(argument: readonly Token[], open: number): boolean {
  return argument[open]?.text === '(' && closing(argument, open) === argument.length - 1
}

function argumentsOf(tokens: readonly Token[], open: number): readonly (readonly Token[])[] {
  const found: Token[][] = [[]]
  let depth = 0
  for (const token of tokens.slice(open + 1, closing(tokens, open))) {
    if (token.text === '(') depth++
    if (token.text === ')') depth--
    if (token.text === ',' && depth === 0) found.push([])
    else found.at(-1)?.push(token)
  }
  return found
}

function closing(tokens: readonly Token[], open: number): number {
  let depth = 0
  for (let index = open; index < tokens.length; index++) {
    if (tokens[index]?.text === '(') depth++
    if (tokens[index]?.text === ')') depth--
    if (depth === 0) return index
  }
  return tokens.length
}
