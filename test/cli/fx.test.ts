import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SampleData } from '../../src/app/demo/sample-data.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { recordedSample } from '../support/data/recorded-sample.ts'
import { runProduct } from './run-product.ts'

const HISTORY = 'Date,USD,JPY,GBP,\n2024-09-02,1.1,160,0.84,\n2024-08-30,1.0,150,N/A,\n'

let folder: string
let server: Server
let environment: Record<string, string>
const asked: string[] = []
/** An answer that has begun. */
let slow: ServerResponse | undefined
const run = (line: string, more: Record<string, string> = {}) => runProduct(folder, line.split(' '), { ...environment, ...more })

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (request.url === '/slow.csv') {
      response.write(HISTORY.slice(0, 40))
      slow = response
      return response
    }
    if (request.url !== '/history.zip') return response.writeHead(404).end()
    return response.end(zipSync({ 'eurofxref-hist.csv': new TextEncoder().encode(HISTORY) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-fx-'))
  const { port } = server.address() as AddressInfo
  environment = {
    PLUMBLINE_FX_ECB_URL: `http://127.0.0.1:${port}/history.zip`,
    PLUMBLINE_DEFINITIONS_BASE_CURRENCY: 'USD',
  }
  return () => rm(folder, { recursive: true, force: true })
})

describe('exchange rates by command', () => {
  it('fetch asks the configured address, and only then; --to and --since choose', async () => {
    expect(await run('fx list')).toMatchObject({ code: 0, stdout: '(no rows)\n' })
    expect(asked).toEqual([])
    const fetched = await run('fx fetch ecb')
    expect(fetched).toMatchObject({ code: 0, stdout: '2 rows read, 5 stored, 0 rejected\n' })
    expect(fetched.stderr).toContain('127.0.0.1')
    expect(asked).toEqual(['/history.zip'])
    expect((await run('fx list --latest --format csv')).stdout).toBe(
      'date,from,to,rate\r\n2024-09-02,EUR,USD,1.1\r\n2024-09-02,GBP,USD,1.309523809524\r\n2024-09-02,JPY,USD,0.006875\r\n',
    )
    expect(await run('fx fetch ecb --to eur --since 2024-09-01')).toMatchObject({ stdout: '2 rows read, 3 stored, 0 rejected\n' })
  })

  it('a server that refuses, or is not there, is exit 4 and stores nothing; its password is not shown', async () => {
    const { port } = server.address() as AddressInfo
    const missing = await run('fx fetch ecb', {
      PLUMBLINE_FX_ECB_URL: `http://me:hidden@127.0.0.1:${port}/none.zip?token=hidden`,
    })
    expect(missing).toMatchObject({ code: 4, stdout: '' })
    expect(missing.stderr).not.toContain('hidden')
    expect(await run('fx fetch ecb', { PLUMBLINE_FX_ECB_URL: 'http://127.0.0.1:9/history.zip' })).toMatchObject({ code: 4 })
    expect((await run('fx list')).stdout).toBe('(no rows)\n')
    expect(await run('fx fetch ecb', { PLUMBLINE_FX_ECB_URL: 'ftp://example.com/x' })).toMatchObject({ code: 2 })
  })

  it('a slow server keeps nobody from writing to the store', async () => {
    const { port } = server.address() as AddressInfo
    const fetched = run('fx fetch ecb', { PLUMBLINE_FX_ECB_URL: `http://127.0.0.1:${port}/slow.csv` })
    await vi.waitUntil(() => slow !== undefined, 10_000)
    const path = join(folder, 'pairs.csv')
    await writeFile(path, 'date,from,to,rate\n2024-01-01,GBP,EUR,1.2\n')
    expect(await run(`fx import ${path}`)).toMatchObject({ code: 0 })
    slow?.end(HISTORY.slice(40))
    expect(await fetched).toMatchObject({ code: 0, stdout: '2 rows read, 5 stored, 0 rejected\n' })
  })

  it('rejected rows are exit 3 unless --lenient, and say which', async () => {
    const path = join(folder, 'history.csv')
    await writeFile(path, `${HISTORY}2024-08-29,1,oops,0.8,\n`)
    const strict = await run(`fx import ${path}`)
    expect(strict.code).toBe(3)
    expect(strict.stdout).toContain('3 rows read, 7 stored, 1 rejected')
    expect(strict.stdout).toMatch(/^ +3 +JPY: rate must be/m)
    expect(await run(`fx import ${path} --lenient`)).toMatchObject({ code: 0 })
  })

  it('without a base currency a file in euro says what to do; all that is wrong is said at once', async () => {
    const path = join(folder, 'history.csv')
    await writeFile(path, HISTORY)
    const unsure = await run(`fx import ${path}`, { PLUMBLINE_DEFINITIONS_BASE_CURRENCY: '' })
    expect(unsure).toMatchObject({ code: 3, stdout: '' })
    expect(unsure.stderr).toMatch(/^error: --to: .*definitions\.base_currency/)
    const wrong = await run(`fx import ${path} --to dollar --since 2024-02-30`)
    expect(wrong.code).toBe(3)
    expect(wrong.stderr).toMatch(/--to: .*\n.*--since: /)
  })
})

describe('fx missing', () => {
  let data: SampleData
  beforeAll(async () => {
    data = await recordedSample()
  })
  afterAll(() => data.dispose())

  it('lists every pair with its days, and nothing once the rates are there', async () => {
    Object.assign(environment, {
      PLUMBLINE_DATABASE_URL: data.databaseUrl,
      PLUMBLINE_CONNECTOR_TENANT: data.tenant,
      PLUMBLINE_NOW: data.now,
    })
    const { code, stdout } = await run('fx missing --format json')
    expect(code).toBe(0)
    const pairs = JSON.parse(stdout) as { from: string; to: string; first_day: string; last_day: string; count: number }[]
    expect(pairs.map(({ from, to }) => `${from} ${to}`).sort()).toEqual(['EUR USD', 'GBP USD', 'JPY USD'])
    expect(pairs.every((pair) => pair.first_day < pair.last_day && pair.last_day <= '2026-11-20' && pair.count > 1)).toBe(true)
    const refused = await run('mrr')
    expect(refused.code).toBe(3)
    expect(refused.stderr).toMatch(/EUR to USD .*GBP to USD .*JPY to USD .*plumbline fx fetch ecb/)
    const rates = await readFile(join(packageRoot(), 'examples', 'rates.csv'), 'utf8')
    await writeFile(join(folder, 'rates.csv'), rates)
    expect(await run(`fx import ${join(folder, 'rates.csv')}`)).toMatchObject({ code: 0 })
    expect(await run('fx missing')).toMatchObject({ code: 0, stdout: 'No exchange rate is missing.\n' })
  })
})
