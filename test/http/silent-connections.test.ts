import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { addressOf } from '../../src/facades/http/connections.ts'
import { probesOf } from '../../src/facades/http/paths.ts'
import { type ListenOptions, type RunningServer, startServer } from '../../src/facades/http/server.ts'
import { serviceOver } from './recording-engine.ts'

const MOST = 40
const POST = 'POST /api/metrics/mrr HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n'
const running: RunningServer[] = []
const sockets: Socket[] = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await Promise.all(running.splice(0).map((server) => server.stop()))
})

async function start(options: Partial<ListenOptions> = {}, behaviour: Parameters<typeof serviceOver>[0] = {}) {
  const lines: unknown[][] = []
  const server = await startServer(serviceOver(behaviour).app, {
    host: '127.0.0.1',
    port: 0,
    graceMs: 200,
    maxConnections: MOST,
    log: (...line) => void lines.push(line),
    ...options,
  })
  running.push(server)
  return { url: server.url, lines }
}

/** Connections from an address of this machine, with what they say; resolves once all are open. */
function open(url: string, count: number, from = '127.0.0.1', bytes = ''): Promise<readonly Socket[]> {
  return Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<Socket>((resolve, reject) => {
          const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress: from }, () => {
            socket.write(bytes)
            resolve(socket)
          })
          socket.once('error', reject)
          socket.on('error', () => {})
          sockets.push(socket)
        }),
    ),
  )
}

const alive = async (url: string) => (await fetch(`${url}/healthz`, { headers: { connection: 'close' } })).status
const openOf = (some: readonly Socket[]) => some.filter(({ destroyed, readyState }) => !destroyed && readyState === 'open').length

describe('connections that say nothing', () => {
  it.each([
    ['nothing', ''],
    ['half a head', 'GET /healthz HTTP/1.1\r\nhost: local'],
    ['half a body', `${POST}content-length: 100\r\n\r\n{`],
    ['half a body in pieces', `${POST}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n`],
  ])('do not keep anybody out, however many there are: %s', async (_, bytes) => {
    const { url, lines } = await start()
    for (let round = 0; round < 3; round += 1) {
      await open(url, 2 * MOST, '127.0.0.1', bytes)
      // Until the server has read what they say.
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(await alive(url)).toBe(200)
    }
    expect(lines[0]).toMatchObject(['warn', 'connections dropped', { max_connections: MOST }])
  })

  it('go before those of others: the address with most of them gives way', async () => {
    const { url } = await start({ silent: { silentPerAddress: 10, hurriedMs: 60_000 } })
    const few = await open(url, 5, '127.0.0.2')
    await open(url, 3 * MOST, '127.0.0.3')
    await open(url, 3 * MOST, '127.0.0.4')
    await alive(url)
    expect(openOf(few)).toBe(5)
  })

  it('of one address have less time where they are many, and no more than half of the room', async () => {
    const { url } = await start({ maxConnections: 100, silent: { silentPerAddress: 10, hurriedMs: 200 } })
    const few = await open(url, 5, '127.0.0.2')
    const many = await open(url, 11, '127.0.0.3')
    await expect.poll(() => openOf(many), { timeout: 8_000 }).toBeLessThanOrEqual(10)
    expect(openOf(few)).toBe(5)
    const most = await open(url, 60, '127.0.0.4')
    expect(await alive(url)).toBe(200)
    await expect.poll(() => openOf(most), { timeout: 8_000 }).toBeLessThanOrEqual(50)
  })

  it('have less time near the limit, whatever their address', async () => {
    const { url } = await start({ silent: { silentPerAddress: 10, hurriedMs: 200 } })
    const spread = (await Promise.all([2, 3, 4, 5].map((last) => open(url, 8, `127.0.0.${last}`)))).flat()
    await expect.poll(() => openOf(spread), { timeout: 8_000 }).toBeLessThan(MOST * 0.75)
  })

  it('are not those of a proxy that passes on what others say', async () => {
    const { url } = await start({ silent: { silentPerAddress: 3, hurriedMs: 50 } })
    const ask = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n'
    const proxied = await open(url, 20, '127.0.0.2', ask)
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(openOf(proxied)).toBe(20)
    // And where its connections are needed, those that wait for a request go first.
    await open(url, MOST, '127.0.0.3')
    expect(await alive(url)).toBe(200)
  })

  it('and those that send: where all are being answered, a new one is dropped', async () => {
    let answer = () => {}
    const never = new Promise<never>((_, reject) => (answer = () => reject(new Error('the test is over'))))
    const { url, lines } = await start({ maxConnections: 2 }, { query: () => never })
    await open(url, 2, '127.0.0.1', 'GET /api/metrics/mrr HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await new Promise((resolve) => setTimeout(resolve, 200))
    const [late] = await open(url, 1)
    await expect.poll(() => late?.destroyed || late?.readyState !== 'open', { timeout: 5_000 }).toBe(true)
    expect(lines).toEqual([['warn', 'connections dropped', { dropped: 1, silent: 0, max_connections: 2 }]])
    answer()
  })
})

describe('a listener for probes', () => {
  it('answers them and nothing else', async () => {
    const server = await startServer(probesOf(serviceOver().app), { host: '127.0.0.1', port: 0, maxConnections: 5 })
    running.push(server)
    for (const path of ['/healthz', '/readyz', '/metrics']) expect((await fetch(server.url + path)).status, path).toBe(200)
    for (const path of ['/', '/api/metrics/mrr', '/docs', '/healthz/x'])
      expect((await fetch(server.url + path)).status, path).toBe(404)
  })
})

it.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
  [undefined, ''],
])('connections from %s are counted as %s', (remoteAddress, counted) => {
  expect(addressOf({ remoteAddress })).toBe(counted)
})
