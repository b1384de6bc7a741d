import { describe, expect, it } from 'vitest'
import { rawExchange } from '../http/raw-exchange.ts'
import { seenInErrors, startProduct } from '../support/product-process.ts'

describe('the process', () => {
  it('prints and ends', async () => {
    const version = await startProduct('cli', ['--version'])
    expect(await version.exit).toBe(0)
    expect(version.output).toEqual({ stdout: '0.1.0\n', stderr: '' })
    const refused = await startProduct('cli', ['mrr', '--bogus'])
    expect(await refused.exit).toBe(2)
    expect(refused.output.stdout).toBe('')
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('serve ends in good order on %s', async (signal) => {
    const environment = {
      PLUMBLINE_DATABASE_URL: 'postgres://127.0.0.1:1/none',
      PLUMBLINE_STORE_URL: 'none',
      PLUMBLINE_SERVER_PORT: '0',
    }
    const started = await startProduct('serve', [], environment)
    const url = await seenInErrors(started, /answers at (\S+);/)
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' })
    expect((await fetch(`${url}/readyz`)).status).toBe(503)
    // The cache, which nobody has asked, says what is wrong in a sentence, not as a fault of the product.
    const told = await seenInErrors(started, /"message":"cache: ([^"]+)"/)
    expect(told).toBe('The billing database at 127.0.0.1 port 1 cannot be reached (ECONNREFUSED).')
    expect(started.output.stderr).not.toContain('frames')
    started.child.kill(signal)
    expect(await started.exit).toBe(0)
    expect(started.output.stdout).toBe('')
  })

  it.each([
    ['0.0.0.0', true],
    ['127.0.0.1', false],
  ])('serve on %s says whether it is open to the network: %s', async (host, isOpen) => {
    const environment = {
      PLUMBLINE_DATABASE_URL: 'postgres://127.0.0.1:1/none',
      PLUMBLINE_STORE_URL: 'none',
      PLUMBLINE_SERVER_PORT: '0',
      PLUMBLINE_SERVER_HOST: host,
      PLUMBLINE_SERVER_HOSTS: 'plumbline.example.com',
      PLUMBLINE_SERVER_PUBLIC_ORIGIN: 'https://figures.example.com',
      PLUMBLINE_LOG_FORMAT: 'text',
    }
    const started = await startProduct('serve', [], environment)
    const url = await seenInErrors(started, /answers at (\S+);/)
    const statusAt = async (name: string) => {
      const answer = await rawExchange(url, `GET /api/metrics HTTP/1.1\r\nhost: ${name}\r\nconnection: close\r\n\r\n`)
      return /^HTTP\/1.1 (\d+)/.exec(answer)?.[1]
    }
    expect(await statusAt('localhost')).toBe('200')
    expect(await statusAt('plumbline.example.com')).toBe('200')
    expect(await statusAt('figures.example.com')).toBe('200')
    expect(await statusAt('evil.example')).toBe('403')
    started.child.kill('SIGTERM')
    expect(await started.exit).toBe(0)
    const { stderr } = started.output
    expect(/ WARN {2}The service is open to the network without authentication/.test(stderr)).toBe(isOpen)
    expect(stderr).toMatch(
      / INFO {2}request request_id=\S+ remote_address=127\.0\.0\.1 method=GET route=\/api\/metrics status=200 ms=\d+$/m,
    )
  })
})
