import { Transform } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { StdioServerTransport, serveStdio as serveTransport } from '@modelcontextprotocol/server/stdio'
import type { AskOptions, Engine } from '../../engine/engine.ts'
import { createMcpServer } from './server.ts'
import type { Tool } from './tool.ts'
import { toolsOf } from './tools/index.ts'

/** Options of the server on the standard streams of this process. */
interface StdioOptions {
  readonly engine: Engine
  readonly version: string
  /** Engine options of each query. Its signal ends the server. */
  readonly ask: AskOptions & { readonly signal: AbortSignal }
  /** The first query waits for this promise, because opening a database can take longer than a query may wait in the queue. */
  readonly ready: Promise<unknown>
  readonly onFailure: (error: unknown) => void
}

/** Answers over standard input and output until the client closes them or the signal fires. Nothing else may write there. */
export async function serveStdio({ engine, version, ask, ready, onFailure }: StdioOptions): Promise<void> {
  const stop = ask.signal
  const running = new Set<Promise<string>>()
  const tools = toolsOf(engine).map(
    (tool): Tool => ({
      ...tool,
      run: (call) =>
        kept(
          running,
          ready.then(() => tool.run(call)),
        ),
    }),
  )
  const options = { engine, tools, version, askOptions: ask, onFailure }
  const input = endingAfter(() => allAnswered(running))
  const transport = new StdioServerTransport(process.stdin.pipe(input))
  const ended = new Promise<void>((resolve) => {
    input.once('end', resolve)
    // A killed client closes the stream without an end.
    process.stdin.once('close', () => input.end())
    stop.addEventListener('abort', () => resolve(), { once: true })
  })
  // The server pushes nothing, so there are no subscriptions.
  const served = serveTransport(() => createMcpServer(options), { transport, onerror: onFailure, maxSubscriptions: 0 })
  if (!stop.aborted) await ended
  await allAnswered(running)
  await served.close()
  process.stdin.unpipe(input)
}

// A client that sends queries through a pipe closes the pipe before it has the answers. The transport answers nothing after the
// end of its input, so this stream delays the end until everything is answered.
function endingAfter(answered: () => Promise<void>): Transform {
  return new Transform({
    transform: (chunk, _encoding, next) => next(null, chunk),
    flush: (end) => void answered().then(() => end()),
  })
}

// A message that was read starts its tool one turn of the event loop later. The reply is also written one turn after its text is
// ready.
async function allAnswered(running: ReadonlySet<Promise<string>>): Promise<void> {
  do {
    await Promise.allSettled(running)
    await turn()
  } while (running.size > 0)
}

function kept<T>(running: Set<Promise<T>>, work: Promise<T>): Promise<T> {
  running.add(work)
  const forget = () => running.delete(work)
  work.then(forget, forget)
  return work
}
