import { dirname, join } from 'node:path'
import mysql from 'mysql2/promise'
import type { ServerPrograms } from './find-programs.ts'
import { freePort, openWorkshop } from './start-server.ts'

const SETTINGS = ['--innodb-buffer-pool-size=64M', '--innodb-flush-log-at-trx-commit=0', '--skip-log-bin', '--mysqlx=OFF']

/** Starts a MySQL server with these options more on a free port; `url` is an administrator's address. */
export async function startMysql({ mysqld }: NonNullable<ServerPrograms['mysql']>, options: readonly string[] = []) {
  const workshop = await openWorkshop('mysql')
  try {
    const data = join(workshop.folder, 'data')
    const port = await freePort()
    const url = `mysql://root@127.0.0.1:${port}/mysql`
    const places = ['--no-defaults', `--basedir=${dirname(dirname(mysqld))}`, `--datadir=${data}`]
    await workshop.run(mysqld, [...places, '--initialize-insecure'])
    const address = [`--socket=${data}.sock`, `--pid-file=${data}.pid`, '--bind-address=127.0.0.1', `--port=${port}`]
    await workshop.start(mysqld, [...places, ...address, ...SETTINGS, ...options], async () => {
      const connection = await mysql.createConnection({ uri: url })
      await connection.end()
    })
    return { url, close: () => workshop.close() }
  } catch (error) {
    await workshop.close()
    throw error
  }
}
