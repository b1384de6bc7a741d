import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Engine } from '../engine/engine.ts'
import { createMcpServer } from './server.ts'
import type { Tool } from './tool.ts'
import { toolsOf } from './tools/index.ts'

/** What is served over the standard streams of this process, and until when. */
export interface StdioOptions {
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
  const server = createMcpServer({ engine, tools, version, asking: { signal: stop }, seesCustomers: true, onFailure })
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
    stop.addEventListener('abort', () => resolve(), { once: true })
  })
  server.server.onerror = onFailure
  await server.connect(new StdioServerTransport())
  if (!stop.aborted) await ended
  // Who sends questions through a pipe closes it before they are answered.
  await Promise.allSettled(running)
  await new Promise((sent) => setImmediate(sent))
  await server.close()
}

function kept<T>(running: Set<Promise<T>>, work: Promise<T>): Promise<T> {
  running.add(work)
  const forget = () => running.delete(work)
  work.then(forget, forget)
  return work
}
