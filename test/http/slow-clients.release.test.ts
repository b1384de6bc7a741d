import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../../src/facades/http/server.ts'
import { PATIENCE, type Patience } from '../../src/facades/http/slow-clients.ts'
import { rawConnection } from './raw-exchange.ts'
import { META, serviceOver } from './recording-engine.ts'

const IMPATIENT = { headersMs: 300, bodyMs: 600, bodyBytesPerSecond: 1_000, answerMs: 300, keepAliveMs: 300 }
const POST = 'POST /api/metrics/mrr HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n'
/** Long enough for what ends at all. */
const TIMEOUT = 30_000

const running: RunningServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
})

async function start(
  behaviour: Parameters<typeof serviceOver>[0] = {},
  options: Parameters<typeof serviceOver>[1] = {},
  maxConnections = 1_000,
  patience: Patience = IMPATIENT,
) {
  const service = serviceOver(behaviour, options)
  const lines: unknown[] = []
  const log = (...line: unknown[]) => void lines.push(line)
  const server = await startServer(service.app, { host: '127.0.0.1', port: 0, graceMs: 200, patience, maxConnections, log })
  running.push(server)
  return { ...service, url: server.url, server, lines }
}

/** Status of an answer on a new connection; undefined if there is no answer. */
const statusOf = async (url: string): Promise<number | undefined> =>
  (await fetch(`${url}/healthz`, { headers: { connection: 'close' } }).catch(() => undefined))?.status

/** Sends a piece again and again until the other side has closed. */
async function drip({ socket }: Awaited<ReturnType<typeof rawConnection>>, piece: string, everyMs: number): Promise<void> {
  while (!socket.destroyed) {
    socket.write(piece)
    await sleep(everyMs)
  }
}

describe('a client that is too slow is cut off', { timeout: TIMEOUT }, () => {
  it.each([
    ['with nothing', ''],
    ['with half a head', 'GET /healthz HTTP/1.1\r\nhost: local'],
    ['with half a body', `${POST}content-length: 1000\r\n\r\n{"params"`],
    ['with a body in pieces that stops', `${POST}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n`],
    ['with a body that nobody reads', `PUT /healthz HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\nx`],
  ])('%s, a hundred times over, while others are answered', async (_, bytes) => {
    const { url, logged } = await start()
    const slow = await Promise.all(Array.from({ length: 100 }, () => rawConnection(url, bytes)))
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    await Promise.all(slow.map(({ closed }) => closed))
    expect(logged).toEqual([])
  })

  it.each([
    ['a head', 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n', 'a: b\r\n'],
    ['a body', `${POST}content-length: 100000\r\n\r\n`, ' '],
    ['a body in pieces', `${POST}transfer-encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
  ])('with %s by the drop', async (_, head, piece) => {
    const { url } = await start()
    const connection = await rawConnection(url, head)
    await drip(connection, piece, 50)
    await connection.closed
  })

  it('with taking its answer', async () => {
    const large = 'x'.repeat(20_000_000)
    const answer = { data: large, kind: 'scalar', columns: ['mrr'], meta: META } as const
    const { url, logged } = await start({ query: async () => answer }, { logging: { level: 'info', format: 'json' } })
    const { socket, closed } = await rawConnection(url, 'GET /api/metrics/mrr HTTP/1.1\r\nhost: localhost\r\n\r\n')
    socket.pause()
    await expect.poll(() => logged.length, { timeout: TIMEOUT }).toBe(1)
    // In steps: time in which the process was stopped counts once.
    for (let step = 0; step < 30; step++) await sleep(IMPATIENT.answerMs / 6)
    socket.resume()
    expect((await closed).length).toBeLessThan(large.length)
  })

  it('with the next request', async () => {
    const { url } = await start()
    const { closed } = await rawConnection(url, 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')
    expect(await closed).toContain('HTTP/1.1 200 ')
  })

  it('with closing after a refusal', async () => {
    const { url } = await start({}, {}, 1)
    const { socket } = await rawConnection(url)
    // It takes the end of the answer for no reason to end itself.
    socket.allowHalfOpen = true
    socket.write('GARBAGE\r\n\r\n')
    await once(socket, 'end')
    expect(socket.destroyed).toBe(false)
    // There is room for one connection only.
    await expect.poll(() => statusOf(url), { timeout: TIMEOUT }).toBe(200)
    socket.destroy()
  })

  it('when the service stops', async () => {
    const { url, server } = await start()
    const slow = await rawConnection(url, 'GET /healthz HTTP/1.1\r\nhost: local')
    await server.stop()
    running.pop()
    await slow.closed
  })
})

describe('patience', { timeout: TIMEOUT }, () => {
  it('is with those who send steadily', async () => {
    const { url, calls } = await start()
    const pieces = Array.from({ length: 20 }, () => ' '.repeat(1_000))
    const connection = await rawConnection(url, `${POST}connection: close\r\ncontent-length: ${20_000 + 2}\r\n\r\n`)
    for (const piece of pieces) {
      connection.socket.write(piece)
      await sleep(50)
    }
    connection.socket.write('{}')
    expect(await connection.closed).toContain('HTTP/1.1 200 ')
    expect(calls).toHaveLength(1)
  })

  it('is with those who wait for us', async () => {
    const { url } = await start({
      query: async () => {
        await sleep(IMPATIENT.answerMs * 4)
        return { data: 1, kind: 'scalar', columns: ['mrr'], meta: META }
      },
    })
    expect(await (await fetch(`${url}/api/metrics/mrr`)).json()).toBe(1)
  })
})

describe('more than the limit', { timeout: TIMEOUT }, () => {
  it('of connections that are answered is dropped, and there is room again when one closes', async () => {
    const { url, lines } = await start({ query: () => new Promise(() => {}) }, {}, 2, PATIENCE)
    const asked = 'GET /api/metrics/mrr HTTP/1.1\r\nhost: localhost\r\n\r\n'
    const held = await Promise.all([rawConnection(url, asked), rawConnection(url, asked)])
    await sleep(200)
    for (const dropped of await Promise.all([rawConnection(url), rawConnection(url)])) expect(await dropped.closed).toBe('')
    expect(lines).toEqual([['warn', 'connections dropped', { dropped: 1, silent: 0, max_connections: 2 }]])
    held[0].socket.destroy()
    await expect.poll(() => statusOf(url), { timeout: TIMEOUT }).toBe(200)
    held[1].socket.destroy()
  })

  it.each([
    ['announced', `${POST}content-length: 1000000000\r\n\r\n`, ' '.repeat(65_536)],
    ['not announced', `${POST}transfer-encoding: chunked\r\n\r\n`, `10000\r\n${' '.repeat(65_536)}\r\n`],
  ])('of a body, %s, is refused, and the connection with the rest of it closed', async (_, head, piece) => {
    const { url } = await start({}, { bodyBytes: 1_000_000 })
    const connection = await rawConnection(url, head)
    await drip(connection, piece, 1)
    const answer = await connection.closed
    expect(answer).toContain('HTTP/1.1 413 ')
    expect(answer).toMatch(/^connection: close\r$/im)
  })

  it('of a body is refused, and nothing that is sent behind it is a request', async () => {
    const { url } = await start({}, { bodyBytes: 1_000_000 })
    const body = ' '.repeat(1_500_000)
    const behind = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n'
    const { closed } = await rawConnection(url, `${POST}content-length: ${body.length}\r\n\r\n${body}${behind}`)
    expect((await closed).match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 413'])
  })
})
