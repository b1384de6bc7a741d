import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Ran } from '../cli/run-product.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { type StorePlace, storePlace } from '../support/databases/store-places.ts'
import { type ProductProcess, seenInErrors, serveReady, startProduct } from '../support/product/product-process.ts'
import { END_OF_RECORDING } from '../support/product/recorded-engine.ts'
import { importRates } from '../support/product/recorded-service.ts'

const COMMANDS: readonly (readonly string[])[] = [
  ['mrr'],
  ['mrr', '--dimension', 'plan_id', '--format', 'json'],
  ['mrr', '--dimension', 'currency', '--start', '2026-01-01', '--end', '2026-06-30', '--granularity', 'month', '--format', 'csv'],
  ['mrr', 'movements', '--last', '3m', '--format', 'csv'],
  ['churn', '--last', '6m'],
  ['retention', '--last', '6m', '--json'],
  ['summary'],
  ['summary', '--json'],
  ['customers', '--limit', '5'],
  ['customers', '--limit', '300', '--json'],
  ['subscriptions', '--format', 'csv'],
  ['invoices', '--limit', '3'],
  ['renewals', '--limit', '3'],
  ['billing-health'],
  ['billing-health', '--format', 'csv'],
  ['billing-notices', '--json'],
  ['bridge', 'mrr', '--from', 'plumbline', '--to', 'default'],
  ['bridge', 'mrr', '--from', 'no_such', '--to', 'default'],
  ['rows', 'mrr', '--limit', '3'],
  ['rows', 'mrr', '--format', 'csv'],
  ['fx', 'missing'],
  ['mrr', '--dimension', 'no_such'],
  ['mrr', '--dimension', 'no_such', '--json'],
  ['mrr', '--at', 'never', '--granularity', 'month'],
  ['mrr', '--segment', 'no-such-segment'],
]

/** Commands that the cache can answer, and commands that read the database wherever they are answered. */
const IN_CACHE: readonly (readonly string[])[] = [
  ['mrr'],
  ['summary'],
  ['customers'],
  ['billing-health'],
  ['bridge', 'mrr', '--from', 'plumbline', '--to', 'default'],
  ['rows', 'mrr'],
]
const IN_DATABASE: readonly (readonly string[])[] = [['invoices'], ['renewals'], ['billing-notices']]

const MESSAGES = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
  },
  { id: 2, method: 'tools/call', params: { name: 'query_metric', arguments: { metric: 'mrr', dimensions: ['currency'] } } },
  { id: 3, method: 'tools/call', params: { name: 'list_customers', arguments: { limit: 3 } } },
  { id: 4, method: 'tools/call', params: { name: 'query_metric', arguments: { metric: 'mrr', dimensions: ['no_such'] } } },
  { id: 5, method: 'tools/call', params: { name: 'bridge', arguments: { metric: 'mrr', from: 'plumbline', to: 'default' } } },
  { id: 6, method: 'tools/call', params: { name: 'billing_health', arguments: {} } },
  { id: 7, method: 'tools/call', params: { name: 'list_billing_findings', arguments: { limit: 3 } } },
  { id: 8, method: 'tools/call', params: { name: 'list_billing_notices', arguments: { limit: 3 } } },
  { id: 9, method: 'tools/call', params: { name: 'list_renewals', arguments: { limit: 3 } } },
  { id: 10, method: 'tools/call', params: { name: 'metric_rows', arguments: { metric: 'mrr', limit: 3 } } },
]

oneEngineInRotation(
  'commands beside a service',
  (target) => {
    let store: StorePlace
    let folder: string
    let settings: Record<string, string>
    let served: ProductProcess

    const serve = async () => (await serveReady(settings)).process
    // A command asks a service of its own build only, so it is a process as the service is.
    const run = async (argv: readonly string[], own: Record<string, string> = {}): Promise<Ran> => {
      const { exit, output } = await startProduct('cli', argv, { ...settings, ...own })
      return { code: (await exit) ?? -1, ...output }
    }
    const explained = async (own: Record<string, string> = {}) =>
      (await run(['mrr', '--explain'], own)).stderr.split('\n', 1)[0] ?? ''
    /** The first line of an explained command. */
    const originOf = async (argv: readonly string[], own: Record<string, string> = {}) =>
      (await run([...argv, '--explain'], own)).stderr.split('\n')[0]
    // A check stops after a few seconds, so its counts are no constants.
    const verified = async (own: Record<string, string> = {}) => {
      const argv = ['verify', '--start', '2026-09-01', '--end', '2026-09-30', '--json', '--explain']
      const { code, stdout, stderr } = await run(argv, own)
      expect(stdout, stderr).not.toBe('')
      const { checks, ...others }: { readonly checks: readonly { readonly name: string; readonly ok: boolean | null }[] } =
        JSON.parse(stdout)
      const ofCache = checks.find(({ name }) => name === 'cached_equals_direct')?.ok
      const held = checks.map(({ name, ok }) => (name === 'cached_equals_direct' ? name : `${name}: ${ok}`))
      return { ofCache, origin: stderr.split('\n')[0], report: { ...others, code, held } }
    }
    const directory = async () => {
      const [name = ''] = await readdir(join(folder, 'cache'))
      return join(folder, 'cache', name)
    }

    beforeAll(async () => {
      const database = await sharedReal(target)
      store = await storePlace(target.name)
      await importRates(store)
      folder = await mkdtemp(join(tmpdir(), 'pl-beside-'))
      settings = {
        PLUMBLINE_DATABASE_URL: database.url,
        PLUMBLINE_CONNECTOR_TENANT: 'alpha',
        PLUMBLINE_STORE_URL: store.url,
        PLUMBLINE_DEFINITIONS_BASE_CURRENCY: 'USD',
        PLUMBLINE_NOW: END_OF_RECORDING.toISOString(),
        PLUMBLINE_CACHE_DIRECTORY: join(folder, 'cache'),
      }
      served = await serve()
    })
    afterAll(async () => {
      served?.child.kill('SIGTERM')
      await served?.exit
      await store?.remove()
      await rm(folder, { recursive: true, force: true })
    })

    it('write what they write by themselves, with the same warnings and exit codes', async () => {
      for (const argv of COMMANDS) {
        const through = withoutId(await run(argv))
        expect(through, argv.join(' ')).toEqual(withoutId(await run(argv, { PLUMBLINE_CACHE_MODE: 'off' })))
      }
    })

    it('say where the answer was read', async () => {
      const pid = served.child.pid
      expect(await explained()).toMatch(
        new RegExp(`^Answered from the cache by the service \\(process ${pid}, running since .*Z\\)\\.$`),
      )
      expect(await explained({ PLUMBLINE_CACHE_MODE: 'off' })).toBe(
        'Answered straight from the database; no service answered: cache.mode is off.',
      )
      expect(await explained({ PLUMBLINE_DEFINITIONS_TEST_ACCOUNTS: 'include' })).toContain('another definitions')
      expect(await explained({ PLUMBLINE_CONNECTOR_TENANT: 'beta' })).toContain('no service has a cache for this configuration')
    })

    it('ask the service whatever the question is', async () => {
      for (const argv of IN_CACHE)
        expect(await originOf(argv), argv.join(' ')).toMatch(/^Answered from the cache by the service /)
      for (const argv of IN_DATABASE)
        expect(await originOf(argv), argv.join(' ')).toMatch(/^Answered straight from the database by the service /)
    })

    it('let the service verify, which checks its own cache', async () => {
      const through = await verified()
      const own = await verified({ PLUMBLINE_CACHE_MODE: 'off' })
      expect(through.report).toEqual(own.report)
      expect([through.ofCache, own.ofCache]).toEqual([true, null])
      expect(through.origin).toMatch(/^Answered from the cache by the service /)
      expect(own.origin).toMatch(/^Answered straight from the database; /)
    })

    it('serve language models from the cache of the service', async () => {
      const toolsOf = async (own: Record<string, string>) => {
        const { child, output, exit } = await startProduct('cli', ['mcp', '--explain'], { ...settings, ...own })
        child.stdin?.end(MESSAGES.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''))
        expect(await exit).toBe(0)
        return { stdout: output.stdout, stderr: output.stderr }
      }
      const through = await toolsOf({})
      expect(through.stderr).toContain('Answered from the cache by the service')
      expect(through.stderr.split('by the service')).toHaveLength(MESSAGES.length - 1)
      const own = await toolsOf({ PLUMBLINE_CACHE_MODE: 'off' })
      expect(own.stderr).toContain('cache.mode is off')
      expect(linesOf(through.stdout)).toEqual(linesOf(own.stdout))
    })

    it('are interrupted like others', async () => {
      const started = await startProduct('cli', ['mrr', '--last', '12m'], settings)
      setTimeout(() => started.child.kill('SIGINT'), 700)
      // Null: the signal came before the process could handle it.
      expect([0, 130, null]).toContain(await started.exit)
      expect(served.isAlive()).toBe(true)
    })

    it('ignore a socket that others could reach', async () => {
      const path = await directory()
      await chmod(path, 0o755)
      expect(await explained()).toContain(`${path} is open to other users`)
      await chmod(path, 0o700)
      expect(await explained()).toContain('by the service')
    })

    it('leave no secret in the files of the service', async () => {
      const path = await directory()
      expect(await readFile(join(path, 'service.address'), 'utf8')).toBe(`${join(path, 'service.socket')}\n`)
      expect(path).toMatch(/[0-9a-f]{16}$/)
    })

    it('answer themselves after the service was killed, until another takes its place', async () => {
      const path = await directory()
      served.child.kill('SIGKILL')
      await served.exit
      expect(await readdir(path)).toContain('service.socket')
      expect(await explained()).toMatch(
        /straight from the database; no service answered: the service does not answer at .* \(ECONNREFUSED\)/,
      )
      served = await serve()
      expect(await explained()).toContain(`process ${served.child.pid}`)
    })

    it('answer themselves after the service has stopped, which leaves nothing behind', async () => {
      const path = await directory()
      served.child.kill('SIGTERM')
      expect(await served.exit).toBe(0)
      expect(await readdir(path)).not.toContain('service.address')
      expect(await readdir(path)).not.toContain('service.socket')
      expect(await explained()).toMatch(/^Answered straight from the database; .*no service has a cache for this configuration/)
    })

    it('answer from a large cache on disk, without changing it for others', async () => {
      // The recorded cache is small. Another large file in its directory makes a command open it.
      await writeFile(join(await directory(), 'padding'), Buffer.alloc(2 ** 24))
      const before = (await readdir(await directory())).sort()
      expect(await explained()).toMatch(/^Answered from the cache on disk; /)
      for (const argv of COMMANDS) {
        const stored = withoutId(await run(argv))
        expect(stored, argv.join(' ')).toEqual(withoutId(await run(argv, { PLUMBLINE_CACHE_MODE: 'off' })))
      }
      expect(await explained({ PLUMBLINE_DEFINITIONS_TEST_ACCOUNTS: 'include' })).toContain('straight from the database')
      for (const argv of IN_CACHE) expect(await originOf(argv), argv.join(' ')).toMatch(/^Answered from the cache on disk; /)
      for (const argv of IN_DATABASE)
        expect(await originOf(argv), argv.join(' ')).toMatch(/^Answered straight from the database; no service answered: [^;]*$/)
      expect(await verified()).toMatchObject({
        ofCache: true,
        origin: expect.stringMatching(/^Answered from the cache on disk; /),
      })
      expect((await readdir(await directory())).sort()).toEqual(before)
      expect(await explained()).toMatch(/^Answered from the cache on disk; /)
    })

    it('answer from the cache on disk as soon as another process has closed it', async () => {
      const talkers = await Promise.all([1, 2].map(() => startProduct('cli', ['mcp', '--explain'], settings)))
      const [holder, second] = talkers
      if (holder === undefined || second === undefined) throw new Error('two processes are needed')
      const ask = ({ child }: ProductProcess, messages: readonly object[]) =>
        child.stdin?.write(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''))
      try {
        ask(holder, MESSAGES.slice(0, 2))
        expect(await seenInErrors(holder, /(Answered .*)\n/)).toMatch(/^Answered from the cache on disk; /)
        ask(second, MESSAGES.slice(0, 2))
        expect(await seenInErrors(second, /(Answered .*)\n/)).toMatch(/straight from the database; .*another process holds it/)
        holder.child.stdin?.end()
        expect(await holder.exit).toBe(0)
        ask(second, MESSAGES.slice(2, 3))
        expect(await seenInErrors(second, /Answered .*\n(Answered .*)\n/)).toMatch(/^Answered from the cache on disk; /)
      } finally {
        for (const { child } of talkers) child.stdin?.end()
        await Promise.all(talkers.map(({ exit }) => exit))
      }
    })
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)

// Each error has another id.
function withoutId({ stderr, ...ran }: Ran): Ran {
  return { ...ran, stderr: stderr.replace(/"request_id":"[^"]*"/, '') }
}

// The answers of concurrent calls come in any order.
function linesOf(text: string): readonly string[] {
  return text.trimEnd().split('\n').sort()
}
