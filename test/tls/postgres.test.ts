import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { postgres as dialect } from '../../src/compiler/dialects/postgres.ts'
import { createPostgresExecutor } from '../../src/databases/postgres/postgres.ts'
import { programsOf } from '../support/databases/servers/installed-programs.ts'
import { freePort } from '../support/databases/servers/start-server.ts'
import type { Certificate } from '../support/databases/tls/private-authority.ts'
import { startTlsPostgres } from '../support/databases/tls/tls-postgres.ts'
import {
  addressOf,
  expectNotHeard,
  leaveSleeping,
  type Outcome,
  openStore,
  outcomeOf,
  runningServer,
  type Words,
} from './tls-cases.ts'

const programs = programsOf('postgres')

/** The address of a user with parameters, at a host that leads to this machine. */
function at(port: number, user: string, words: Words = {}, host = 'localhost', database = 'postgres'): string {
  return addressOf('postgres', port, user, words, { host, database })
}

/** How the billing database is reached. */
function reach(url: string): Promise<Outcome> {
  return outcomeOf(createPostgresExecutor({ url, dialect, poolSize: 1 }), (executor) =>
    executor.withSnapshot(async (snapshot) => {
      const text = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()'
      const [row] = await snapshot.query({ text, values: [], label: 'tls' })
      return row?.['ssl'] === true ? 'encrypted' : 'clear'
    }),
  )
}

const OF_STORE =
  "select bool_and(s.ssl) as ssl from pg_stat_ssl s join pg_stat_activity a using (pid) where a.usename = 'sealed' and a.datname = 'side'"

describe.skipIf(programs === undefined)('TLS to PostgreSQL', () => {
  const running = runningServer(programs === undefined ? undefined : () => startTlsPostgres(programs))

  it('each mode means what it means to libpq, by the authority that is named', async () => {
    const { server, root, wrong } = running
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
    const { server, root } = running
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
    const { server } = running
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
    const { server } = running
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
    const { server, root, wrong } = running
    const store = (words: Words, host?: string) =>
      openStore(at(server.port, 'sealed', words, host, 'side'), async () => {
        const [row] = await server.ask(OF_STORE)
        return row?.['ssl'] === true ? 'encrypted' : 'clear'
      })
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
    const { server } = running
    const executor = createPostgresExecutor({ url: at(server.port, 'sealed', { sslmode: 'require' }), dialect, poolSize: 1 })
    running.closeLater(() => executor.close())
    await leaveSleeping(executor, "select pg_sleep(60) as slept, 'left alone' as mark", 200)
    const sleeping =
      "select count(*)::int as n from pg_stat_activity where state = 'active' and query like '%left alone%' and usename = 'sealed'"
    expect(await server.ask(sleeping)).toEqual([{ n: 0 }])
  })

  it('where TLS is demanded nobody on the way hears a user, a password or a question', async () => {
    const { root } = running
    const proxy = await running.listen()
    for (const words of [{ sslmode: 'require' }, { sslmode: 'verify-full', sslrootcert: root }, {}]) {
      expect(await reach(at(proxy.port, 'sealed', words))).toBe('encrypted')
      const heard = proxy.heard()
      // A request for TLS of eight bytes, then a record of its handshake.
      expect([...heard.subarray(0, 9)]).toEqual([0, 0, 0, 8, 4, 210, 22, 47, 22])
      expectNotHeard(heard, ['sealed', 'pg_stat_ssl', 'postgres'])
    }
  })

  it('a server that says it speaks no TLS hears nothing more, unless the mode allows it', async () => {
    const { root } = running
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
    running.closeLater(async () => void liar.close())
    for (const sslmode of ['require', 'verify-ca', 'verify-full'])
      expect(await reach(at(port, 'sealed', { sslmode, sslrootcert: root }, '127.0.0.1'))).toContain(
        `NO_TLS: the server offers no TLS, which sslmode=${sslmode} demands`,
      )
    expect(Buffer.concat(heard)).toHaveLength(3 * 8)
  })

  it('certificates that have expired are named as such, and a server without TLS', async () => {
    const { server, right, root } = running
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
