import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tokenize } from '../../../src/compiler/lexer.ts'
import type { Template } from '../../../src/compiler/template.ts'
import { packageRoot } from '../../../src/core/package-root.ts'

/**
 * The columns of tables that a template reads, as `table.column`. It finds `alias.column` for each alias of a table. An alias that
 * also names other rows in the same file adds columns that the table may lack.
 */
export function columnsRead({ file, tables }: Template): readonly string[] {
  const words = tokenize(readFileSync(join(packageRoot(), file), 'utf8')).filter(
    ({ kind }) => kind !== 'space' && kind !== 'line_comment' && kind !== 'block_comment',
  )
  const tablesOf = new Map<string, Set<string>>()
  words.forEach(({ text }, index) => {
    const before = words[index - 1]?.text.toLowerCase()
    if (!tables.has(text) || (before !== 'from' && before !== 'join')) return
    const alias = words[index + 1]?.text.toLowerCase() === 'as' ? words[index + 2]?.text : undefined
    if (alias === undefined) throw new Error(`${file}: the table ${text} has no alias`)
    tablesOf.set(alias, (tablesOf.get(alias) ?? new Set()).add(text))
  })
  const found = words.flatMap(({ text, kind }, index) => {
    const column = words[index + 2]
    if (kind !== 'word' || words[index + 1]?.text !== '.' || column === undefined) return []
    return [...(tablesOf.get(text) ?? [])].map((table) => `${table}.${column.text}`)
  })
  return [...new Set(found)]
}
