import type { Nodes, Parents, Root } from 'mdast'
import { toNlcst } from 'mdast-util-to-nlcst'
import type { Root as English } from 'nlcst'
import { ParseEnglish } from 'parse-english'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import type { VFile } from 'vfile'

/** `title`: a heading, or a cell in the head of a table. */
export type BlockKind = 'text' | 'cell' | 'title'

export interface Block {
  readonly kind: BlockKind
  /** A retext tree. Inline code is a SourceNode. */
  readonly tree: English
}

const markdown = unified().use(remarkParse).use(remarkGfm).freeze()
const english = new ParseEnglish()

/** Paragraphs, headings and table cells of a Markdown text. Code blocks are left out. */
export function blocksOf(file: VFile): Block[] {
  const blocks: Block[] = []
  const keep = (kind: BlockKind, { children, position }: Parents) => {
    if (children.length === 0 || position === undefined) return
    blocks.push({ kind, tree: toNlcst({ type: 'root', children, position } as Root, file, english) as English })
  }
  const visit = (node: Nodes): void => {
    if (node.type === 'paragraph') keep('text', node)
    else if (node.type === 'heading') keep('title', node)
    else if (node.type === 'table') {
      const [head, ...rows] = node.children
      for (const cell of head?.children ?? []) keep('title', cell)
      for (const cell of rows.flatMap(({ children }) => children)) keep('cell', cell)
    } else if ('children' in node) node.children.forEach(visit)
  }
  visit(markdown.parse(file))
  return blocks
}
