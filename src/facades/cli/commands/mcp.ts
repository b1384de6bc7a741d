import type { Command } from '../command.ts'
import { withEngine } from './with-engine.ts'

/** The tools for language models over the standard streams of the process. */
export const MCP_COMMAND: Command = {
  name: 'mcp',
  description: 'Serve tools for language models over standard input and output (Model Context Protocol)',
  options: [],
  without: ['json', 'output'],
  run: (invocation) => {
    const { io, product } = invocation
    const onFailure = (error: unknown) =>
      void io.stderr.write(`error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    return withEngine(invocation, async (engine) => {
      const { serveStdio } = await import('../../mcp/stdio.ts')
      // What the database refuses is told to whoever asks.
      const ready = engine.compile('mrr').catch(() => undefined)
      await serveStdio({ engine, version: product.version, stop: io.stop, ready, onFailure })
    })
  },
}
