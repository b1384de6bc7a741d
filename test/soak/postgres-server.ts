import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findServerPrograms } from '../support/databases/servers/find-programs.ts'
import { freePort, openWorkshop } from '../support/databases/servers/start-server.ts'

/** A PostgreSQL server of the soak's own, which may be stopped at any moment. */
export interface OwnPostgres {
  readonly url: string
  /** Ends it, tells every client so or crashes, and starts it again after `downMs`. */
  restart(way: 'told' | 'crash', downMs: number): Promise<void>
  remove(): Promise<void>
}

/** Makes a cluster in a temporary directory and starts it on a free port. */
export async function startPostgres(): Promise<OwnPostgres> {
  const { postgres: programs } = findServerPrograms()
  if (programs === undefined) throw new Error('the programs of PostgreSQL are not on this machine')
  const workshop = await openWorkshop('postgres')
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const data = join(workshop.folder, 'data')
  await workshop.run(programs.initdb, ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'])
  const settings = ['fsync=off', 'unix_socket_directories=', 'listen_addresses=127.0.0.1', `port=${port}`]
  const argv = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])]
  const start = () => workshop.start(programs.postgres, argv, () => answers(url))
  let server = await start()
  return {
    url,
    async restart(way, downMs) {
      await server.stop(way === 'told' ? 'SIGINT' : 'SIGQUIT')
      await sleep(downMs)
      server = await start()
    },
    remove: () => workshop.close(),
  }
}

async function answers(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
  } finally {
    await client.end()
  }
}
