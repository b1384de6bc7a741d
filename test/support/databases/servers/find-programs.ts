import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

const PROGRAMS = {
  postgres: ['initdb', 'pg_basebackup', 'postgres'],
  mariadb: ['mariadb-install-db', 'mariadbd'],
  mysql: ['mysqld'],
  pgbouncer: ['pgbouncer'],
} as const

export type OwnServer = keyof typeof PROGRAMS

/** Path of each program of the servers that tests can start themselves. */
export type ServerPrograms = { readonly [Name in OwnServer]?: Readonly<Record<(typeof PROGRAMS)[Name][number], string>> }

const OWN_SERVERS = ['postgres', 'mariadb', 'mysql', 'pgbouncer'] as const satisfies readonly OwnServer[]
/** The tests that are missing without the programs. */
const WITHOUT: Readonly<Record<OwnServer, string>> = {
  postgres: 'replicas of postgres and TLS to it',
  mariadb: 'replicas of mariadb and TLS to it',
  mysql: 'hostile settings of mysql and TLS to it',
  pgbouncer: 'a pooler before postgres',
}
const DEBIAN_POSTGRES = '/usr/lib/postgresql'
/** Where `.ci/mysql` keeps MySQL: a `mysqld` along the path may be MariaDB. */
const MYSQL = ['/var/cache', join(homedir(), '.cache')].map((cache) => join(cache, 'plumbline/mysql-8.0.31/programs/bin'))

/** Looks where Debian keeps the programs of PostgreSQL, newest first, and along the path. */
export function findServerPrograms(path = ''): ServerPrograms {
  const folders = [...debianFolders(), ...path.split(delimiter).filter((folder) => folder !== ''), '/usr/sbin', '/usr/bin']
  const locate = (program: string, places = folders) => places.map((folder) => join(folder, program)).find(mayRun)
  const kinds = OWN_SERVERS.flatMap((name) => {
    const located = PROGRAMS[name].map((program) => [program, locate(program, name === 'mysql' ? MYSQL : folders)] as const)
    return located.some(([, place]) => place === undefined) ? [] : [[name, Object.fromEntries(located)] as const]
  })
  return Object.fromEntries(kinds)
}

/** Servers among `names` that tests cannot start here, each with the programs it takes. */
export function unstartable(programs: ServerPrograms, names: readonly string[] = OWN_SERVERS): string[] {
  return OWN_SERVERS.filter((name) => names.includes(name) && programs[name] === undefined).map(
    (name) => `${WITHOUT[name]} (install ${PROGRAMS[name].join(', ')})`,
  )
}

function debianFolders(): string[] {
  if (!existsSync(DEBIAN_POSTGRES)) return []
  const versions = readdirSync(DEBIAN_POSTGRES).sort((one, other) => Number(other) - Number(one))
  return versions.map((version) => join(DEBIAN_POSTGRES, version, 'bin'))
}

function mayRun(place: string): boolean {
  try {
    accessSync(place, constants.X_OK)
    return true
  } catch {
    return false
  }
}
