import ts from 'typescript'

export interface Comment {
  /** Line of the file on which the text begins, from 1. */
  readonly line: number
  /** Has no comment marks, and as many lines as in the file. */
  readonly text: string
}

const CODE_COMMENTS = /\/\*[\s\S]*?\*\/|\/\/.*/g
/** Comments, and quoted texts that may contain comment marks. */
const SQL_TOKENS = /\/\*[\s\S]*?\*\/|--.*|'[^']*'|"[^"]*"|`[^`]*`/g
/** Declarations for the compiler, such as `reads: mrr_span`. */
const SQL_DECLARATION = /^\s*(metric|query|relation|reads|param):.*$/gm

/** Comments of a TypeScript or JavaScript file. Adjacent whole-line comments are one comment. */
export function codeComments(path: string, text: string): Comment[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const literals: { start: number; end: number }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) literals.push({ start: node.pos, end: node.end })
    else if (ts.isLiteralExpression(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      literals.push({ start: node.getStart(file), end: node.end })
    else ts.forEachChild(node, visit)
  }
  visit(file)
  // Literals may contain comment marks, so they are blanked out first.
  const parts: string[] = []
  let from = 0
  for (const { start, end } of literals.sort((one, other) => one.start - other.start)) {
    parts.push(text.slice(from, start), text.slice(start, end).replace(/./g, '0'))
    from = end
  }
  parts.push(text.slice(from))
  return joined(text, [...parts.join('').matchAll(CODE_COMMENTS)])
}

/** Comments of an SQL template without its declarations. */
export function sqlComments(text: string): Comment[] {
  const tokens = [...text.matchAll(SQL_TOKENS)].filter(([token]) => token.startsWith('--') || token.startsWith('/*'))
  return joined(text, tokens).map(({ line, text: words }) => ({ line, text: words.replace(SQL_DECLARATION, '') }))
}

function joined(text: string, matches: readonly RegExpExecArray[]): Comment[] {
  const comments: { line: number; text: string; end: number; isLine: boolean }[] = []
  let line = 1
  let counted = 0
  for (const { 0: token, index } of matches) {
    line += newlines(text.slice(counted, index))
    counted = index
    const isLine = !token.startsWith('/*')
    const before = comments.at(-1)
    if (isLine && before?.isLine && /^\n[ \t]*$/.test(text.slice(before.end, index)) && startsLine(text, before.end)) {
      before.text += `\n${withoutMarks(token)}`
      before.end = index + token.length
    } else {
      comments.push({ line, text: withoutMarks(token), end: index + token.length, isLine })
    }
  }
  return comments.map((comment) => ({ line: comment.line, text: comment.text }))
}

/** True if the line that ends at `end` is a whole-line comment. */
function startsLine(text: string, end: number): boolean {
  return /^[ \t]*(\/\/|--)/.test(text.slice(text.lastIndexOf('\n', end - 1) + 1, end))
}

function withoutMarks(token: string): string {
  if (!token.startsWith('/*')) return token.replace(/^(\/\/|--) ?/, '')
  const inner = token.replace(/^\/\*+/, '').replace(/\*+\/$/, '')
  return inner
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, ''))
    .join('\n')
}

function newlines(text: string): number {
  return text.split('\n').length - 1
}
