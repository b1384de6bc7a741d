import { afterEach, describe, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../../src/facades/http/server.ts'
import { rawExchange } from './raw-exchange.ts'
import { META, serviceOver } from './recording-engine.ts'

const running: RunningServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
})

async function start(...args: Parameters<typeof serviceOver>) {
  const service = serviceOver(...args)
  const server = await startServer(service.app, { host: '127.0.0.1', port: 0, graceMs: 200 })
  running.push(server)
  return { ...service, server }
}

describe('the listening service', () => {
  it('answers over the network', async () => {
    const { server } = await start()
    const response = await fetch(`${server.url}/api/metrics/mrr/`)
    expect(await response.json()).toBe(17133)
    expect(response.headers.get('etag')).not.toBeNull()
  })

  it('a client that goes away cancels the query', async () => {
    let aborted: () => void = () => {}
    const cancelled = new Promise<void>((resolve) => {
      aborted = resolve
    })
    const { server, logged } = await start({
      query: (_, __, ___, options) =>
        new Promise((_resolve, reject) => {
          options?.signal?.addEventListener('abort', () => {
            aborted()
            reject(new Error('cancelled'))
          })
          setTimeout(() => controller.abort(), 20)
        }),
    })
    const controller = new AbortController()
    await expect(fetch(`${server.url}/api/metrics/mrr`, { signal: controller.signal })).rejects.toThrow()
    await cancelled
    expect(logged).toEqual([])
  })

  it('stopping lets a running request end and refuses new ones', async () => {
    let release: () => void = () => {}
    let begun: () => void = () => {}
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve
    })
    const { server } = await start({
      query: () =>
        new Promise((resolve) => {
          release = () => resolve({ data: 1, kind: 'scalar', columns: ['mrr'], meta: META })
          begun()
        }),
    })
    running.pop()
    const pending = fetch(`${server.url}/api/metrics/mrr`, { headers: { connection: 'close' } })
    await hasBegun
    const stopped = server.stop()
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow()
    release()
    expect(await (await pending).json()).toBe(1)
    await stopped
  })

  it('stopping cuts off what does not end in time', async () => {
    let begun: () => void = () => {}
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve
    })
    const { server } = await start({
      query: () => {
        begun()
        return new Promise(() => {})
      },
    })
    running.pop()
    const pending = expect(fetch(`${server.url}/api/metrics/mrr`)).rejects.toThrow()
    await hasBegun
    await server.stop()
    await pending
  })

  it('an address in use is an error', async () => {
    const { server, app } = await start()
    await expect(startServer(app, { host: '127.0.0.1', port: Number(new URL(server.url).port) })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    })
  })

  it.each([
    ['no HTTP at all', 'GARBAGE\r\n\r\n', 400, 'invalid_value'],
    ['no host', 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'invalid_value'],
    ['an impossible host', 'GET /healthz HTTP/1.1\r\nhost: a b^\r\nconnection: close\r\n\r\n', 400, 'invalid_value'],
    ['a star', 'OPTIONS * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', 400, 'invalid_value'],
    ['too large', `GET /healthz?${'a'.repeat(70_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 413, 'payload_too_large'],
    ['bad escapes', 'GET /api/metrics/%zz%ff HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n', 404, 'unknown_metric'],
    [
      'dots',
      'GET /docs/assets/../../../../package.json HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n',
      404,
      'not_found',
    ],
    [
      'encoded dots',
      'GET /docs/assets/..%2f..%2fpackage.json HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n',
      404,
      'not_found',
    ],
    ['TRACE', 'TRACE /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n', 405, 'method_not_allowed'],
  ])('malformed or hostile: %s', async (_, bytes, status, code) => {
    const { server, logged } = await start()
    const [head = '', body = ''] = (await rawExchange(server.url, bytes)).split('\r\n\r\n')
    expect(head).toContain(`HTTP/1.1 ${status} `)
    expect(head).toMatch(/^x-request-id: /im)
    expect(body).toContain(`"code":"${code}"`)
    expect(logged).toEqual([])
  })

  it('a query of many kilobytes is answered', async () => {
    const { server, calls } = await start()
    const filters = Array.from({ length: 2_000 }, (_, index) => `filter=plan_id=${index}`).join('&')
    expect((await fetch(`${server.url}/api/metrics/mrr?${filters}`)).status).toBe(200)
    expect(calls).toHaveLength(1)
  })
})
