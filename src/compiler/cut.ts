import { InternalError } from '../core/errors.ts'
import { tokenize } from './lexer.ts'
import type { Template, TemplateNode } from './template.ts'

/**
 * The nodes of a template up to the end of one of its CTEs. The caller writes the rest, such as `select … from <cte>`.
 * InternalError if the template has no CTE of this name.
 */
export function nodesUntil(template: Template, cte: string): readonly TemplateNode[] {
  let depth: number | undefined
  const kept: TemplateNode[] = []
  for (const node of template.nodes) {
    if (node.kind !== 'text') {
      kept.push(node)
      continue
    }
    const tokens = tokenize(node.text)
    let text = ''
    for (const [index, token] of tokens.entries()) {
      text += token.text
      if (depth === undefined) depth = opens(tokens, index, cte) ? 1 : undefined
      else if (token.text === '(') depth++
      else if (token.text === ')' && --depth === 0) return [...kept, { kind: 'text', text }]
    }
    kept.push(node)
  }
  throw new InternalError(`${template.file} has no CTE ${cte}`)
}

/** True if the token is the parenthesis of `<cte> as (`. */
function opens(tokens: ReturnType<typeof tokenize>, index: number, cte: string): boolean {
  if (tokens[index]?.text !== '(') return false
  const words = tokens.slice(0, index).filter(({ kind }) => kind === 'word')
  const [name, as] = words.slice(-2)
  return name?.text === cte && as?.text.toLowerCase() === 'as'
}
