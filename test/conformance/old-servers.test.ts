import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { composeEngine } from '../../src/app/compose.ts'
import { loadConfig } from '../../src/app/config/config.ts'
import { createApp } from '../../src/facades/http/app.ts'
import { runProduct } from '../cli/run-product.ts'
import { programsOf } from '../support/databases/servers/installed-programs.ts'
import { missingPostgres, REFUSED_POSTGRES, startPostgres } from '../support/databases/servers/postgres-versions.ts'
import { startMariadb } from '../support/databases/servers/start-mariadb.ts'

const mariadb = programsOf('mariadb')

const messagesOf = (lines: readonly string[]) => lines.map((line) => (JSON.parse(line) as { message: string }).message)

/** A MariaDB server reports any version that is set, of MySQL too. Each run asks about one. */
const TOLD = [
  { version: '10.5.29-MariaDB-log', named: 'MariaDB 10.5.29', oldest: 'MariaDB 10.6' },
  { version: '8.0.16', named: 'MySQL 8.0.16', oldest: 'MySQL 8.0.17' },
] as const
const told = TOLD[inject('turn') % TOLD.length] ?? TOLD[0]

const SERVERS = [
  {
    named: told.named,
    oldest: told.oldest,
    isAtHand: mariadb !== undefined,
    start: () =>
      mariadb === undefined ? Promise.reject(new Error('no MariaDB')) : startMariadb(mariadb, [`--version=${told.version}`]),
  },
  {
    named: 'PostgreSQL 11.22',
    oldest: 'PostgreSQL 12',
    isAtHand: missingPostgres([REFUSED_POSTGRES]).length === 0,
    start: () => startPostgres(REFUSED_POSTGRES),
  },
]

describe.each(SERVERS)('a server that is too old: $named', ({ named, oldest, isAtHand, start }) => {
  const refusal = `the billing database runs on ${named}, which is not supported; ${oldest} and later are`
  let server: { readonly url: string; close(): Promise<void> }
  let folder: string

  beforeAll(async () => {
    if (isAtHand) server = await start()
    folder = await mkdtemp(join(tmpdir(), 'plumbline-old-'))
  })
  afterAll(async () => {
    await server?.close()
    await rm(folder, { recursive: true })
  })

  const run = (argv: readonly string[]) =>
    runProduct(folder, argv, { PLUMBLINE_DATABASE_URL: server.url, PLUMBLINE_STORE_URL: 'none' })

  it.runIf(isAtHand)('is refused by name: a question', async () => {
    expect(await run(['mrr'])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(`error: ${refusal}\n`) })
  })

  it.runIf(isAtHand)('is refused by name: the start of a service, in the log of its process', async () => {
    let logged = ''
    const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      logged += String(text)
      return true
    })
    const refused = await run(['serve', '--port', '0']).finally(() => stderr.mockRestore())
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(messagesOf(logged.trimEnd().split('\n'))).toContain(`serve: ${refusal}`)
  })

  it.runIf(isAtHand)('is refused by name: a first look, which writes nothing', async () => {
    const url = server.url
    for (const argv of [[url], ['init', url]]) {
      expect(await run(argv)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(`error: ${refusal}\n`) })
    }
    expect(await readdir(folder)).toEqual([])
  })

  it.runIf(isAtHand)('is what check finds', async () => {
    const { code, stdout } = await run(['check', '--cross', '--format', 'json'])
    expect(code).toBe(5)
    expect(JSON.parse(stdout)).toContainEqual({ name: 'connection', level: 'failure', message: refusal })
  })

  it.runIf(isAtHand)('is refused by name over HTTP, the log says why once, and the service is not ready', async () => {
    const config = loadConfig({
      environment: {},
      cwd: folder,
      home: undefined,
      options: { 'database.url': server.url, 'store.url': 'none' },
    })
    const { engine } = composeEngine(config)
    const logged: string[] = []
    const app = createApp({
      engine,
      version: '0',
      corsOrigins: [],
      limits: { body_bytes: 1_000 },
      log: (line) => logged.push(line),
    })
    try {
      const response = await app.request('/api/metrics/mrr')
      expect(response.status).toBe(503)
      expect(await response.json()).toMatchObject({ code: 'connector_unavailable', detail: expect.stringContaining(refusal) })
      const readiness = await app.request('/readyz')
      expect(readiness.status).toBe(503)
      expect(await readiness.json()).toMatchObject({ checks: { replica: { ok: false, reason: refusal } } })
      expect(messagesOf(logged)).toEqual([refusal])
    } finally {
      await engine.close()
    }
  })
})
