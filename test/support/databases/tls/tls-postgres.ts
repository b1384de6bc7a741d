import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { ServerPrograms } from '../servers/find-programs.ts'
import { freePort, openWorkshop } from '../servers/start-server.ts'
import { type Certificate, makeAuthority, type PrivateAuthority } from './private-authority.ts'

export const PASSWORD = 'hush hush'

/** A PostgreSQL server with TLS, and the authorities of its test. */
export interface TlsServer {
  readonly port: number
  readonly authority: PrivateAuthority
  /** One that has signed nothing of the server's. */
  readonly stranger: PrivateAuthority
  /** Lets the server show another certificate, or speak no TLS. */
  show(certificate: Certificate | undefined): Promise<void>
  /** Asks as an administrator. */
  ask(text: string): Promise<readonly Record<string, unknown>[]>
  close(): Promise<void>
}

/** Each user signs in with a password; the way must be as the name says. `certified` signs in with a certificate instead. */
const RULES = `
local     all         all        trust
hostssl   all         certified  all  cert
hostssl   all         sealed     all  scram-sha-256
hostnossl all         bare       all  scram-sha-256
host      all         either     all  scram-sha-256
`
const USERS = ['certified', 'sealed', 'bare', 'either']
const QUIET = ['fsync=off', 'synchronous_commit=off', 'shared_buffers=8MB', 'max_connections=40', 'logging_collector=off']

/** Starts a server whose certificate is for localhost. */
export async function startTlsPostgres(programs: NonNullable<ServerPrograms['postgres']>): Promise<TlsServer> {
  const workshop = await openWorkshop('postgres')
  try {
    const { folder } = workshop
    const data = join(folder, 'data')
    const authority = await makeAuthority(workshop, 'authority')
    const stranger = await makeAuthority(workshop, 'stranger')
    await workshop.run(programs.initdb, ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'])
    await writeFile(join(data, 'pg_hba.conf'), RULES)
    const place = (file: string) => join(data, file)
    const put = async ({ certificate, key }: Certificate) => {
      await workshop.run('cp', [certificate, place('server.crt')])
      await workshop.run('cp', [key, place('server.key')])
    }
    await put(await authority.sign('localhost', { hosts: ['localhost'] }))
    await workshop.run('cp', [authority.root, place('clients.crt')])
    const port = await freePort()
    const settings = [
      ...QUIET,
      'listen_addresses=*',
      `port=${port}`,
      `unix_socket_directories=${folder}`,
      'ssl_ca_file=clients.crt',
    ]
    const ask = async (text: string) => {
      const client = new pg.Client({ host: folder, port, user: 'postgres', database: 'postgres' })
      await client.connect()
      try {
        return (await client.query<Record<string, unknown>>(text)).rows
      } finally {
        await client.end()
      }
    }
    await workshop.start(programs.postgres, ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], () =>
      ask('select 1'),
    )
    for (const user of USERS) await ask(`create role ${user} login password '${PASSWORD}'`)
    await ask('create database side')
    await ask('grant all on database side to sealed')
    const reload = async (isOn: boolean) => {
      await ask(`alter system set ssl = ${isOn ? 'on' : 'off'}`)
      await ask('select pg_reload_conf()')
      // A process serves with what it began with, so new ones are asked until one has read the change.
      for (let left = 200; left > 0; left -= 1) {
        const [row] = await ask('show ssl')
        if (row?.['ssl'] === (isOn ? 'on' : 'off')) return
      }
      throw new Error('the server has not reloaded its settings')
    }
    await reload(true)
    return {
      port,
      authority,
      stranger,
      ask,
      async show(certificate) {
        if (certificate !== undefined) {
          await put(certificate)
          await reload(false)
        }
        await reload(certificate !== undefined)
      },
      close: () => workshop.close(),
    }
  } catch (error) {
    await workshop.close()
    throw error
  }
}
