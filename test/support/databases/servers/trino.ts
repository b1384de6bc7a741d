import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { eventually, freePort, openWorkshop, type RunningServer } from './start-server.ts'
import { queryTrino } from './trino-client.ts'

/** Where `.ci/trino` keeps the programs of Trino. */
const HOME = join(homedir(), '.cache/plumbline-test/trino-476')
const JVMS = '/usr/lib/jvm'
/** The folders of plugins that the tests use. Others take time and memory at the start. */
const PLUGINS = ['iceberg', 'exchange-filesystem', 'password-authenticators']
/** Starting takes 20 seconds of one processor, which is a minute where several processes share it. */
/** Memory and compiler of a server of tests, which lives for minutes. */
const SMALL: readonly string[] = ['-Xmx900M', '-XX:TieredStopAtLevel=1']
const HABITS = { end: 'SIGKILL', deadlineMs: 240_000 } as const

/** The programs that start Trino on this machine. */
export interface TrinoPrograms {
  readonly java: string
  readonly home: string
}

/** The parts that are missing for a Trino server on this machine, each with the remedy. */
export interface TrinoGaps {
  readonly missing: readonly string[]
}

/** Looks for Java 25, which need not be on the path, and for Trino. */
export function findTrino({ JAVA25 }: Readonly<Record<string, string | undefined>>): TrinoPrograms | TrinoGaps {
  const java = [...(JAVA25 === undefined ? [] : [JAVA25]), ...javasOf25()]
    .map((folder) => join(folder, 'bin/java'))
    .find(existsSync)
  const hasTrino = existsSync(join(HOME, 'plugin/iceberg'))
  if (java !== undefined && hasTrino) return { java, home: HOME }
  return {
    missing: [
      ...(java === undefined ? ['Java 25 (set JAVA25 to its folder)'] : []),
      ...(hasTrino ? [] : ['Trino 476 (run .ci/trino)']),
    ],
  }
}

/** Folders of Java 25 next to the system's Java, newest first. */
function javasOf25(): string[] {
  if (!existsSync(JVMS)) return []
  const names = readdirSync(JVMS).filter((name) => name.includes('25') && !name.startsWith('.'))
  const isTemurin = (name: string) => Number(name.startsWith('temurin-25'))
  return names.sort((one, other) => isTemurin(other) - isTemurin(one) || (one < other ? 1 : -1)).map((name) => join(JVMS, name))
}

/** A Trino server with one catalog of Iceberg tables, `lake`. Its schemas are empty. */
export interface TrinoServer {
  /** Origin of its HTTP interface. */
  readonly origin: string
  /** The folder of `local:///`, in which the tables are. Files that are put there can be added to a table. */
  readonly files: string
}

/** A server that a test starts and ends itself. */
export interface OwnTrino extends TrinoServer {
  close(): Promise<void>
}

export interface TrinoOptions {
  /** Memory and compiler. By default those of a small server. */
  readonly javaOptions?: readonly string[]
  /** Rules of the file-based access control. Absent: every user may do everything. */
  readonly rules?: object
}

/** Starts Trino on a free port, in one process. Iceberg keeps its catalog in a new database of the PostgreSQL server at `postgresUrl`. */
export async function startTrino(programs: TrinoPrograms, postgresUrl: string, options: TrinoOptions = {}): Promise<OwnTrino> {
  const place = await preparePlace(programs, postgresUrl, options)
  return startOrClean(place, async () => {
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    await place.start({
      name: 'alone',
      port,
      origin,
      properties: { coordinator: 'true', 'node-scheduler.include-coordinator': 'true' },
    })
    return { origin, files: place.files, close: place.close }
  })
}

/** A coordinator that takes no work, and workers that a test starts and kills. */
export interface TrinoCluster extends OwnTrino {
  addWorker(): Promise<RunningServer>
  /** Kills the coordinator and starts it again at the same address. */
  restartCoordinator(): Promise<void>
}

/** A lost worker is noticed after this time. By default it is a minute. */
const NOTICED = { 'exchange.max-error-duration': '5s', 'query.remote-task.max-error-duration': '5s' }

/** Starts a coordinator. Statements wait until it has a worker. */
export async function startTrinoCluster(
  programs: TrinoPrograms,
  postgresUrl: string,
  options: TrinoOptions = {},
): Promise<TrinoCluster> {
  const place = await preparePlace(programs, postgresUrl, options)
  return startOrClean(place, async () => {
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const properties = { ...NOTICED, coordinator: 'true', 'node-scheduler.include-coordinator': 'false' }
    const start = () => place.start({ name: 'coordinator', port, origin, properties })
    let coordinator = await start()
    /** Resolves when the coordinator knows a worker whose name ends so. */
    const known = (name: string) =>
      eventually(async () => {
        const look = `select node_id from system.runtime.nodes where state = 'active' and not coordinator and node_id like '%${name}'`
        if ((await queryTrino({ origin }, 'information_schema', look)).length === 0)
          throw new Error(`The coordinator does not know ${name}`)
      })
    let workers = 0
    return {
      origin,
      files: place.files,
      async addWorker() {
        workers += 1
        const name = `worker${workers}`
        const worker = await place.start({
          name,
          port: await freePort(),
          origin,
          properties: { ...NOTICED, coordinator: 'false' },
        })
        await known(name)
        return worker
      },
      async restartCoordinator() {
        await coordinator.stop('SIGKILL')
        coordinator = await start()
        await known('')
      },
      close: place.close,
    }
  })
}

/** One process of Trino. */
interface TrinoProcess {
  readonly name: string
  readonly port: number
  /** Origin of its coordinator. */
  readonly origin: string
  readonly properties: Readonly<Record<string, string>>
}

/** The folders and the catalog that the processes of one Trino share. */
interface TrinoPlace {
  readonly files: string
  start(process: TrinoProcess): Promise<RunningServer>
  close(): Promise<void>
}

async function preparePlace(
  { java, home }: TrinoPrograms,
  postgresUrl: string,
  { javaOptions = SMALL, rules }: TrinoOptions,
): Promise<TrinoPlace> {
  const workshop = await openWorkshop()
  const database = `pl_trino_${randomBytes(6).toString('hex')}`
  const { folder } = workshop
  const [files, plugins] = [join(folder, 'files'), join(folder, 'plugins')]
  const close = async () => {
    await workshop.close()
    await dropDatabase(postgresUrl, database)
  }
  return startOrClean({ close }, async () => {
    await createIcebergCatalog(postgresUrl, database)
    for (const path of [files, plugins, join(folder, 'etc')]) await mkdir(path)
    const exchange = { 'exchange-manager.name': 'filesystem', 'exchange.base-directories': join(folder, 'exchange') }
    // Trino looks for it in its working directory. Queries use it if they ask for it.
    await writeFile(join(folder, 'etc', 'exchange-manager.properties'), lines(exchange))
    for (const name of PLUGINS) await symlink(join(home, 'plugin', name), join(plugins, name))
    return {
      files,
      close,
      async start({ name, port, origin, properties }) {
        const etc = join(folder, name)
        await mkdir(join(etc, 'catalog'), { recursive: true })
        const config = {
          ...properties,
          'node.environment': 'test',
          'node.id': `${database}_${name}`,
          'node.bind-ip': '127.0.0.1',
          'node.internal-address': '127.0.0.1',
          'http-server.http.port': String(port),
          'discovery.uri': origin,
          'plugin.dir': plugins,
          'catalog.config-dir': join(etc, 'catalog'),
          'log.levels-file': join(etc, 'log.properties'),
          ...(rules !== undefined && { 'access-control.config-files': join(etc, 'access-control.properties') }),
          'query.max-history': '20',
          'query.min-expire-age': '1s',
          'task.concurrency': '2',
        }
        await writeFile(join(etc, 'config.properties'), lines(config))
        if (rules !== undefined) {
          const access = { 'access-control.name': 'file', 'security.config-file': join(etc, 'rules.json') }
          await writeFile(join(etc, 'access-control.properties'), lines(access))
          await writeFile(join(etc, 'rules.json'), JSON.stringify(rules))
        }
        await writeFile(join(etc, 'log.properties'), lines({ '': 'WARN', 'io.trino': 'WARN' }))
        await writeFile(join(etc, 'catalog', 'lake.properties'), lines(lakeOf(postgresUrl, database, files)))
        const options = [...javaOptions, '-XX:+UseSerialGC', '-Djdk.attach.allowAttachSelf=true']
        const program = ['-cp', join(home, 'lib/*'), `-Dconfig=${join(etc, 'config.properties')}`, 'io.trino.server.TrinoServer']
        return workshop.start(java, [...options, ...program], () => isReady(`http://127.0.0.1:${port}`), HABITS)
      },
    }
  })
}

/** Ends what was started if the rest of a start fails. */
async function startOrClean<T>({ close }: { close(): Promise<void> }, start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    await close()
    throw error
  }
}

function lakeOf(postgresUrl: string, database: string, files: string): Readonly<Record<string, string>> {
  const { host, username, password } = new URL(postgresUrl)
  return {
    'connector.name': 'iceberg',
    'iceberg.catalog.type': 'jdbc',
    'iceberg.jdbc-catalog.catalog-name': 'lake',
    'iceberg.jdbc-catalog.driver-class': 'org.postgresql.Driver',
    'iceberg.jdbc-catalog.connection-url': `jdbc:postgresql://${host}/${database}`,
    'iceberg.jdbc-catalog.connection-user': decodeURIComponent(username),
    ...(password === '' ? {} : { 'iceberg.jdbc-catalog.connection-password': decodeURIComponent(password) }),
    'iceberg.jdbc-catalog.default-warehouse-dir': 'local:///',
    'iceberg.add-files-procedure.enabled': 'true',
    'fs.native-local.enabled': 'true',
    'local.location': files,
  }
}

function lines(properties: Readonly<Record<string, string>>): string {
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}

/** Iceberg does not create the tables of a catalog in a database itself. */
async function createIcebergCatalog(postgresUrl: string, database: string): Promise<void> {
  await atPostgres(postgresUrl, `create database ${database}`)
  const url = new URL(postgresUrl)
  url.pathname = `/${database}`
  await atPostgres(
    url.href,
    `create table iceberg_tables (catalog_name varchar(255), table_namespace varchar(255), table_name varchar(255),
      metadata_location varchar(1000), previous_metadata_location varchar(1000), iceberg_type varchar(5),
      primary key (catalog_name, table_namespace, table_name));
    create table iceberg_namespace_properties (catalog_name varchar(255), namespace varchar(255), property_key varchar(255),
      property_value varchar(1000), primary key (catalog_name, namespace, property_key))`,
  )
}

function dropDatabase(postgresUrl: string, database: string): Promise<void> {
  return atPostgres(postgresUrl, `drop database if exists ${database} with (force)`)
}

async function atPostgres(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

/** Rejects until a statement over the catalog has run. */
async function isReady(origin: string): Promise<void> {
  const info: unknown = await (await fetch(`${origin}/v1/info`)).json()
  if (typeof info !== 'object' || info === null || !('starting' in info) || info.starting !== false)
    throw new Error('Trino is starting')
}
