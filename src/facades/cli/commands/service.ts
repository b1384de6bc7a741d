import { spawn } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { unlessAborted } from '../../../core/async.ts'
import { AppError, ConfigurationError, isRefusal } from '../../../core/errors.ts'
import { loadAll } from '../../../core/on-demand.ts'
import { withoutControls } from '../../../core/text.ts'
import type { Engine } from '../../../engine/engine.ts'
import { type Command, optionValue, withEngine } from '../command.ts'
import { askSummary, furtherQuestions, summaryText } from '../demo-summary.ts'
import type { Io } from '../io.ts'
import type { OpenProduct } from '../product.ts'
import { linesTo } from '../service-log.ts'
import { paint } from '../terminal-text.ts'
import { explained } from './question.ts'

const LOADING = 'Unpacking the sample data and starting its database, which usually takes about 5 seconds …\n'

const TO_DASHBOARD = 'Dashboard: run the demo on a terminal without --once, or `plumbline --demo serve --open`'

const serveCommand: Command = {
  name: 'serve',
  description: 'Serve the dashboard and the HTTP API until you stop it',
  options: ['host', 'port', 'open'],
  excluded: ['json', 'output'],
  run: async ({ input, io, product }) => {
    const isDemo = input.flags.has('demo')
    if (isDemo) io.stderr.write(LOADING)
    const opened = await product.open({
      config: optionValue(input, 'config'),
      host: optionValue(input, 'host'),
      port: optionValue(input, 'port'),
    })
    const log = opened.jsonLog
    const told = log === undefined ? io : { ...io, stderr: linesTo(log.write) }
    if (log !== undefined) io.useLog?.(log)
    try {
      // The findings are about a database that somebody can change. That of the demo is right.
      if (!isDemo) await reportFindings(opened, told)
      return await serveUntilStopped(opened, ['/api/metrics/mrr'], told, input.flags.has('open'))
    } catch (error) {
      if (log === undefined) throw error
      log.failure(error)
      return exitOf(error)
    } finally {
      await opened.close()
    }
  },
}

const demoCommand: Command = {
  name: 'demo',
  description: 'Load the bundled sample data, print a summary and serve the dashboard',
  options: ['host', 'port', 'open', 'once', 'interactive'],
  excluded: ['json', 'output'],
  run: async ({ input, io, product }) => {
    io.stderr.write(LOADING)
    const demo = await product.openDemo({
      host: optionValue(input, 'host'),
      port: optionValue(input, 'port'),
    })
    try {
      io.stdout.write(summaryText(await askSummary(demo.engine, demo.today), io.stdout.color === true))
      const paths = furtherQuestions(demo.today)
      const stops = input.flags.has('once') || (input.flags.has('interactive') && io.stdout.isTTY !== true)
      if (!stops) return await serveUntilStopped(demo, paths, io, input.flags.has('open'))
      io.stdout.write(['', 'More to try with `plumbline --demo serve`:', ...paths, '', TO_DASHBOARD, ''].join('\n'))
      return 0
    } finally {
      await demo.close()
    }
  },
}

const EXIT_INTERNAL = 1

function exitOf(error: unknown): number {
  return error instanceof AppError || error instanceof ConfigurationError ? error.exit : EXIT_INTERNAL
}

async function serveUntilStopped(product: OpenProduct, paths: readonly string[], io: Io, isShown: boolean): Promise<number> {
  const service = await unlessAborted(product.serve(io.stop), io.stop).catch((error: unknown) => {
    // A step of the start may never end.
    if (!io.stop.aborted) throw error
  })
  if (service === undefined) return 0
  io.stderr.write(`Plumbline is running at ${service.url}; documentation at ${service.url}/docs\n`)
  if (isShown) await openAddress(`${service.url}/`, io)
  // Hints for people.
  if (product.jsonLog === undefined) {
    for (const path of paths) io.stderr.write(`Try: curl '${service.url}${path}'\n`)
    io.stderr.write('Press Ctrl-C to stop.\n\n')
  }
  // The last line is the one that most people need.
  if (service.hasDashboard === true) io.stderr.write(`Dashboard: ${service.url}/\n`)
  await new Promise((resolve) => io.stop.addEventListener('abort', resolve, { once: true }))
  io.stderr.write('Stopping …\n')
  await service.stop()
  return 0
}

/** Commands that start the HTTP service. */
export const SERVICE_COMMANDS: readonly Command[] = [serveCommand, demoCommand]

/** Longest wait for `check` before the service starts, milliseconds. Findings that arrive later are printed then. */
const CHECK_WAIT_MS = 500
/** Longest wait until the configuration is known to fit the database, milliseconds. */
const CONFIGURATION_WAIT_MS = 3_000
/** Time between two looks at the state of the cache. */
const CACHE_POLL_MS = 1_000

/**
 * Reports warnings and failures of `check` without customers, on a small database before the service listens. The service starts anyway: the cause may be fixed
 * while it runs, and /readyz reports the state. Checks that read most rows run when the cache is filled. ConfigurationError for problems that only a change of the configuration can fix.
 */
async function reportFindings({ engine, jsonLog }: OpenProduct, io: Io): Promise<void> {
  const said = new Set<string>()
  const say = (level: 'warning' | 'failure', text: string) => {
    if (jsonLog !== undefined) return jsonLog.write(level === 'warning' ? 'warn' : 'error', text)
    const label = paint(level === 'warning' ? 'yellow' : 'red', `${level}:`, io.stderr.color === true)
    io.stderr.write(`${label} ${withoutControls(text)}\n`)
  }
  const sayAll = (findings: Awaited<ReturnType<Engine['check']>>) => {
    for (const { level, name, message, logged = message } of findings) {
      const text = `${name}: ${logged}`
      if ((level === 'warning' || level === 'failure') && !said.has(text)) say(level, text)
      said.add(text)
    }
  }
  // The start fails if the configuration does not fit the database.
  const refuted = engine.compile('mrr').catch((error: unknown) => {
    if (error instanceof ConfigurationError) throw error
  })
  const checked = Promise.all([engine.check({ isQuick: true }), refuted]).then(
    ([findings]) => {
      sayAll(findings)
      // It is not awaited: the service runs meanwhile. After a failure, every request fails with the same error and logs it.
      whenFilled(engine, io.stop)
        .then(async () => sayAll((await engine.checks({ refresh: true })).findings))
        .catch(() => {})
    },
    (error: unknown) => {
      if (error instanceof ConfigurationError) throw error
      say('failure', error instanceof AppError ? error.operatorDetail : 'the check of the billing database failed')
    },
  )
  const within = <T>(work: Promise<T>, limitMs: number) => Promise.race([work, setTimeout(limitMs, undefined, { ref: false })])
  await Promise.all([within(checked, CHECK_WAIT_MS), within(refuted, CONFIGURATION_WAIT_MS)])
  // If the check fails later, every request fails with the same error and logs it.
  checked.catch(() => {})
}

/** Resolves when the cache is filled or cannot be filled, or there is none. Rejects when the service stops. */
async function whenFilled(engine: Engine, signal: AbortSignal): Promise<void> {
  for (;;) {
    const status = engine.statistics().cache?.status
    if (status === undefined || status === 'ready' || status === 'failed') return
    await setTimeout(CACHE_POLL_MS, undefined, { ref: false, signal })
  }
}

/** The program that opens an address in the browser, by platform. Other platforms use the program of Linux. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [program: string, ...words: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens an address in a browser. Without a browser it prints the address; the service continues. */
function openAddress(address: string, io: Io): Promise<void> {
  const [program, ...words] = OPENERS[process.platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(program, [...words, address], { detached: true, stdio: 'ignore' })
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
    child.once('error', () => {
      io.stderr.write(`Cannot open a browser; the address is ${address}\n`)
      resolve()
    })
  })
}

/** Serves the tools for language models over the standard streams of the process. */
export const MCP_COMMAND: Command = {
  name: 'mcp',
  description: 'Serve tools for language models over standard input and output (Model Context Protocol)',
  options: ['explain'],
  excluded: ['json', 'output'],
  run: (invocation) => {
    const { input, io, product } = invocation
    // The model gets the message of a refusal.
    const onFailure = (error: unknown) => {
      if (!isRefusal(error))
        io.stderr.write(`error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    }
    return withEngine(invocation, async (engine) => {
      // It runs for days, also while another installation takes the place of this one.
      const [{ serveStdio }] = await Promise.all([import('../../mcp/stdio.ts'), loadAll()])
      // If the database refuses the connection, each request reports the error.
      const ready = engine.compile('mrr').catch(() => undefined)
      await serveStdio({ engine, version: product.version, ask: { signal: io.stop, ...explained(input, io) }, ready, onFailure })
    })
  },
}
