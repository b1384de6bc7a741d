import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readWebFiles, type WebFiles } from '../../src/facades/http/web-files.ts'
import { serviceOver } from './recording-engine.ts'

const SCRIPT = 'export const answer = 42\n'.repeat(100)
const PAGE = '<!doctype html><base href="/"><script type="module" src="./assets/index-1a2b.js"></script>'
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

describe('the dashboard as files', () => {
  let folder: string
  let web: WebFiles | undefined

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'web-'))
    const assets = join(folder, 'assets')
    await mkdir(assets)
    await writeFile(join(folder, 'index.html'), PAGE)
    await writeFile(join(assets, 'index-1a2b.js'), SCRIPT)
    await writeFile(join(assets, 'index-1a2b.js.br'), brotliCompressSync(SCRIPT))
    await writeFile(join(assets, 'index-1a2b.js.gz'), gzipSync(SCRIPT))
    web = readWebFiles(folder)
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('every address of the page answers the document, with a policy that allows nothing inline', async () => {
    const { app } = serviceOver({}, { web })
    for (const path of ['/', '/mrr', '/customers/8f6c', '/mrr/']) {
      const response = await app.request(path, { headers: HTML })
      expect([path, response.status]).toEqual([path, 200])
      expect(await response.text()).toBe(PAGE)
      expect(response.headers.get('cache-control')).toBe('no-cache')
      const policy = response.headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
      expect(policy).not.toContain('unsafe')
    }
  })

  it('programs, and addresses that are theirs, get an error as JSON', async () => {
    const { app } = serviceOver({}, { web })
    const without = await app.request('/mrr')
    expect([without.status, without.headers.get('content-type')]).toEqual([404, 'application/json'])
    for (const path of ['/api', '/api/', '/api/nothing', '/docs/nothing', '/assets/nothing.js', '/assets/..%2findex.html'])
      expect([path, (await app.request(path, { headers: HTML })).status]).toEqual([path, 404])
    expect(await (await app.request('/api', { headers: HTML })).json()).toMatchObject({ code: 'not_found' })
    expect((await app.request('/mrr', { method: 'POST', headers: HTML })).status).toBe(404)
  })

  it('files are kept for ever and go out as small as the browser takes them', async () => {
    const { app } = serviceOver({}, { web })
    const ask = (encodings: string) => app.request('/assets/index-1a2b.js', { headers: { 'accept-encoding': encodings } })
    const brotli = await ask('gzip, deflate, br, zstd')
    expect(brotli.headers.get('content-encoding')).toBe('br')
    expect(brotli.headers.get('vary')).toContain('Accept-Encoding')
    expect(brotli.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(brotli.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(brotliDecompressSync(await brotli.arrayBuffer()).toString()).toBe(SCRIPT)
    expect(gunzipSync(await (await ask('gzip')).arrayBuffer()).toString()).toBe(SCRIPT)
    const plain = await ask('identity')
    expect(plain.headers.get('content-encoding')).toBe(null)
    expect(await plain.text()).toBe(SCRIPT)
  })

  it('behind a path the document says so, and outside it there is nothing', async () => {
    const { app } = serviceOver({}, { web, basePath: '/plumbline' })
    for (const path of ['/plumbline', '/plumbline/', '/plumbline/mrr'])
      expect(await (await app.request(path, { headers: HTML })).text()).toContain('<base href="/plumbline/">')
    expect((await app.request('/plumbline/assets/index-1a2b.js')).status).toBe(200)
    for (const path of ['/', '/mrr', '/plumblines/mrr'])
      expect([path, (await app.request(path, { headers: HTML })).status]).toEqual([path, 404])
  })

  it('without a build / leads to the documentation, and nothing else is answered', async () => {
    expect(readWebFiles(join(folder, 'assets'))).toBe(undefined)
    const { app } = serviceOver()
    const response = await app.request('/', { headers: HTML })
    expect([response.status, response.headers.get('location')]).toEqual([302, '/docs'])
    expect((await app.request('/mrr', { headers: HTML })).status).toBe(404)
  })
})
