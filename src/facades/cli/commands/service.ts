import { spawn } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { AppError, ConfigurationError } from '../../../core/errors.ts'
import type { Engine } from '../../../engine/engine.ts'
import { type Command, optionValue, withEngine } from '../command.ts'
import { askSummary, furtherQuestions, summaryText } from '../demo-summary.ts'
import type { Io } from '../io.ts'
import { paint, withoutControls } from '../layout.ts'
import type { OpenProduct } from '../product.ts'

const serveCommand: Command = {
  name: 'serve',
  description: 'Serve the dashboard and the HTTP API until stopped',
  options: ['host', 'port', 'open'],
  excluded: ['json', 'output'],
  run: async ({ input, io, product }) => {
    const opened = await product.open({
      config: optionValue(input, 'config'),
      host: optionValue(input, 'host'),
      port: optionValue(input, 'port'),
    })
    try {
      await printFindings(opened.engine, io)
      return await serveUntilStopped(opened, ['/api/metrics/mrr'], io, input.flags.has('open'))
    } finally {
      await opened.close()
    }
  },
}

const demoCommand: Command = {
  name: 'demo',
  description: 'Load bundled sample data, print a summary and serve it',
  options: ['host', 'port', 'open', 'once', 'interactive'],
  excluded: ['json', 'output'],
  run: async ({ input, io, product }) => {
    io.stderr.write('Loading the sample data …\n')
    const demo = await product.openDemo({
      host: optionValue(input, 'host'),
      port: optionValue(input, 'port'),
    })
    try {
      io.stdout.write(summaryText(await askSummary(demo.engine, demo.today), io.stdout.color === true))
      const paths = furtherQuestions(demo.today)
      const stops = input.flags.has('once') || (input.flags.has('interactive') && io.stdout.isTTY !== true)
      if (!stops) return await serveUntilStopped(demo, paths, io, input.flags.has('open'))
      io.stdout.write(['', 'More questions that `plumbline --demo serve` answers on this data:', ...paths, ''].join('\n'))
      return 0
    } finally {
      await demo.close()
    }
  },
}

async function serveUntilStopped(product: OpenProduct, paths: readonly string[], io: Io, isShown: boolean): Promise<number> {
  if (io.stop.aborted) return 0
  const service = await product.serve()
  io.stderr.write(`Plumbline answers at ${service.url}; documentation at ${service.url}/docs\n`)
  if (service.hasDashboard === true) io.stderr.write(`Dashboard: ${service.url}/\n`)
  if (isShown) await openAddress(`${service.url}/`, io)
  for (const path of paths) io.stderr.write(`Try: curl '${service.url}${path}'\n`)
  io.stderr.write('Ctrl-C stops the service.\n')
  await new Promise((resolve) => io.stop.addEventListener('abort', resolve, { once: true }))
  io.stderr.write('Stopping …\n')
  await service.stop()
  return 0
}

/** Commands that start the HTTP service. */
export const SERVICE_COMMANDS: readonly Command[] = [serveCommand, demoCommand]

/** How long a service waits for what `check` finds before it listens; what is found later is printed then. */
const QUIET_MS = 3_000

/**
 * Prints what `check` finds wrong before a service listens. It listens all the same, for what is wrong may be set right while it runs, and
 * readiness says how it is. ConfigurationError for what only a change of the configuration sets right.
 */
async function printFindings(engine: Engine, { stderr }: Io): Promise<void> {
  const say = (level: 'warning' | 'failure', text: string) =>
    stderr.write(
      `${paint(level === 'warning' ? 'yellow' : 'red', `${level}:`, stderr.color === true)} ${withoutControls(text)}\n`,
    )
  // What the configuration itself refutes ends the start, and is said there.
  const refuted = engine.compile('mrr').catch((error: unknown) => {
    if (error instanceof ConfigurationError) throw error
  })
  const checked = Promise.all([engine.check(), refuted]).then(
    ([findings]) => {
      for (const { level, name, message } of findings) if (level !== 'ok') say(level, `${name}: ${message}`)
    },
    (error: unknown) => {
      if (error instanceof ConfigurationError) throw error
      say('failure', error instanceof AppError ? error.operatorDetail : 'the check of the billing database failed')
    },
  )
  await Promise.race([checked, setTimeout(QUIET_MS, undefined, { ref: false })])
  // A refusal that comes later is that of every request, and logged as such.
  checked.catch(() => {})
}

/** What shows an address in the user's browser, by platform; elsewhere as on Linux. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [program: string, ...words: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Shows an address in a browser. Where there is none that is said, and the service goes on. */
function openAddress(address: string, io: Io): Promise<void> {
  const [program, ...words] = OPENERS[process.platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(program, [...words, address], { detached: true, stdio: 'ignore' })
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
    child.once('error', () => {
      io.stderr.write(`There is no browser to be opened here; the address is ${address}\n`)
      resolve()
    })
  })
}

/** The tools for language models over the standard streams of the process. */
export const MCP_COMMAND: Command = {
  name: 'mcp',
  description: 'Serve tools for language models over standard input and output (Model Context Protocol)',
  options: [],
  excluded: ['json', 'output'],
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
