// `npm run demo`: the demo from the sources of a checkout. A checkout has no built page, so a second process builds it while the demo
// loads and prints its summary. The service starts when both are done.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { processInputs } from '../../src/app/config/process-inputs.ts'
import { createProduct } from '../../src/app/bin/product.ts'
import { processIo } from '../../src/facades/cli/io.ts'
import { runCli } from '../../src/facades/cli/main.ts'
import type { Product } from '../../src/facades/cli/product.ts'

const BUILD = fileURLToPath(new URL('./build-web.js', import.meta.url))

/** Builds the page without the compressed files, which only a network needs. Without a page, the service still has the API. */
async function buildPage(): Promise<void> {
  const build = spawn(process.execPath, [BUILD, '--if-changed', '--plain'], { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(build, 'exit')
  if (code !== 0) process.stderr.write('The page cannot be built, so only the API is served.\n')
}

const argv = ['demo', '--interactive', ...process.argv.slice(2)]
const isServed = process.stdout.isTTY && !argv.includes('--once')
const page = isServed ? buildPage() : Promise.resolve()

const inputs = processInputs()
const product = createProduct(inputs)
const openDemo: Product['openDemo'] = async (options) => {
  const demo = await product.openDemo(options)
  return { ...demo, serve: () => page.then(() => demo.serve()) }
}
process.exitCode = await runCli(argv, processIo(inputs.environment), { ...product, openDemo })
