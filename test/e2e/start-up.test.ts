import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { seenInErrors, serveReady, startProduct } from '../support/product/product-process.ts'

/** A server that takes connections and says nothing. */
async function silentServer(): Promise<{ readonly port: number; readonly server: Server; readonly open: Set<Socket> }> {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { port: typeof address === 'object' && address !== null ? address.port : 0, server, open }
}

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '')
const parsed = (text: string) => linesOf(text).map((line) => JSON.parse(line) as Record<string, unknown>)

describe('a service whose start does not get on', () => {
  let silent: Awaited<ReturnType<typeof silentServer>>
  let folder: string
  beforeAll(async () => {
    silent = await silentServer()
    folder = await mkdtemp(join(tmpdir(), 'pl-start-'))
  })
  afterAll(async () => {
    for (const socket of silent.open) socket.destroy()
    silent.server.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('ends in good order on SIGTERM while its store does not answer', async () => {
    const started = await startProduct('serve', [], {
      PLUMBLINE_DATABASE_URL: `postgres://127.0.0.1:${silent.port}/none`,
      PLUMBLINE_STORE_URL: `postgres://127.0.0.1:${silent.port}/none`,
      PLUMBLINE_SERVER_PORT: '0',
    })
    while (silent.open.size < 2 && started.isAlive()) await new Promise((resolve) => setTimeout(resolve, 20))
    expect(started.output.stderr).not.toContain('running at')
    started.child.kill('SIGTERM')
    expect(await started.exit).toBe(0)
    parsed(started.output.stderr)
  })

  it('whose address is taken says why as its log does', async () => {
    const started = await startProduct('serve', [], {
      PLUMBLINE_DATABASE_URL: 'postgres://127.0.0.1:1/none',
      PLUMBLINE_STORE_URL: 'none',
      PLUMBLINE_SERVER_PORT: String(silent.port),
      PLUMBLINE_LOG_FORMAT: 'json',
    })
    expect(await started.exit).toBe(2)
    const lines = parsed(started.output.stderr)
    expect(lines.at(-1)).toMatchObject({ level: 'error', message: expect.stringContaining('cannot listen on 127.0.0.1 port') })
  })
})

oneEngineInRotation('a service', (target) => {
  let settings: Record<string, string>
  let folder: string
  beforeAll(async () => {
    const database = await sharedReal(target)
    folder = await mkdtemp(join(tmpdir(), 'pl-start-'))
    settings = {
      PLUMBLINE_DATABASE_URL: database.url,
      PLUMBLINE_CONNECTOR_TENANT: 'alpha',
      PLUMBLINE_DEFINITIONS_BASE_CURRENCY: 'USD',
      PLUMBLINE_STORE_URL: `sqlite:${join(folder, 'store.db')}`,
      PLUMBLINE_NOW: '2026-11-20T23:59:59Z',
    }
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it.skipIf(process.platform !== 'linux')('keeps its cache in memory if the directory cannot be made', async () => {
    const service = await serveReady({ ...settings, PLUMBLINE_CACHE_DIRECTORY: '/proc/plumbline' })
    try {
      const { checks } = (await (await fetch(`${service.url}/readyz`)).json()) as {
        readonly checks: { readonly cache: Record<string, unknown> }
      }
      expect(checks.cache).toMatchObject({ status: 'ready' })
      expect((await fetch(`${service.url}/api/customers?limit=1`)).status).toBe(200)
      expect(await seenInErrors(service.process, /"message":"(The cache is not stored: [^"]+)"/)).toMatch(
        /^The cache is not stored: \/proc\/plumbline\/\w+ cannot be used \(ENOENT\)\.$/,
      )
    } finally {
      await service.stop()
    }
    expect(await service.process.exit).toBe(0)
  })

  it('writes its whole log as JSON, without what is known of a customer', async () => {
    const service = await serveReady({ ...settings, PLUMBLINE_CACHE_DIRECTORY: 'none', PLUMBLINE_LOG_FORMAT: 'json' })
    const found = await seenInErrors(service.process, /"message":"(parked_accounts: [^"]+)"/)
    expect(found).toBe(
      'parked_accounts: 5 customers in MRR are parked by the billing engine; `plumbline billing-health --state open` has amounts, causes and remedies',
    )
    const { rows } = (await (await fetch(`${service.url}/api/customers?limit=1000`)).json()) as {
      readonly rows: readonly { readonly name: string | null; readonly external_key: string; readonly email?: string | null }[]
    }
    await fetch(`${service.url}/api/customers/${rows[0]?.external_key}`)
    await fetch(`${service.url}/api/checks`)
    await service.stop()
    const { stderr, stdout } = service.process.output
    expect(stdout).toBe('')
    const lines = parsed(stderr)
    expect(lines.map(({ message }) => message)).toContain(
      `Plumbline is running at ${service.url}; documentation at ${service.url}/docs`,
    )
    expect(lines.at(-1)).toMatchObject({ level: 'info', message: 'Stopping …' })
    const personal = rows.flatMap(({ name, external_key, email }) => [name, external_key, email ?? null])
    expect(personal.filter((text) => text !== null && stderr.includes(text))).toEqual([])
    expect(rows.length).toBeGreaterThan(100)
  })
})
