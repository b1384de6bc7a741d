import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { InternalError } from '../../../src/core/errors.ts'
import { startThread } from '../../../src/core/thread.ts'
import type { CatalogVersion } from './catalog-version.ts'
import type { ParsedCatalog } from './try-parse.ts'

/** What the thread answers when it is asked for more: the next version of a text, or how the text ended. */
export type ThreadReply =
  | { readonly text: number; readonly version: CatalogVersion }
  | { readonly text: number; readonly error: string | null }

/** tryParse for each text, in a thread of their own. Versions come one by one, so that nobody waits for more than one. */
export function parseInThread(texts: readonly string[]): Promise<ParsedCatalog>[] {
  const settle: ((result: ParsedCatalog) => void)[] = []
  const fail: ((error: unknown) => void)[] = []
  const results = texts.map(
    () =>
      new Promise<ParsedCatalog>((resolve, reject) => {
        settle.push(resolve)
        fail.push(reject)
      }),
  )
  readAll(texts, (text, result) => settle[text]?.(result)).catch((error: unknown) => {
    for (const reject of fail) reject(error)
  })
  return results
}

async function readAll(texts: readonly string[], settle: (text: number, result: ParsedCatalog) => void): Promise<void> {
  const worker = startThread('parse-thread', import.meta.url, texts)
  const ended = once(worker, 'exit').then(() => {
    throw new InternalError('The thread that reads catalogs has ended before it was done.')
  })
  try {
    let versions: CatalogVersion[] = []
    for (let open = texts.length; open > 0; ) {
      const answered = once(worker, 'message')
      worker.postMessage('more')
      const [reply] = (await Promise.race([answered, ended])) as [ThreadReply]
      if ('version' in reply) versions.push(reply.version)
      else {
        settle(reply.text, reply.error === null ? versions : new Error(reply.error))
        versions = []
        open -= 1
      }
      await nextTurn()
    }
  } finally {
    ended.catch(() => {})
    await worker.terminate()
  }
}
