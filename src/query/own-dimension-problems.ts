import type { Fragment } from '../compiler/fragment.ts'
import { isBlank, tokenize } from '../compiler/lexer.ts'
import { scanNeutralSql } from '../compiler/neutral.ts'
import { RELATION_CONTRACTS } from '../relations/contracts.ts'
import type { OwnDimension } from './own-dimension.ts'

const KEY = /^[a-z][a-z0-9_]*$/

/** What the author of a dimension has to set right in it: its key, the columns that it reads, SQL that databases read differently. */
export function problemsOf({ key, of, reads, expression }: OwnDimension): readonly string[] {
  const text = writtenOut(expression)
  const named = columnsIn(text, of)
  return [
    ...(KEY.test(key) ? [] : ['its key is not in snake_case']),
    ...[...new Set([...reads, ...named])].filter((read) => !isColumn(read)).map((read) => `no relation has the column "${read}"`),
    ...named.filter((read) => !reads.includes(read)).map((read) => `its SQL names ${read}, which it does not read`),
    ...(/\bfn\./.test(text) ? ['a function is a fragment there, fn(name, …)'] : []),
    ...scanNeutralSql(key, text).map(({ message }) => message),
  ]
}

// Functions are those of every dialect, and values are bound: a name and a number stand for them.
function writtenOut({ nodes }: Fragment): string {
  return nodes
    .map((node) => {
      if (node.kind === 'text') return node.text
      if (node.kind === 'fn') return `(${node.args.map(writtenOut).join(', ')})`
      return node.kind === 'value' ? '1' : node.name
    })
    .join('')
}

function columnsIn(text: string, relation: string): readonly string[] {
  const tokens = tokenize(text).filter((token) => !isBlank(token))
  const named = tokens.flatMap(({ text: word }, index) => {
    const [dot, column] = tokens.slice(index + 1, index + 3)
    return word === relation && dot?.text === '.' && column?.kind === 'word' ? [`${relation}.${column.text}`] : []
  })
  return [...new Set(named)]
}

function isColumn(read: string): boolean {
  const [relation, column] = read.split('.')
  return RELATION_CONTRACTS.some(({ name, columns }) => name === relation && columns.some((own) => own.name === column))
}
