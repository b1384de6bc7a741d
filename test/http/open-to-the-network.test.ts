import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { composeEngine } from '../../src/app/compose.ts'
import { loadConfig } from '../../src/app/config/config.ts'
import { startService } from '../../src/app/service.ts'
import { statusUnder } from './raw-exchange.ts'

/** Serves on a host without any database while `work` asks, and gives what it wrote to standard error. */
async function logOf(options: Readonly<Record<string, string>>, work: (url: string) => Promise<void>): Promise<string> {
  // A folder without a configuration.
  const cwd = await mkdtemp(join(tmpdir(), 'plumbline-open-'))
  const config = loadConfig({
    environment: {},
    cwd,
    home: undefined,
    options: {
      'database.url': 'postgres://127.0.0.1:1/none',
      'store.url': 'none',
      'server.port': '0',
      'cache.mode': 'off',
      'log.format': 'json',
      ...options,
    },
  })
  const composed = composeEngine(config)
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  try {
    const { url, stop } = await startService(config, composed, '0')
    await work(url).finally(stop)
    return written.mock.calls.map(([line]) => String(line)).join('')
  } finally {
    written.mockRestore()
    await composed.engine.close()
    await rm(cwd, { recursive: true })
  }
}

describe('a service', () => {
  const OPEN = 'The service is open to the network without authentication'

  it.each([
    ['0.0.0.0', true],
    ['127.0.0.1', false],
  ])('on %s says whether it is open to the network: %s', async (host, isOpen) => {
    const log = await logOf({ 'server.host': host, 'server.allow_open': 'true' }, async () => {})
    expect(log.includes(OPEN)).toBe(isOpen)
  })

  it.each(['0.0.0.0', '::'])('on %s does not start without authentication, and says what to set', async (host) => {
    await expect(logOf({ 'server.host': host }, async () => {})).rejects.toMatchObject({
      problems: [expect.stringMatching(/^server\.host = ".*auth\.enabled = true.*server\.allow_open = true/)],
      exit: 2,
    })
  })

  it('answers to the names of server.hosts and of server.public_origin, and to no other', async () => {
    const named = { 'server.hosts': 'plumbline.example.com', 'server.public_origin': 'https://figures.example.com' }
    const statuses: (string | undefined)[] = []
    await logOf(named, async (url) => {
      for (const name of ['localhost', 'plumbline.example.com', 'figures.example.com', 'evil.example'])
        statuses.push(await statusUnder(url, name))
    })
    expect(statuses).toEqual(['200', '200', '200', '403'])
  })

  it('says how much memory and disk its cache may take, and warns if there is less memory', async () => {
    const cacheLine = async (options: Readonly<Record<string, string>>) => {
      const log = await logOf({ 'cache.mode': 'auto', 'cache.directory': 'none', ...options }, async () => {})
      const lines = log.split('\n').filter((line) => line.includes('"The cache: '))
      return lines.map((line) => JSON.parse(line)).map(({ level, message }) => `${level} ${message}`)
    }
    expect(await cacheLine({ 'cache.memory_mb': '64' })).toEqual([
      expect.stringMatching(
        /^info The cache: may take 64\.0 MiB of the memory of this (machine|container) \([\d.]+ .iB\).* [\d.]+ .iB are free at /,
      ),
    ])
    expect(await cacheLine({ 'cache.memory_mb': '1048576' })).toEqual([
      expect.stringMatching(/^warn The cache: cache\.memory_mb lets the cache take 1\.0 TiB, and this (machine|container) has /),
    ])
    expect(await cacheLine({ 'cache.mode': 'off' })).toEqual([])
  })
})
