import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { statusUnder } from '../http/raw-exchange.ts'
import { isInTurn } from '../support/databases/rotation.ts'
import { seenInErrors, startProduct } from '../support/product/product-process.ts'

const UNREACHABLE = {
  PLUMBLINE_DATABASE_URL: 'postgres://127.0.0.1:1/none',
  PLUMBLINE_STORE_URL: 'none',
  PLUMBLINE_SERVER_PORT: '0',
}

describe('the process', () => {
  it('without a configuration says where it looked and what to run, and ends', async () => {
    const started = await startProduct('cli', ['mrr'])
    expect(await started.exit).toBe(2)
    expect(started.output.stdout).toBe('')
    expect(started.output.stderr).toContain(`there is no plumbline.toml in ${tmpdir()}, /;`)
    expect(started.output.stderr).toContain('`plumbline init postgres://')
  })

  // Each of the two forms of the log in one of the processes, and each signal, in turn.
  const processes = [
    ['127.0.0.1', false, 'json', 'SIGTERM'],
    ['0.0.0.0', true, 'text', 'SIGINT'],
  ] as const
  it.each(processes.filter((_, index) => isInTurn(index + 1, processes.length)))(
    'serve on %s says whether it is open to the network: %s, in %s, and ends in good order on %s',
    async (host, isOpen, format, signal) => {
      const started = await startProduct('serve', [], {
        ...UNREACHABLE,
        PLUMBLINE_SERVER_HOST: host,
        PLUMBLINE_SERVER_ALLOW_OPEN: String(isOpen),
        PLUMBLINE_SERVER_HOSTS: 'plumbline.example.com',
        PLUMBLINE_SERVER_PUBLIC_ORIGIN: 'https://figures.example.com',
        PLUMBLINE_LOG_FORMAT: format,
      })
      const url = await seenInErrors(started, /running at (\S+);/)
      expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' })
      expect((await fetch(`${url}/readyz`)).status).toBe(503)
      expect(await statusUnder(url, 'localhost')).toBe('200')
      expect(await statusUnder(url, 'plumbline.example.com')).toBe('200')
      expect(await statusUnder(url, 'figures.example.com')).toBe('200')
      expect(await statusUnder(url, 'evil.example')).toBe('403')
      // The cache, which nobody has asked, says what is wrong in a sentence, not as a fault of the product.
      const told = await seenInErrors(
        started,
        format === 'json' ? /"message":"cache: ([^"]+)"/ : /ERROR cache: (.+?\.)(?: \S+=|$)/m,
      )
      expect(told).toBe('The billing database at 127.0.0.1 port 1 cannot be reached (ECONNREFUSED).')
      expect(started.output.stderr).not.toContain('frames')
      started.child.kill(signal)
      expect(await started.exit).toBe(0)
      expect(started.output.stdout).toBe('')
      const { stderr } = started.output
      expect(stderr.includes('The service is open to the network without authentication')).toBe(isOpen)
      if (format === 'json') return
      expect(stderr).toMatch(/ WARN {2}The service is open to the network without authentication/)
      expect(stderr).toMatch(
        / INFO {2}request request_id=\S+ remote_address=127\.0\.0\.1 method=GET route=\/api\/metrics status=200 ms=\d+$/m,
      )
    },
  )
})
