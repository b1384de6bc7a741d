import { randomBytes } from 'node:crypto'
import mysql from 'mysql2/promise'
import { mariadb as mariadbDialect, mysql as mysqlDialect } from '../../../src/compiler/dialects/mysql.ts'
import { createMysqlExecutor } from '../../../src/databases/mysql/mysql.ts'
import type { Row } from '../../../src/ports/rows.ts'
import { keptOpen, MODEST, type Target, type TestDatabase, trackExecutors } from './test-database.ts'

const MARKER = 'plumbline_template_filled'
const EXACT = { dateStrings: true, supportBigNumbers: true, bigNumberStrings: true, jsonStrings: true, timezone: 'Z' } as const

/** MySQL or MariaDB databases on the server at `serverUrl`. */
export function mysqlTarget(name: 'mysql' | 'mariadb', serverUrl: string): Target {
  const dialect = name === 'mariadb' ? mariadbDialect : mysqlDialect
  const open = async (schema: string, dropped: boolean): Promise<TestDatabase> => {
    const url = urlOfDatabase(serverUrl, schema)
    const admin = await mysql.createConnection({ uri: url, ...EXACT })
    // MySQL would round a fraction that a column has no digits for; MariaDB and the billing engine cut it off.
    if (name === 'mysql') await admin.query("set sql_mode = concat(@@sql_mode, ',TIME_TRUNCATE_FRACTIONAL')")
    const executors = trackExecutors((settings) => createMysqlExecutor({ url, dialect, ...MODEST, ...settings }))
    return {
      target: name,
      dialect,
      url,
      executor: executors.executor,
      async adminQuery(sql, values) {
        const [rows] = await admin.query(sql, values === undefined ? undefined : [...values])
        return Array.isArray(rows) ? (rows as Row[]) : []
      },
      async drop() {
        await executors.closeAll()
        if (dropped) await admin.query(`drop database if exists \`${schema}\``)
        await admin.end()
      },
    }
  }
  const create = async (schema: string) => {
    const server = await mysql.createConnection(serverUrl)
    await server.query(`create database \`${schema}\` character set utf8mb3 collate utf8mb3_bin`)
    await server.end()
  }

  return {
    name,
    dialect,
    async createDatabase() {
      const schema = `pl_${randomBytes(6).toString('hex')}`
      await create(schema)
      return open(schema, true)
    },
    sharedDatabase: keptOpen(async (template) => {
      const schema = `pl_tpl_${template.key}`
      const server = await mysql.createConnection(serverUrl)
      try {
        // Test files run in several processes: the first one fills, the others wait. A marker tells a whole filling from a broken one.
        await server.query('select get_lock(?, 300)', [schema])
        const [known] = await server.query<mysql.RowDataPacket[]>(
          'select 1 from information_schema.tables where table_schema = ? and table_name = ?',
          [schema, MARKER],
        )
        if (known.length === 0) {
          await server.query(`drop database if exists \`${schema}\``)
          await create(schema)
          const database = await open(schema, false)
          await template.fill(database)
          await database.adminQuery(`create table ${MARKER} (filled integer)`)
          await database.drop()
        }
      } finally {
        await server.end()
      }
      return open(schema, false)
    }),
  }
}

function urlOfDatabase(serverUrl: string, schema: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${schema}`
  return url.href
}
