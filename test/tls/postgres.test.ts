import { createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { postgres as dialect } from '../../src/compiler/dialects/postgres.ts'
import { AppError } from '../../src/core/errors.ts'
import { createPostgresExecutor } from '../../src/databases/postgres/postgres.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { startListeningProxy } from '../support/databases/proxies.ts'
import { programsOf } from '../support/databases/servers/installed-programs.ts'
import { freePort } from '../support/databases/servers/start-server.ts'
import type { Certificate } from '../support/databases/tls/private-authority.ts'
import { PASSWORD, startTlsPostgres, type TlsServer } from '../support/databases/tls/tls-postgres.ts'

const programs = programsOf('postgres')

type Words = Readonly<Record<string, string>>

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** The address of a user with parameters, at a host that leads to this machine. */
function at(port: number, user: string, words: Words = {}, host = 'localhost', database = 'postgres'): string {
  const query = new URLSearchParams(words).toString().replaceAll('+', '%20')
  return `postgres://${user}:${encodeURIComponent(PASSWORD)}@${host}:${port}/${database}?${query}`
}

/** Whether a connection to the billing database is encrypted, or why there is none, as its operator reads it. */
async function reach(url: string): Promise<'encrypted' | 'clear' | string> {
  const executor = createPostgresExecutor({ url, dialect, poolSize: 1 })
  try {
    return await executor.withSnapshot(async (snapshot) => {
      const text = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()'
      const [row] = await snapshot.query({ text, values: [], label: 'tls' })
      return row?.['ssl'] === true ? 'encrypted' : 'clear'
    })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expect(error.code).toBe('connector_unavailable')
    return error.operatorDetail
  } finally {
    await executor.close()
  }
}

/** The same for the store. */
async function reachStore(server: TlsServer, url: string): Promise<'encrypted' | 'clear' | string> {
  const store = createStore({ url, schema: 'plumbline', baseDirectory: '/' })
  try {
    await store.open()
    const rows = await server.ask(
      "select bool_and(s.ssl) as ssl from pg_stat_ssl s join pg_stat_activity a using (pid) where a.usename = 'sealed' and a.datname = 'side'",
    )
    return rows[0]?.['ssl'] === true ? 'encrypted' : 'clear'
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expect(error.code).toBe('connector_unavailable')
    return error.operatorDetail
  } finally {
    await store.close()
  }
}

describe.skipIf(programs === undefined)('TLS to PostgreSQL', () => {
  let server: TlsServer
  let right: Certificate
  let root: string
  let wrong: string

  beforeAll(async () => {
    if (programs === undefined) return
    server = await startTlsPostgres(programs)
    right = await server.authority.sign('localhost', { hosts: ['localhost'] })
    root = server.authority.root
    wrong = server.stranger.root
  })
  afterAll(() => server?.close())

  it('each mode means what it means to libpq, by the authority that is named', async () => {
    const ways = async (sslmode: string) => ({
      none: await reach(at(server.port, 'either', { sslmode })),
      right: await reach(at(server.port, 'either', { sslmode, sslrootcert: root })),
      wrong: await reach(at(server.port, 'either', { sslmode, sslrootcert: wrong })),
    })
    const untrusted = (mode: string) =>
      expect.stringContaining(
        `sslmode=${mode}: the server's certificate is signed by none of the authorities in ${wrong}; name the file of its authority in sslrootcert`,
      )
    expect(await ways('disable')).toEqual({ none: 'clear', right: 'clear', wrong: 'clear' })
    expect(await ways('allow')).toEqual({ none: 'clear', right: 'clear', wrong: 'clear' })
    expect(await ways('prefer')).toEqual({ none: 'encrypted', right: 'encrypted', wrong: 'clear' })
    expect(await ways('require')).toEqual({ none: 'encrypted', right: 'encrypted', wrong: untrusted('require') })
    for (const sslmode of ['verify-ca', 'verify-full']) {
      expect(await reach(at(server.port, 'either', { sslmode, sslrootcert: root }))).toBe('encrypted')
      expect(await reach(at(server.port, 'either', { sslmode, sslrootcert: wrong }))).toEqual(untrusted(sslmode))
    }
    expect(await reach(at(server.port, 'either'))).toBe('encrypted')
    expect(await reach(`${at(server.port, 'either')}ssl=true`)).toBe('encrypted')
  })

  it('verify-full compares the host, verify-ca does not; what is dialled does not count', async () => {
    const verified = (sslmode: string, more: Words = {}) => ({ sslmode, sslrootcert: root, ...more })
    expect(await reach(at(server.port, 'either', verified('verify-ca'), '127.0.0.1'))).toBe('encrypted')
    expect(await reach(at(server.port, 'either', verified('verify-full'), '127.0.0.1'))).toMatch(
      /sslmode=verify-full: the server's certificate is for other hosts than 127\.0\.0\.1; connect by a name that it lists/,
    )
    const dialled = { hostaddr: '127.0.0.1' }
    expect(await reach(at(server.port, 'either', verified('verify-full', dialled)))).toBe('encrypted')
    expect(await reach(at(server.port, 'either', verified('verify-full', dialled), 'replica.example.com'))).toContain(
      'for other hosts than replica.example.com',
    )
  })

  it('a server that allows only one way is reached by the modes that know both, and says so to the others', async () => {
    expect(await reach(at(server.port, 'sealed', { sslmode: 'allow' }))).toBe('encrypted')
    expect(await reach(at(server.port, 'sealed', { sslmode: 'prefer' }))).toBe('encrypted')
    expect(await reach(at(server.port, 'sealed', { sslmode: 'disable' }))).toContain(
      '(28000: the server allows only encrypted connections, and sslmode=disable asks for none; use sslmode=verify-full with sslrootcert)',
    )
    expect(await reach(at(server.port, 'bare', { sslmode: 'prefer' }))).toBe('clear')
    expect(await reach(at(server.port, 'bare', { sslmode: 'require' }))).toContain('28000')
    expect(await reach(at(server.port, 'nobody', { sslmode: 'prefer' }))).toContain(
      '28000: wrong user or password, or not allowed',
    )
  })

  it('a certificate of the client is shown where the server demands one', async () => {
    const shown = ({ certificate, key }: Certificate) => ({ sslmode: 'require', sslcert: certificate, sslkey: key })
    const mine = await server.authority.sign('mine', { client: 'certified' })
    const others = await server.authority.sign('others', { client: 'somebody' })
    const strange = await server.stranger.sign('strange', { client: 'certified' })
    expect(await reach(at(server.port, 'certified', shown(mine)))).toBe('encrypted')
    expect(await reach(at(server.port, 'certified', { sslmode: 'require' }))).toContain(
      'the server demands a certificate of the client; name it in sslcert and sslkey',
    )
    expect(await reach(at(server.port, 'certified', shown(strange)))).toContain(
      `does not accept the certificate in ${strange.certificate}`,
    )
    expect(await reach(at(server.port, 'certified', shown(others)))).toMatch(/28000|certificate/)
  })

  it('the store is reached the same ways', async () => {
    const store = (words: Words, host?: string) => reachStore(server, at(server.port, 'sealed', words, host, 'side'))
    await server.ask('alter database side owner to sealed')
    expect(await store({ sslmode: 'verify-full', sslrootcert: root })).toBe('encrypted')
    expect(await store({})).toBe('encrypted')
    expect(await store({ sslmode: 'verify-full', sslrootcert: root }, '127.0.0.1')).toContain('for other hosts than 127.0.0.1')
    expect(await store({ sslmode: 'require', sslrootcert: wrong })).toContain('is signed by none of the authorities in')
    expect(await store({ sslmode: 'disable' })).toContain(
      'the server allows only encrypted connections, and sslmode=disable asks',
    )
  })

  it('a statement that its caller leaves is cancelled over TLS as well', async () => {
    const executor = createPostgresExecutor({ url: at(server.port, 'sealed', { sslmode: 'require' }), dialect, poolSize: 1 })
    closing.push(() => executor.close())
    const leaving = new AbortController()
    const asked = executor.withSnapshot(
      async (snapshot) => {
        setTimeout(() => leaving.abort(new Error('left')), 200)
        await snapshot.query({ text: "select pg_sleep(60) as slept, 'left alone' as mark", values: [], label: 'sleep' })
      },
      { signal: leaving.signal },
    )
    await expect(asked).rejects.toThrow('left')
    const running =
      "select count(*)::int as n from pg_stat_activity where state = 'active' and query like '%left alone%' and usename = 'sealed'"
    expect(await server.ask(running)).toEqual([{ n: 0 }])
  })

  it('where TLS is demanded nobody on the way hears a user, a password or a question', async () => {
    const proxy = await startListeningProxy(server.port)
    closing.push(proxy.close)
    for (const words of [{ sslmode: 'require' }, { sslmode: 'verify-full', sslrootcert: root }, {}]) {
      expect(await reach(at(proxy.port, 'sealed', words))).toBe('encrypted')
      const heard = proxy.heard()
      // A request for TLS of eight bytes, then a record of its handshake.
      expect([...heard.subarray(0, 9)]).toEqual([0, 0, 0, 8, 4, 210, 22, 47, 22])
      for (const secret of ['sealed', PASSWORD, 'pg_stat_ssl', 'postgres']) expect(heard.includes(secret)).toBe(false)
    }
  })

  it('a server that says it speaks no TLS hears nothing more, unless the mode allows it', async () => {
    const heard: Buffer[] = []
    const port = await freePort()
    const liar = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', (chunk) => {
        heard.push(chunk)
        socket.write('N')
      })
    })
    await new Promise<void>((resolve) => liar.listen(port, '127.0.0.1', resolve))
    closing.push(async () => void liar.close())
    for (const sslmode of ['require', 'verify-ca', 'verify-full'])
      expect(await reach(at(port, 'sealed', { sslmode, sslrootcert: root }, '127.0.0.1'))).toContain(
        `NO_TLS: the server offers no TLS, which sslmode=${sslmode} demands`,
      )
    expect(Buffer.concat(heard)).toHaveLength(3 * 8)
  })

  it('certificates that have expired are named as such, and a server without TLS', async () => {
    await server.show(await server.authority.sign('old', { hosts: ['localhost'], hasExpired: true }))
    expect(await reach(at(server.port, 'either', { sslmode: 'verify-ca', sslrootcert: root }))).toContain(
      "sslmode=verify-ca: the server's certificate or that of its authority has expired; renew it at the server",
    )
    expect(await reach(at(server.port, 'either', { sslmode: 'require' }))).toBe('encrypted')
    await server.show(undefined)
    expect(await reach(at(server.port, 'either'))).toBe('clear')
    expect(await reach(at(server.port, 'either', { sslmode: 'allow' }))).toBe('clear')
    expect(await reach(at(server.port, 'either', { sslmode: 'verify-full', sslrootcert: root }))).toContain(
      'the server offers no TLS, which sslmode=verify-full demands; switch TLS on at the server',
    )
    await server.show(right)
    expect(await reach(at(server.port, 'either', { sslmode: 'verify-full', sslrootcert: root }))).toBe('encrypted')
  })
})
