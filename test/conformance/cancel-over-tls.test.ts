import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresClient } from '../../src/databases/addresses/postgres-client.ts'
import { serverAddress } from '../../src/databases/addresses/read-address.ts'
import { requestCancel } from '../../src/databases/postgres/cancel.ts'
import { programsOf } from '../support/databases/servers/installed-programs.ts'
import { freePort, openWorkshop, type Workshop } from '../support/databases/servers/start-server.ts'

const programs = programsOf('postgres')

/** Only encrypted connections over TCP, and any by the socket. */
const ACCESS = 'hostssl all all all trust\nlocal all all trust\n'

describe.skipIf(programs === undefined)('a request to cancel', () => {
  let workshop: Workshop
  let port = 0
  let certificate = ''

  beforeAll(async () => {
    if (programs === undefined) return
    workshop = await openWorkshop('postgres')
    port = await freePort()
    const data = join(workshop.folder, 'data')
    certificate = join(workshop.folder, 'server.crt')
    await workshop.run(programs.initdb, ['-D', data, '-U', 'postgres', '-A', 'trust', '--locale=C', '--no-sync'])
    await certify('localhost')
    await writeFile(join(data, 'pg_hba.conf'), ACCESS)
    const settings = [
      'fsync=off',
      'listen_addresses=127.0.0.1',
      `port=${port}`,
      `unix_socket_directories=${workshop.folder}`,
      'ssl=on',
      `ssl_cert_file=${certificate}`,
      `ssl_key_file=${join(workshop.folder, 'server.key')}`,
    ].flatMap((setting) => ['-c', setting])
    await workshop.start(programs.postgres, ['-D', data, ...settings], () =>
      withClient(`host=${workshop.folder}`, async () => {}),
    )
  })
  afterAll(() => workshop?.close())

  /** Makes a certificate for a host, which is its own authority. */
  const certify = (host: string) => {
    const files = ['-keyout', join(workshop.folder, 'server.key'), '-out', certificate]
    const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`]
    return workshop.run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...files, ...subject])
  }

  const withClient = async <T>(words: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const address = serverAddress(`postgres://postgres@/postgres?port=${port}&${words}`, 'database.url')
    const pool = new pg.Pool({ max: 1, ...postgresClient(address, 'database.url') })
    pool.on('error', () => {})
    try {
      const client = await pool.connect()
      try {
        return await work(client)
      } finally {
        client.release()
      }
    } finally {
      await pool.end()
    }
  }

  it.each(['TLS with the name checked', 'TLS at an address', 'a socket'] as const)(
    'takes the way of its connection: %s',
    async (way) => {
      const ways: Record<typeof way, string> = {
        'TLS with the name checked': `host=localhost&sslmode=verify-full&sslrootcert=${certificate}`,
        'TLS at an address': `host=127.0.0.1&sslmode=verify-ca&sslrootcert=${certificate}`,
        'a socket': `host=${workshop.folder}`,
      }
      await withClient(ways[way], async (client) => {
        const outcome = expect(client.query('select pg_sleep(60)')).rejects.toMatchObject({ code: '57014' })
        await sleep(200)
        await requestCancel(client)
        await outcome
      })
    },
  )

  it('reveals its key to no server of another name', async () => {
    await withClient(`host=localhost&sslmode=verify-full&sslrootcert=${certificate}`, async (client) => {
      let isOver = false
      // Another server answers at the address now.
      await certify('other.example.com')
      await withClient(`host=${workshop.folder}`, (administrator) => administrator.query('select pg_reload_conf()'))
      await sleep(500)
      const answer = client.query('select pg_sleep(1)').then(() => (isOver = true))
      await sleep(100)
      await requestCancel(client)
      expect(isOver).toBe(false)
      await answer
      expect(isOver).toBe(true)
    })
  })
})
