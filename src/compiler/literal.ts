import { InternalError } from '../core/errors.ts'
import type { DriverValue } from './bound-value.ts'
import type { DialectName } from './dialect.ts'
import { type Token, tokenize } from './lexer.ts'
import type { Statement } from './statement.ts'

/** The text of a statement with its values in place of the placeholders, for a client of the database. */
export function literalText({ text, values, label }: Statement, dialect: DialectName): string {
  const tokens = tokenize(text)
  const texts: string[] = []
  let used = 0
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]
    if (token === undefined) break
    const position = positionAt(tokens, index, used)
    if (position === undefined) texts.push(token.text)
    else {
      const value = values[position.at - 1]
      if (value === undefined) throw new InternalError(`${label}: no value for placeholder ${position.at}`)
      texts.push(literal(value, dialect))
      used += 1
      index += position.further
    }
  }
  return texts.join('')
}

/** The number of the value at a placeholder, and the further tokens of the placeholder. Undefined at any other token. */
function positionAt(tokens: readonly Token[], index: number, used: number) {
  const token = tokens[index]
  if (token?.kind !== 'punct') return undefined
  const next = tokens[index + 1]
  if ((token.text === '$' || token.text === '?') && next?.kind === 'number') return { at: Number(next.text), further: 1 }
  return token.text === '?' ? { at: used + 1, further: 0 } : undefined
}

function literal(value: DriverValue, dialect: DialectName): string {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return String(value)
  // PostgreSQL's driver sends every value as text. Quoted, a number gets its type as a parameter would.
  if (typeof value === 'number') return dialect === 'postgres' ? `'${value}'` : value < 0 ? `(${value})` : String(value)
  if (value.includes('\0')) throw new InternalError('no database has a literal for NUL')
  switch (dialect) {
    case 'postgres':
      return postgresText(value)
    case 'mysql':
      return mysqlText(value)
    case 'trino':
      return trinoText(value)
    default:
      return quoted(value)
  }
}

/** A text in single quotes, as standard SQL writes it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** A terminal acts on these characters when they are pasted, or shows the text in another order. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}]/gu

function postgresText(text: string): string {
  const escaped = withEscapes(text, '\\u')
  return escaped === text ? quoted(text) : `E${quoted(escaped)}`
}

/** Without a prefix, the doubled quote is the only escape of Trino. */
function trinoText(text: string): string {
  return text.search(UNSEEN) >= 0 ? `U&${quoted(withEscapes(text, '\\'))}` : quoted(text)
}

/** A text with doubled backslashes, and with `prefix` and four digits for each unseen character. */
function withEscapes(text: string, prefix: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll(UNSEEN, (one) => `${prefix}${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The escapes of MySQL, the backslash first. Other control characters have none. */
const MYSQL_ESCAPES = [
  ['\\', '\\\\'],
  ['\b', '\\b'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\u001a', '\\Z'],
] as const

function mysqlText(text: string): string {
  return quoted(MYSQL_ESCAPES.reduce((written, [one, escaped]) => written.replaceAll(one, escaped), text))
}
