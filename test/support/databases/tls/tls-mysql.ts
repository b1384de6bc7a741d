import { join } from 'node:path'
import mysql from 'mysql2/promise'
import type { ServerPrograms } from '../servers/find-programs.ts'
import { freePort, openWorkshop, type Workshop } from '../servers/start-server.ts'
import { type Certificate, makeAuthority } from './private-authority.ts'
import { PASSWORD, type TlsServer } from './tls-postgres.ts'

/** A server of the kind with TLS whose certificate is for localhost. */
export type StartTlsServer = () => Promise<TlsServer>

/** `sealed` must sign in over TLS, `certified` with a certificate as well. Nobody has signed in as `fresh`, so that no login is remembered. */
const USERS: Readonly<Record<string, string>> = { sealed: 'require ssl', certified: 'require x509', either: '', fresh: '' }
const SMALL = [
  '--innodb-buffer-pool-size=16M',
  '--innodb-flush-log-at-trx-commit=0',
  '--performance-schema=off',
  '--skip-log-bin',
]

/** MariaDB. */
export function startTlsMariadb(programs: NonNullable<ServerPrograms['mariadb']>): Promise<TlsServer> {
  return inWorkshop(async (workshop, data, settings) => {
    const installing = ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db']
    await workshop.run(programs['mariadb-install-db'], [...installing, '--innodb-log-file-size=4M'])
    return { program: programs.mariadbd, settings: [...settings, '--innodb-log-file-size=4M'], reload: 'flush ssl' }
  })
}

/** MySQL 8.0. */
export function startTlsMysql({ mysqld }: NonNullable<ServerPrograms['mysql']>): Promise<TlsServer> {
  return inWorkshop(async (workshop, data, settings) => {
    const base = `--basedir=${join(mysqld, '../../../..')}`
    await workshop.run(mysqld, ['--no-defaults', base, `--datadir=${data}`, '--initialize-insecure', ...SMALL])
    return { program: mysqld, settings: [base, ...settings, '--mysqlx=OFF'], reload: 'alter instance reload tls' }
  })
}

interface Installed {
  readonly program: string
  readonly settings: readonly string[]
  /** The statement that makes the server read its certificate again. */
  readonly reload: string
}

type Install = (workshop: Workshop, data: string, settings: readonly string[]) => Promise<Installed>

async function inWorkshop(install: Install): Promise<TlsServer> {
  const workshop = await openWorkshop('mysql')
  try {
    const { folder } = workshop
    const place = (file: string) => join(folder, file)
    const authority = await makeAuthority(workshop, 'authority')
    const stranger = await makeAuthority(workshop, 'stranger')
    const put = async ({ certificate, key }: Certificate) => {
      await workshop.run('cp', [certificate, place('server.crt')])
      await workshop.run('cp', [key, place('server.key')])
    }
    await put(await authority.sign('localhost', { hosts: ['localhost'] }))
    const port = await freePort()
    const places = [`--datadir=${place('data')}`, `--socket=${place('s')}`, `--pid-file=${place('pid')}`, `--port=${port}`]
    const files = [`--ssl-ca=${authority.root}`, `--ssl-cert=${place('server.crt')}`, `--ssl-key=${place('server.key')}`]
    const { program, settings, reload } = await install(workshop, place('data'), [
      ...places,
      ...files,
      ...SMALL,
      '--bind-address=*',
    ])
    const ask = async (text: string) => {
      const connection = await mysql.createConnection({ socketPath: place('s'), user: 'root', dateStrings: true })
      try {
        const [rows] = await connection.query(text)
        return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : []
      } finally {
        await connection.end()
      }
    }
    await workshop.start(program, ['--no-defaults', ...settings], () => ask('select 1'))
    for (const [user, demand] of Object.entries(USERS)) await ask(`create user ${user}@'%' identified by '${PASSWORD}' ${demand}`)
    await ask('create database side')
    await ask("grant all on side.* to sealed@'%'")
    return {
      port,
      authority,
      stranger,
      ask,
      async show(certificate) {
        if (certificate === undefined) throw new Error('these servers cannot put TLS away while they run')
        await put(certificate)
        await ask(reload)
      },
      close: () => workshop.close(),
    }
  } catch (error) {
    await workshop.close()
    throw error
  }
}
