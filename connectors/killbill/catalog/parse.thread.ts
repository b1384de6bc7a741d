import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadReply } from './parse-in-thread.ts'
import { tryParse } from './try-parse.ts'

// The thread of parse-in-thread.ts. Large catalogs are parsed here, because parsing blocks its thread.

const port = parentPort
if (port === null) throw new Error('this file runs only as a worker thread')

const replies = repliesTo(workerData as readonly string[])
port.on('message', () => {
  const next = replies.next()
  if (next.done !== true) port.postMessage(next.value)
})

function* repliesTo(texts: readonly string[]): Generator<ThreadReply> {
  for (const [text, xml] of texts.entries()) {
    const parsed = tryParse(xml)
    if (parsed instanceof Error) {
      yield { text, error: parsed.message }
      continue
    }
    for (const version of parsed) yield { text, version }
    yield { text, error: null }
  }
}
