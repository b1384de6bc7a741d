import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { Agent, get, type IncomingMessage } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { BASE_CURRENCY, NOW } from '../tasks.ts'
import { processorMs, residentBytes } from './processor.ts'

const run = promisify(execFile)
const RATES = fileURLToPath(new URL('../../../fixtures/killbill/real/expected/fx.csv', import.meta.url))
const POLL_MS = 50
const STATEMENT_MS = 900_000
const QUEUE_MS = 120_000

/** An installed and built checkout of the product. */
export interface Checkout {
  /** The commit. */
  readonly name: string
  readonly root: string
  readonly program: string
}

/** The checkout in a folder. An error says that it has to be built. */
export async function checkoutAt(root: string): Promise<Checkout> {
  const { bin } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { bin: { plumbline: string } }
  const program = join(root, bin.plumbline)
  await stat(program).catch(() => {
    throw new Error(`${program} is missing: run npm run build in ${root}`)
  })
  const { stdout } = await run('git', ['-C', root, 'rev-parse', '--short=7', 'HEAD'])
  return { name: stdout.trim(), root, program }
}

/** A checkout, the database that it reads, and the folder of its store, cache and configuration. */
export interface Place {
  readonly checkout: Checkout
  readonly directory: string
  readonly databaseUrl: string
  readonly memoryMb: number
}

/** An answer of the service. */
export interface Answered {
  readonly status: number
  readonly body: string
  readonly etag: string | undefined
  /** Milliseconds until the last byte. */
  readonly clock: number
}

/** The state of the cache, as /readyz says it. */
export interface CacheStatus {
  readonly status: string
  readonly reason?: string
  readonly answered?: number
  readonly declined?: Readonly<Record<string, number>>
}

/** A service of a checkout that listens. */
export interface Service {
  ask(path: string, options?: { readonly headers?: Record<string, string>; readonly agent?: Agent }): Promise<Answered>
  cache(): Promise<CacheStatus | undefined>
  /** Resolves when the cache is filled, with each poll of its state counted in the service's time. */
  ready(): Promise<void>
  processorMs(): number
  resident(): { readonly now: number; readonly peak: number }
  stop(): Promise<void>
  kill(): Promise<void>
}

/** Puts the recording's exchange rates into the store of a place. */
export async function importRates(place: Place): Promise<void> {
  const config = await configure(place, 'off', 0)
  await run(process.execPath, [place.checkout.program, 'fx', 'import', RATES, '--config', config], {
    cwd: place.directory,
    env: environmentOf(place),
  })
}

/** The findings that `check --cross` prints about the cache. Its exit code is 1 if there are failures. */
export async function crossCheck(place: Place): Promise<readonly string[]> {
  const config = await configure(place, 'auto', 0)
  const program = [place.checkout.program, 'check', '--cross', '--config', config]
  const { stdout, stderr } = await run(process.execPath, program, { cwd: place.directory, env: environmentOf(place) }).catch(
    (error: { stdout?: string; stderr?: string }) => ({ stdout: error.stdout ?? '', stderr: error.stderr ?? String(error) }),
  )
  const found = stdout.split('\n').filter((line) => /\bcache\b/.test(line))
  return found.length > 0 ? found : [stderr.trim()]
}

/** Starts the service and waits until it listens. */
export async function serve(place: Place, mode: 'auto' | 'off'): Promise<Service> {
  const port = await freePort()
  const config = await configure(place, mode, port)
  const child = spawn(process.execPath, [place.checkout.program, 'serve', '--config', config], {
    cwd: place.directory,
    env: environmentOf(place),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors = `${errors}${chunk}`.slice(-10_000)
  })
  const agent = new Agent({ keepAlive: true })
  const ask: Service['ask'] = (path, options = {}) => request(`http://127.0.0.1:${port}${path}`, { agent, ...options })
  const pid = child.pid ?? 0
  const cache = async (): Promise<CacheStatus | undefined> => {
    const { body } = await ask('/readyz', { agent: new Agent() })
    return (JSON.parse(body) as { checks: { cache?: CacheStatus } }).checks.cache
  }
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    agent.destroy()
    if (hasEnded(child)) return
    child.kill(signal)
    await once(child, 'exit')
  }
  for (;;) {
    if (hasEnded(child)) throw new Error(`the service of ${place.checkout.name} ended: ${errors}`)
    if (
      await ask('/healthz').then(
        ({ status }) => status === 200,
        () => false,
      )
    )
      break
    await setTimeout(POLL_MS)
  }
  return {
    ask,
    cache,
    async ready() {
      for (;;) {
        if (hasEnded(child)) throw new Error(`the service of ${place.checkout.name} ended: ${errors}`)
        const found = await cache()
        if (found?.status === 'ready') return
        if (found?.status === 'failed') throw new Error(`the cache was not filled: ${found.reason ?? ''} ${errors}`)
        await setTimeout(4 * POLL_MS)
      }
    },
    processorMs: () => processorMs(pid) ?? 0,
    resident: () => residentBytes(pid),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}

/** Bytes of the files that the cache of a place has on disk. */
export async function cacheBytes(place: Place): Promise<number> {
  const entries = await readdir(cacheDirectory(place), { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  const sizes = files.map((file) =>
    stat(join(file.parentPath, file.name)).then(
      ({ size }) => size,
      () => 0,
    ),
  )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** Removes what the cache of a place has on disk. */
export async function forgetCache(place: Place): Promise<void> {
  await rm(cacheDirectory(place), { recursive: true, force: true })
}

async function request(
  url: string,
  { headers = {}, agent }: { readonly headers?: Record<string, string>; readonly agent: Agent },
): Promise<Answered> {
  const began = performance.now()
  const ask = get(url, { agent, headers })
  const answering = once(ask, 'response') as Promise<[IncomingMessage]>
  // The service may close a kept connection just when it is used again.
  const [response] = await answering.catch((error: unknown) => {
    if (!ask.reusedSocket) throw error
    return once(get(url, { agent: new Agent(), headers }), 'response') as Promise<[IncomingMessage]>
  })
  const body = await text(response)
  return { status: response.statusCode ?? 0, body, etag: response.headers.etag, clock: performance.now() - began }
}

function cacheDirectory({ directory }: Place): string {
  return join(directory, 'cache')
}

async function configure(place: Place, mode: 'auto' | 'off', port: number): Promise<string> {
  const { directory, databaseUrl, memoryMb } = place
  await mkdir(cacheDirectory(place), { recursive: true, mode: 0o700 })
  const settings = {
    database: { url: databaseUrl },
    store: { url: `sqlite:${join(directory, 'store.db')}`, workspace: 'bench' },
    definitions: { base_currency: BASE_CURRENCY },
    clock: { now: NOW },
    cache: { mode, memory_mb: memoryMb, directory: cacheDirectory(place) },
    limits: { statement_timeout_ms: STATEMENT_MS, queue_ms: QUEUE_MS },
    ...(port === 0 ? {} : { server: { port } }),
  }
  // Text and numbers of TOML are those of JSON.
  const lines = Object.entries(settings).flatMap(([section, keys]) => [
    `[${section}]`,
    ...Object.entries(keys).map(([key, value]) => `${key} = ${JSON.stringify(value)}`),
  ])
  const file = join(directory, `${mode}.toml`)
  await writeFile(file, lines.join('\n'))
  return file
}

/** Nothing of this process's environment. */
function environmentOf({ directory }: Place): NodeJS.ProcessEnv {
  return { PATH: '', HOME: directory }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}
