import type { Nodes, Sentence } from 'nlcst'
import retextRepeatedWords from 'retext-repeated-words'
import { unified } from 'unified'
import { VFile } from 'vfile'
import { CLAUSE_OPENERS, HABITS, type Habit, LONGEST_SENTENCE } from '../config/prose.ts'
import { type BlockKind, blocksOf } from './sentences.ts'

export interface Problem {
  /** Of the text, from 1. */
  readonly line: number
  readonly rule: string
  readonly message: string
}

/** Words that cannot follow "its own" as its noun. */
const NEXT_PHRASE =
  'a|an|and|are|as|at|be|because|but|by|can|cannot|each|every|for|from|had|has|have|if|in|is|it|like|may|must|no|not|of|on|only|or|over|so|than|that|the|they|through|to|too|under|until|when|where|which|while|who|with|without|you'
const PHRASE_END = `(?!\\s+(?!(?:${NEXT_PHRASE})\\b)[\\p{L}\`])`
/** Letters and digits, with marks between them, or an inline code. */
const WORD = /`|[\p{L}\p{N}]+(?:[^\s`\p{L}\p{N}][\p{L}\p{N}]+)*/gu
const CLAUSE = new RegExp(`^\\P{L}*(${CLAUSE_OPENERS.join('|')})\\b`, 'iu')

const habits = HABITS.map((habit) => ({ habit, pattern: patternOf(habit) }))
const SUSPECT = [{ pattern: new RegExp(`\\b(${CLAUSE_OPENERS.join('|')})\\b`, 'i') }, { pattern: /\b(\w+) \1\b/i }]
const published = unified().use(retextRepeatedWords).freeze()

/** Problems in a Markdown text, in the order of its lines. */
export function problemsIn(text: string): Problem[] {
  if (isPlain(text.replace(/\s+/g, ' '))) return []
  const file = new VFile(text)
  const problems: Problem[] = []
  for (const { kind, tree } of blocksOf(file)) {
    for (const sentence of sentencesOf(tree)) problems.push(...ofSentence(sentence, kind))
    published.runSync(tree, file)
  }
  for (const { line, source, reason } of file.messages) problems.push({ line: line ?? 1, rule: source ?? '', message: reason })
  return problems.sort((one, other) => one.line - other.line)
}

/** True for a short text without a suspicious word. Most comments are such texts, and skipping the parser halves the run time. */
function isPlain(text: string): boolean {
  return (
    (text.match(WORD)?.length ?? 0) <= LONGEST_SENTENCE &&
    [...habits, ...SUSPECT].every(({ pattern }) => text.search(pattern) < 0)
  )
}

function* ofSentence(sentence: Sentence, kind: BlockKind): Generator<Problem> {
  const { text, lineAt } = plainText(sentence)
  for (const { habit, pattern } of habits) {
    for (const { 0: words, index } of text.matchAll(pattern)) {
      yield { line: lineAt(index), rule: habit.words[0] ?? '', message: `"${words}": write ${habit.better}` }
    }
  }
  const opener = CLAUSE.exec(text)?.[1]
  if (kind !== 'title' && opener !== undefined && !/\?\P{L}*$/u.test(text)) {
    const message = `"${opener} …": begin with a noun, or with the subject`
    yield { line: lineAt(0), rule: 'clause', message }
  }
  const length = lengthOf(text, kind)
  if (length > LONGEST_SENTENCE) {
    yield { line: lineAt(0), rule: 'length', message: `${length} words: make sentences of ${LONGEST_SENTENCE} at most` }
  }
}

/** The text of a sentence, with "`" for each inline code. `lineAt` gives the line of a character. */
function plainText(sentence: Sentence): { text: string; lineAt: (index: number) => number } {
  let text = ''
  const starts: { index: number; line: number }[] = []
  const read = (node: Nodes): void => {
    if ('children' in node) {
      node.children.forEach(read)
    } else {
      starts.push({ index: text.length, line: node.position?.start.line ?? 1 })
      text += node.type === 'SourceNode' ? '`' : node.value.replace(/\s+/g, ' ')
    }
  }
  read(sentence)
  return { text, lineAt: (index) => starts.findLast((start) => start.index <= index)?.line ?? 1 }
}

/** Words in the sentence, or in its longest part between semicolons if it is in a cell. A list of inline codes is one word. */
function lengthOf(text: string, kind: BlockKind): number {
  // The parser does not split before a sentence that begins with inline code.
  const parts = text.split(kind === 'cell' ? /;|[.!?] (?=`)/ : /[.!?] (?=`)/)
  return Math.max(...parts.map((part) => part.replace(/`(,? (and |or )?`)+/g, '`').match(WORD)?.length ?? 0))
}

function sentencesOf(node: Nodes): Sentence[] {
  if (node.type === 'SentenceNode') return [node]
  return 'children' in node ? node.children.flatMap(sentencesOf) : []
}

function patternOf({ words, except = [], atPhraseEnd }: Habit): RegExp {
  const excepted = except.length === 0 ? '' : `(?!(?:${except.join('|')})\\b)`
  return new RegExp(`(?<![\\p{L}-])${excepted}(?:${words.join('|')})(?![\\p{L}-])${atPhraseEnd ? PHRASE_END : ''}`, 'giu')
}
