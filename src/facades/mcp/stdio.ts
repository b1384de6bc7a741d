import { Transform } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { StdioServerTransport, serveStdio as serveTransport } from '@modelcontextprotocol/server/stdio'
import type { Engine } from '../../engine/engine.ts'
import { createMcpServer } from './server.ts'
import type { Tool } from './tool.ts'
import { toolsOf } from './tools/index.ts'

/** What is served over the standard streams of this process, and until when. */
interface StdioOptions {
  readonly engine: Engine
  readonly version: string
  readonly stop: AbortSignal
  /** The first question waits for it: opening a database may take longer than a question may wait for its turn. */
  readonly ready: Promise<unknown>
  readonly onFailure: (error: unknown) => void
}

/** Answers over standard input and output until the client closes them or the process is told to stop. Nothing else may write there. */
export async function serveStdio({ engine, version, stop, ready, onFailure }: StdioOptions): Promise<void> {
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
  const options = { engine, tools, version, asking: { signal: stop }, onFailure }
  const input = endingAfter(() => allAnswered(running))
  const transport = new StdioServerTransport(process.stdin.pipe(input))
  const ended = new Promise<void>((resolve) => {
    input.once('end', resolve)
    // A client that is killed ends nothing.
    process.stdin.once('close', () => input.end())
    stop.addEventListener('abort', () => resolve(), { once: true })
  })
  // Nothing is pushed, so there is nothing to subscribe to.
  const served = serveTransport(() => createMcpServer(options), { transport, onerror: onFailure, maxSubscriptions: 0 })
  if (!stop.aborted) await ended
  await allAnswered(running)
  await served.close()
  process.stdin.unpipe(input)
}

// Who sends questions through a pipe closes it before they are answered, and what reads messages answers none once its input has ended.
function endingAfter(answered: () => Promise<void>): Transform {
  return new Transform({
    transform: (chunk, _encoding, next) => next(null, chunk),
    flush: (end) => void answered().then(() => end()),
  })
}

// Between what is read and the tool that runs, and between its text and what is written, there are turns of the loop.
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
