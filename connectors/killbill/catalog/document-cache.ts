import { createHash } from 'node:crypto'
import { keepLast } from './keep-last.ts'
import { parseInThread } from './parse-in-thread.ts'
import { type ParsedCatalog, tryParse } from './try-parse.ts'

/** Characters of the texts whose versions are kept: some thousand versions of a hundred plans. */
const KEPT_CHARACTERS = 200_000_000

/** Texts that are longer together are read in a thread of their own, because reading them keeps others waiting. */
const LONGEST_HERE = 100_000

const parsed = keepLast<ParsedCatalog>(KEPT_CHARACTERS)

/** What was read from the text with that key, where it is kept. */
export const keptCatalog = parsed.get

/** Key of a text that nobody else has hashed. */
export function keyOfText(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

/**
 * The versions in each text, remembered by its key: Kill Bill rewrites a row in place without any column telling (KB 3.2), so the text
 * itself, or its hash, is the only key that is never wrong.
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
