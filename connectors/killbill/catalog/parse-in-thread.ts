import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { InternalError } from '../../../src/core/errors.ts'
import { threadProgram } from '../../../src/core/thread.ts'
import type { CatalogVersion } from './catalog-version.ts'
import type { ParsedCatalog } from './try-parse.ts'

/** The thread's answer to a request for more: the next version of a text, or the end of the text. */
export type ThreadReply =
  | { readonly text: number; readonly version: CatalogVersion }
  | { readonly text: number; readonly error: string | null }

const startThread = threadProgram('parse.thread', import.meta.url)

/** Runs tryParse for each text in a separate thread. Versions come one by one, so that no wait is longer than one version. */
export function parseInThread(texts: readonly string[]): Promise<ParsedCatalog>[] {
  const resolvers: ((result: ParsedCatalog) => void)[] = []
  const rejecters: ((error: unknown) => void)[] = []
  const results = texts.map(
    () =>
      new Promise<ParsedCatalog>((resolve, reject) => {
        resolvers.push(resolve)
        rejecters.push(reject)
      }),
  )
  readAll(texts, (text, result) => resolvers[text]?.(result)).catch((error: unknown) => {
    for (const reject of rejecters) reject(error)
  })
  return results
}

async function readAll(texts: readonly string[], onResult: (text: number, result: ParsedCatalog) => void): Promise<void> {
  const worker = startThread(texts)
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
        onResult(reply.text, reply.error === null ? versions : new Error(reply.error))
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
