import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import mysql from 'mysql2/promise'

export const TARGET_NAMES = ['postgres', 'mariadb', 'mysql', 'pglite'] as const
export type TargetName = (typeof TARGET_NAMES)[number]

/** Where the databases of a target are made: an administrator's URL of a server, or `pglite:`. */
export interface TargetPlace {
  readonly name: TargetName
  readonly url: string
}

type ServerName = Exclude<TargetName, 'pglite'>

export interface FoundPlaces {
  readonly places: readonly TargetPlace[]
  /** Stops what was started for the search. */
  readonly stop: () => Promise<void>
}

const SERVER_NAMES: readonly ServerName[] = ['postgres', 'mariadb', 'mysql']
const URL_VARIABLES: Readonly<Record<ServerName, string>> = {
  postgres: 'TEST_POSTGRES_URL',
  mariadb: 'TEST_MARIADB_URL',
  mysql: 'TEST_MYSQL_URL',
}

/** Servers named by the environment, else containers, else servers on the usual ports of this machine; PGlite always. */
export async function findPlaces(environment: Readonly<Record<string, string | undefined>>): Promise<FoundPlaces> {
  const named = SERVER_NAMES.flatMap((name) => {
    const url = environment[URL_VARIABLES[name]]
    return url === undefined || url === '' ? [] : [{ name, url }]
  })
  const missing = SERVER_NAMES.filter((name) => !named.some((place) => place.name === name))
  const started = dockerMayAnswer(environment) ? await startContainers(missing) : { places: [], stop: async () => {} }
  const local = started.places.length === 0 ? await findLocalServers(missing) : []
  const servers = [...named, ...started.places, ...local]
  // Always in one order: whichever way it was found, the first one is asked everything.
  const places = SERVER_NAMES.flatMap((name) => servers.filter((place) => place.name === name))
  return { places: [...places, { name: 'pglite', url: 'pglite:' }], stop: started.stop }
}

/** Targets without a place, each with what would give it one. */
export function uncovered(places: readonly TargetPlace[]): string[] {
  return SERVER_NAMES.filter((name) => !places.some((place) => place.name === name)).map(
    (name) => `${name} (set ${URL_VARIABLES[name]})`,
  )
}

function dockerMayAnswer(environment: Readonly<Record<string, string | undefined>>): boolean {
  return environment['DOCKER_HOST'] !== undefined || existsSync('/var/run/docker.sock')
}

async function startContainers(names: readonly ServerName[]): Promise<FoundPlaces> {
  const { getContainerRuntimeClient } = await import('testcontainers')
  const answers = await getContainerRuntimeClient().then(
    () => true,
    () => false,
  )
  const started = answers ? await Promise.all(names.map(startContainer)) : []
  return {
    places: started.map(({ name, url }) => ({ name, url })),
    stop: async () => void (await Promise.all(started.map(({ stop }) => stop()))),
  }
}

async function startContainer(name: ServerName): Promise<TargetPlace & { stop: () => Promise<unknown> }> {
  if (name === 'postgres') {
    const { PostgreSqlContainer } = await import('@testcontainers/postgresql')
    const container = await new PostgreSqlContainer('postgres:16').start()
    return { name, url: container.getConnectionUri(), stop: () => container.stop() }
  }
  if (name === 'mariadb') {
    const { MariaDbContainer } = await import('@testcontainers/mariadb')
    const container = await new MariaDbContainer('mariadb:10.11').start()
    return { name, url: container.getConnectionUri(true).replace(/^mariadb:/, 'mysql:'), stop: () => container.stop() }
  }
  const { MySqlContainer } = await import('@testcontainers/mysql')
  const container = await new MySqlContainer('mysql:8.0').start()
  return { name, url: container.getConnectionUri(true), stop: () => container.stop() }
}

async function findLocalServers(missing: readonly ServerName[]): Promise<TargetPlace[]> {
  const places: TargetPlace[] = []
  if (missing.includes('postgres') && (await listens(5432)))
    places.push({ name: 'postgres', url: 'postgres://postgres@127.0.0.1:5432/postgres' })
  if (await listens(3306)) {
    const url = 'mysql://root@127.0.0.1:3306/'
    const name = await mysqlVariantAt(url)
    if (name !== undefined && missing.includes(name)) places.push({ name, url })
  }
  return places
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: 2_000 })
    const answer = (found: boolean) => {
      socket.destroy()
      resolve(found)
    }
    socket
      .on('connect', () => answer(true))
      .on('error', () => answer(false))
      .on('timeout', () => answer(false))
  })
}

async function mysqlVariantAt(url: string): Promise<'mariadb' | 'mysql' | undefined> {
  try {
    const connection = await mysql.createConnection(url)
    const [rows] = await connection.query<mysql.RowDataPacket[]>('select @@version as version')
    await connection.end()
    return /mariadb/i.test(String(rows[0]?.['version'])) ? 'mariadb' : 'mysql'
  } catch {
    return undefined
  }
}
