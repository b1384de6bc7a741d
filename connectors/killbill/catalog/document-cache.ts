import { createHash } from 'node:crypto'
import { keepLast } from '../../../src/core/keep-last.ts'
import { parseInThread } from './parse-in-thread.ts'
import { type ParsedCatalog, tryParse } from './try-parse.ts'

/** Most characters of the stored texts. They hold some thousand versions of a hundred plans. */
const KEPT_CHARACTERS = 200_000_000

/** If texts have more characters in total, a separate thread parses them, because parsing blocks other work. */
const LONGEST_HERE = 100_000

const parsed = keepLast<ParsedCatalog>(KEPT_CHARACTERS)

/** The parsed text with that key, if it is stored. */
export const keptCatalog = parsed.get

/** Key of a text without a known hash. */
export function keyOfText(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

/**
 * The versions in each text, stored by its key. Kill Bill rewrites a row in place and changes no other column (KB 3.2). So only the text
 * itself, or its hash, is a reliable key.
 */
export async function parseOnce(texts: readonly { readonly key: string; readonly text: string }[]): Promise<ParsedCatalog[]> {
  const results = new Map<string, Promise<ParsedCatalog>>()
  const unread = new Map<string, string>()
  for (const { key, text } of texts) {
    const known = parsed.get(key)
    if (known === undefined) unread.set(key, text)
    else results.set(key, known)
  }
  const [keys, unreadTexts] = [[...unread.keys()], [...unread.values()]]
  const isLong = unreadTexts.reduce((sum, text) => sum + text.length, 0) > LONGEST_HERE
  const read = isLong ? parseInThread(unreadTexts) : unreadTexts.map(async (text) => tryParse(text))
  for (const [place, result] of read.entries()) {
    const [key, text] = [keys[place] ?? '', unreadTexts[place] ?? '']
    results.set(key, parsed.keep(key, result, text.length))
  }
  return Promise.all(texts.flatMap(({ key }) => results.get(key) ?? []))
}
