import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCatalogDocuments } from '../../connectors/killbill/catalog/documents.ts'
import { discovery } from '../../connectors/quickbooks/oauth/authorization-server.ts'
import { fetchFrom, redirectTarget } from '../../src/core/fetch-from.ts'
import { fetchFile } from '../../src/workspace/csv/fetch-file.ts'
import { catalogXml, planXml } from '../support/data/catalogs/catalog-xml.ts'

const signal = new AbortController().signal
/** The requests that each server got, with what they carried. */
const asked: { readonly path: string; readonly login: string | undefined }[] = []
const strangers: string[] = []
let server: Server
let stranger: Server
let origin: string
let elsewhere: string

const listen = async (one: Server) => {
  await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(one.address() as AddressInfo).port}`
}

beforeAll(async () => {
  stranger = createServer((request, response) => {
    strangers.push(request.url ?? '')
    response.end('secret of another server')
  })
  elsewhere = await listen(stranger)
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://any')
    asked.push({ path: pathname, login: request.headers.authorization })
    const to: Record<string, string> = {
      '/moved': '/file',
      '/twice': '/moved',
      '/for-ever': '/for-ever',
      '/away': `http://user:hidden@${elsewhere}/file?token=hidden`,
      '/nowhere': 'http://[',
    }
    const location = to[pathname]
    if (location !== undefined) return response.writeHead(302, { location }).end()
    return response.end(catalogXml({ plans: planXml('pro-annual') }))
  })
  origin = await listen(server)
})
afterAll(() => {
  for (const one of [server, stranger]) {
    one.closeAllConnections()
    one.close()
  }
})

describe('redirects of addresses from the configuration', () => {
  it('are followed on the same host, with the login', async () => {
    asked.length = 0
    const response = await fetchFrom(`http://a%40b:p%2Fw@${origin}/twice`, { signal })
    expect(response.status).toBe(200)
    const login = `Basic ${Buffer.from('a@b:p/w').toString('base64')}`
    expect(asked).toEqual(['/twice', '/moved', '/file'].map((path) => ({ path, login })))
  })

  it.each([
    ['/away', () => `it redirects to another host, ${elsewhere}`],
    ['/for-ever', () => 'it redirects more than 5 times'],
    ['/nowhere', () => 'it redirects to no address'],
  ])('%s is refused, and no other server is asked', async (path, reason) => {
    const address = `http://${origin}${path}`
    const ofRates = await fetchFile(address, 1_000, signal).catch(String)
    expect(ofRates).toContain(`The file cannot be fetched from ${origin}: ${reason()}.`)
    const ofCatalog = await readCatalogDocuments([address]).catch(String)
    expect(ofCatalog).toContain(`cannot be read: ${reason()}`)
    expect(`${ofRates}${ofCatalog}`).not.toContain('hidden')
    await expect(discovery(address)()).rejects.toMatchObject({ code: 'connector_unavailable' })
    expect(strangers).toEqual([])
  })

  it('a catalog whose address has moved on its host is read', async () => {
    expect(await readCatalogDocuments([`http://${origin}/moved`])).toHaveLength(1)
  })

  it.each([
    ['https://bank.example/a', 'http://bank.example/a', 'it redirects from https: to http:'],
    ['https://bank.example/a', '//other.example/a', 'it redirects to another host, other.example'],
    ['https://bank.example/a', 'https://bank.example:8443/a', 'it redirects to another host, bank.example:8443'],
    ['http://bank.example/a', 'file:///etc/passwd', 'it redirects to another host, file:'],
    ['http://bank.example/a', 'ftp://bank.example/a', 'it redirects from http: to ftp:'],
  ])('%s to %s is refused', (from, location, reason) => {
    expect(() => redirectTarget(new URL(from), location)).toThrow(reason)
  })

  it.each([
    ['http://bank.example/a', 'https://bank.example/b', 'https://bank.example/b'],
    ['https://bank.example/a/b', '../c?d=1', 'https://bank.example/c?d=1'],
    ['https://bank.example/a', 'https://u:p@bank.example/b', 'https://bank.example/b'],
  ])('%s to %s is followed', (from, location, to) => {
    expect(redirectTarget(new URL(from), location).href).toBe(to)
  })
})
