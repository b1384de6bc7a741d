import { describe, expect, it } from 'vitest'
import { mysql as dialect } from '../../src/compiler/dialects/mysql.ts'
import { createMysqlExecutor } from '../../src/databases/mysql/mysql.ts'
import { eventually } from '../support/databases/servers/start-server.ts'
import type { Certificate } from '../support/databases/tls/private-authority.ts'
import type { TlsServer } from '../support/databases/tls/tls-postgres.ts'
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

const CLIENT_SSL = 0x800

/** The address of a user with parameters, at a host that leads to this machine. */
function at(port: number, user: string, words: Words = {}, host = 'localhost', database = ''): string {
  return addressOf('mysql', port, user, words, { host, database })
}

/** How the billing database is reached. */
function reach(url: string): Promise<Outcome> {
  return outcomeOf(createMysqlExecutor({ url, dialect, poolSize: 1 }), (executor) =>
    executor.withSnapshot(async (snapshot) => {
      const [row] = await snapshot.query({ text: "show session status like 'Ssl_version'", values: [], label: 'tls' })
      return row?.['Value'] === '' ? 'clear' : 'encrypted'
    }),
  )
}

const reachStore = (url: string) => openStore(url, async () => 'open')

/** Tests of TLS to the server that `start` starts; skipped if its programs are missing. */
export function describeTls(name: 'MySQL' | 'MariaDB', start: (() => Promise<TlsServer>) | undefined): void {
  describe.skipIf(start === undefined)(`TLS to ${name}`, () => {
    const running = runningServer(start)

    it('each mode means what it means to the client, by the authority that is named', async () => {
      const { server, root, wrong } = running
      const ways = async (mode: string) => ({
        none: await reach(at(server.port, 'either', { 'ssl-mode': mode })),
        right: await reach(at(server.port, 'either', { 'ssl-mode': mode, 'ssl-ca': root })),
        wrong: await reach(at(server.port, 'either', { 'ssl-mode': mode, 'ssl-ca': wrong })),
      })
      const untrusted = (mode: string) =>
        expect.stringContaining(
          `${mode}: the server's certificate is signed by none of the authorities in ${wrong}; name the file of its authority in ssl-ca`,
        )
      expect(await ways('DISABLED')).toEqual({ none: 'clear', right: 'clear', wrong: 'clear' })
      for (const mode of ['PREFERRED', 'REQUIRED'])
        expect(await ways(mode)).toEqual({ none: 'encrypted', right: 'encrypted', wrong: untrusted(`ssl-mode=${mode}`) })
      for (const mode of ['VERIFY_CA', 'VERIFY_IDENTITY']) {
        expect(await reach(at(server.port, 'either', { 'ssl-mode': mode, 'ssl-ca': root }))).toBe('encrypted')
        expect(await reach(at(server.port, 'either', { 'ssl-mode': mode, 'ssl-ca': wrong }))).toEqual(
          untrusted(`ssl-mode=${mode}`),
        )
      }
      expect(await reach(at(server.port, 'either'))).toBe('encrypted')
      expect(await reach(at(server.port, 'either', { ssl: 'true' }))).toBe('encrypted')
      expect(await reach(at(server.port, 'either', { ssl: '0' }))).toBe('clear')
      expect(await reach(at(server.port, 'either', { 'ssl-ca': wrong }))).toEqual(untrusted('ssl-mode=VERIFY_CA'))
      const verified = { 'ssl-verify-server-cert': '1' }
      expect(await reach(at(server.port, 'either', { ...verified, 'ssl-ca': root }))).toBe('encrypted')
      expect(await reach(at(server.port, 'either', verified))).toContain('none of the authorities that this machine trusts')
    })

    it('a server that demands TLS says so to those who come without', async () => {
      const { server } = running
      expect(await reach(at(server.port, 'sealed', { sslMode: 'required' }))).toBe('encrypted')
      expect(await reach(at(server.port, 'sealed', { 'ssl-mode': 'DISABLED' }))).toContain(
        'or the server or the account demands TLS, and ssl-mode=DISABLED asks for none',
      )
      await server.ask('set global require_secure_transport = on')
      try {
        expect(await reach(at(server.port, 'either'))).toBe('encrypted')
        // MariaDB calls it a wrong password.
        const told =
          name === 'MySQL' ? 'the server allows only encrypted connections' : 'or the server or the account demands TLS'
        const refused = `${told}, and ssl-mode=DISABLED asks for none`
        expect(await reach(at(server.port, 'either', { 'ssl-mode': 'DISABLED' }))).toContain(
          `(${name === 'MySQL' ? 'ER_SECURE_TRANSPORT_REQUIRED' : 'ER_ACCESS_DENIED_ERROR'}: `,
        )
        for (const way of [reach, reachStore])
          expect(await way(at(server.port, 'either', { 'ssl-mode': 'DISABLED' }, 'localhost', 'side'))).toContain(refused)
      } finally {
        await server.ask('set global require_secure_transport = off')
      }
    })

    it('a certificate of the client is shown where the account demands one', async () => {
      const { server } = running
      const shown = ({ certificate, key }: Certificate) => ({ 'ssl-mode': 'REQUIRED', 'ssl-cert': certificate, 'ssl-key': key })
      const mine = await server.authority.sign('mine', { client: 'certified' })
      const strange = await server.stranger.sign('strange', { client: 'certified' })
      expect(await reach(at(server.port, 'certified', shown(mine)))).toBe('encrypted')
      expect(await reach(at(server.port, 'certified', { 'ssl-mode': 'REQUIRED' }))).toContain(
        'or the account demands a certificate of the client (ssl-cert and ssl-key)',
      )
      expect(await reach(at(server.port, 'certified', shown(strange)))).toContain(strange.certificate)
    })

    it('the store is reached the same ways', async () => {
      const { server, root, wrong } = running
      const store = (words: Words) => reachStore(at(server.port, 'sealed', words, 'localhost', 'side'))
      expect(await store({ 'ssl-mode': 'VERIFY_IDENTITY', 'ssl-ca': root })).toBe('open')
      expect(await store({})).toBe('open')
      expect(await store({ 'ssl-mode': 'VERIFY_CA', 'ssl-ca': wrong })).toContain('is signed by none of the authorities in')
      expect(await store({ 'ssl-mode': 'DISABLED' })).toContain(
        'or the server or the account demands TLS, and ssl-mode=DISABLED asks for none',
      )
    })

    it('a statement that its caller leaves is killed over TLS as well', async () => {
      const { server } = running
      const executor = createMysqlExecutor({ url: at(server.port, 'sealed', { 'ssl-mode': 'REQUIRED' }), dialect, poolSize: 1 })
      running.closeLater(() => executor.close())
      await leaveSleeping(executor, 'select sleep(600) as slept', 300)
      const sleeping = "select id from information_schema.processlist where info like '%sleep(600) as%' and user = 'sealed'"
      // A killed statement takes a moment to notice it, and a sleep of ten minutes would outlast this.
      await eventually(async () => expect(await server.ask(sleeping)).toEqual([]))
    })

    it('where TLS is demanded nobody on the way hears a user, a password or a question', async () => {
      const { root } = running
      const proxy = await running.listen()
      const demanding = [{ 'ssl-mode': 'REQUIRED' }, { 'ssl-mode': 'VERIFY_IDENTITY', 'ssl-ca': root }, {}]
      for (const words of demanding) {
        expect(await reach(at(proxy.port, 'sealed', words))).toBe('encrypted')
        const heard = proxy.heard()
        // A request for TLS of 32 bytes and no more, then a record of its handshake.
        expect(heard.readUIntLE(0, 3)).toBe(32)
        expect(heard.readUInt32LE(4) & CLIENT_SSL).toBe(CLIENT_SSL)
        expect(heard[36]).toBe(22)
        expectNotHeard(heard, ['sealed', 'Ssl_version', 'program_name'])
      }
      expect(await reachStore(at(proxy.port, 'sealed', { 'ssl-mode': 'REQUIRED' }, 'localhost', 'side'))).toBe('open')
      expect(proxy.heard().includes('sealed')).toBe(false)
    })

    it('where somebody on the way says that the server speaks no TLS, a mode that demands it sends nothing', async () => {
      const { root } = running
      const proxy = await running.listen((chunk, index) => (index === 0 ? withoutTls(chunk) : chunk))
      const modes = [{ 'ssl-mode': 'REQUIRED' }, { 'ssl-mode': 'VERIFY_CA', 'ssl-ca': root }, { ssl: 'true' }]
      for (const words of modes)
        expect(await reach(at(proxy.port, 'either', words))).toMatch(/the server offers no TLS, which ssl(-mode)?=\w+ demands/)
      expect(await reachStore(at(proxy.port, 'sealed', { 'ssl-mode': 'REQUIRED' }, 'localhost', 'side'))).toContain(
        'the server offers no TLS, which ssl-mode=REQUIRED demands',
      )
      expect(proxy.heard()).toHaveLength(0)
      expect(await reach(at(proxy.port, 'either'))).toBe('clear')
    })

    it.runIf(name === 'MySQL')(
      'without TLS no password goes to another machine by a key that anybody could have sent',
      async () => {
        const { server } = running
        const [local, away] = ['127.0.0.1', '0.0.0.0'].map((host) => (words: Words) => at(server.port, 'fresh', words, host))
        const clear = { 'ssl-mode': 'DISABLED' }
        expect(await reach(String(away?.(clear)))).toContain(
          'PUBLIC_KEY_NOT_ALLOWED: the server asks for the password over a connection without TLS (ssl-mode=DISABLED)',
        )
        expect(await reach(String(away?.({ ...clear, 'get-server-public-key': 'true' })))).toBe('clear')
        await server.ask('flush privileges')
        expect(await reach(String(local?.(clear)))).toBe('clear')
      },
    )

    it('certificates for other hosts and those that have expired are named as such', async () => {
      const { server, right, root } = running
      await server.show(await server.authority.sign('other', { hosts: ['replica.example.com'] }))
      const identity = { 'ssl-mode': 'VERIFY_IDENTITY', 'ssl-ca': root }
      expect(await reach(at(server.port, 'either', identity))).toContain(
        "ssl-mode=VERIFY_IDENTITY: the server's certificate is for other hosts than localhost; connect by a name that it lists, or use ssl-mode=VERIFY_CA",
      )
      expect(await reach(at(server.port, 'either', { ...identity, 'ssl-mode': 'VERIFY_CA' }))).toBe('encrypted')
      await server.show(await server.authority.sign('old', { hosts: ['localhost'], hasExpired: true }))
      expect(await reach(at(server.port, 'either', identity))).toContain(
        "ssl-mode=VERIFY_IDENTITY: the server's certificate or that of its authority has expired; renew it at the server",
      )
      expect(await reach(at(server.port, 'either', { 'ssl-mode': 'REQUIRED' }))).toBe('encrypted')
      await server.show(right)
      expect(await reach(at(server.port, 'either', identity))).toBe('encrypted')
    })
  })
}

/** The greeting of a server with the flag of TLS taken out. */
function withoutTls(greeting: Buffer): Buffer {
  const changed = Buffer.from(greeting)
  const flags = changed.indexOf(0, 5) + 1 + 4 + 8 + 1
  changed.writeUInt16LE(changed.readUInt16LE(flags) & ~CLIENT_SSL, flags)
  return changed
}
