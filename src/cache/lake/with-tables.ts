import type { Statement } from '../../compiler/statement.ts'
import { InternalError } from '../../core/errors.ts'

/** Comments and the word with which a statement that reads begins. */
const BEGIN = /^((?:\s|--[^\r\n]*[\r\n]|\/\*(?:[^*]|\*(?!\/))*\*\/)*)(with|select)\b/i

/**
 * The statement over other rows. `tables` are selects by the name of a table that the statement reads. Trino looks up a CTE before a table, also in
 * the CTEs after it.
 */
export function withTables(statement: Statement, tables: ReadonlyMap<string, string>): Statement {
  const named = [...tables].filter(([name]) => names(statement.text, name))
  if (named.length === 0) return statement
  return withRelations(
    statement,
    named.map(([name, select]) => `${name} as (${select})`),
  )
}

/** The statement with further relations, each as `name as (select …)`. */
export function withRelations(statement: Statement, relations: readonly string[]): Statement {
  const { text, label } = statement
  const [begin, comments, word] = BEGIN.exec(text) ?? []
  if (begin === undefined || comments === undefined || word === undefined)
    throw new InternalError(`"${label}" is no select, so it cannot read other rows`)
  const rest = text.slice(begin.length)
  const joined = word.toLowerCase() === 'with' ? `,${rest}` : `\n${word}${rest}`
  return { ...statement, text: `${comments}with ${relations.join(',\n')}${joined}` }
}

/** True if a statement has this name as a word. */
export function names(text: string, name: string): boolean {
  return new RegExp(`(?<![\\w$])${name}(?![\\w$])`).test(text)
}
