import { type Command, optionValue } from '../command.ts'
import { askSummary, furtherQuestions } from '../demo-questions.ts'
import { summaryText } from '../demo-summary.ts'
import type { Io } from '../io.ts'
import { openAddress } from '../open-address.ts'
import type { OpenProduct } from '../product.ts'
import { printFindings } from './serve-findings.ts'

const serveCommand: Command = {
  name: 'serve',
  description: 'Serve the dashboard and the HTTP API until stopped',
  options: ['host', 'port', 'open'],
  without: ['json', 'output'],
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
  without: ['json', 'output'],
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
