import { join } from 'node:path'
import mysql from 'mysql2/promise'
import type { ServerPrograms } from './find-programs.ts'
import { freePort, openWorkshop } from './start-server.ts'

const SETTINGS = ['--innodb-buffer-pool-size=16M', '--innodb-log-file-size=4M', '--innodb-flush-log-at-trx-commit=0']

/** Starts a MariaDB server with these options more on a free port; `url` is an administrator's address. */
export async function startMariadb(programs: NonNullable<ServerPrograms['mariadb']>, options: readonly string[]) {
  const workshop = await openWorkshop('mysql')
  try {
    const data = join(workshop.folder, 'data')
    const port = await freePort()
    const url = `mysql://root@127.0.0.1:${port}/mysql`
    const installing = [
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      '--innodb-log-file-size=4M',
    ]
    await workshop.run(programs['mariadb-install-db'], ['--no-defaults', ...installing])
    const places = [`--datadir=${data}`, `--socket=${data}.sock`, `--pid-file=${data}.pid`]
    const address = ['--bind-address=127.0.0.1', `--port=${port}`]
    await workshop.start(programs.mariadbd, ['--no-defaults', ...places, ...address, ...SETTINGS, ...options], async () => {
      const connection = await mysql.createConnection({ uri: url })
      await connection.end()
    })
    return { url, close: () => workshop.close() }
  } catch (error) {
    await workshop.close()
    throw error
  }
}
