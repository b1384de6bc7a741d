import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { postgres as dialect } from '../../../src/compiler/dialects/postgres.ts'
import { createPostgresExecutor } from '../../../src/databases/postgres/postgres.ts'
import { exactParser } from '../../../src/databases/postgres/types.ts'
import type { Row } from '../../../src/ports/rows.ts'
import { keptOpen, MODEST, type Target, type Template, type TestDatabase, trackExecutors } from './test-database.ts'

const types = { getTypeParser: exactParser as pg.CustomTypesConfig['getTypeParser'] }

/** PostgreSQL databases on the server at `serverUrl`. */
export function postgresTarget(serverUrl: string): Target {
  const atServer = <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => withClient(serverUrl, work)

  const open = async (name: string): Promise<TestDatabase & { close: () => Promise<void> }> => {
    const url = urlOfDatabase(serverUrl, name)
    const admin = new pg.Client({ connectionString: url, types })
    await admin.connect()
    const executors = trackExecutors((settings) => createPostgresExecutor({ url, dialect, ...MODEST, ...settings }))
    const close = async () => {
      await executors.closeAll()
      await admin.end()
    }
    return {
      target: 'postgres',
      dialect,
      url,
      executor: executors.executor,
      async adminQuery(sql, values) {
        const result = values === undefined ? await admin.query<Row>(sql) : await admin.query<Row>(sql, [...values])
        // Several statements in one text answer as a list, which the driver's types do not know.
        const last = Array.isArray(result) ? (result as pg.QueryResult<Row>[]).at(-1) : result
        return last?.rows ?? []
      },
      close,
      async drop() {
        await close()
        await atServer(async (client) => {
          // Servers before 13 know no force.
          await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
          await client.query(`drop database if exists ${name}`)
        })
      },
    }
  }

  const create = async (client: pg.Client, name: string, template = 'template1'): Promise<void> => {
    await client.query(`create database ${name} template ${template}`)
    // A crash may lose data: the database is dropped at the end anyway.
    await client.query(`alter database ${name} set synchronous_commit = off`)
  }

  /** Makes a database that all share unless it is there: test files run in several processes, of which the first makes it and the others wait. */
  const once = async (name: string, client: pg.Client, make: (draft: string) => Promise<void>): Promise<string> => {
    await client.query('select pg_advisory_lock(hashtext($1))', [name])
    const known = await client.query('select 1 from pg_database where datname = $1', [name])
    if (known.rowCount === 0) {
      const draft = `${name}_draft`
      await client.query(`drop database if exists ${draft} with (force)`)
      await make(draft)
      await client.query(`alter database ${draft} rename to ${name}`)
    }
    await client.query('select pg_advisory_unlock(hashtext($1))', [name])
    return name
  }

  const prepareTemplate = ({ key, fill }: Template, client: pg.Client): Promise<string> =>
    once(`pl_tpl_${key}`, client, async (draft) => {
      await create(client, draft)
      const database = await open(draft)
      await fill(database)
      await database.adminQuery('analyze')
      await database.close()
    })

  // A template is copied only while nobody is connected to it.
  const prepareShared = async (template: Template, client: pg.Client): Promise<string> => {
    const source = await prepareTemplate(template, client)
    return once(`pl_tpl_shared_${template.key}`, client, (draft) => create(client, draft, source))
  }

  const sharedDatabase = keptOpen(async (template) => open(await atServer((client) => prepareShared(template, client))))

  return {
    name: 'postgres',
    dialect,
    async createDatabase() {
      const name = randomName()
      await atServer((client) => create(client, name))
      return open(name)
    },
    sharedDatabase,
    copyOf: (template) =>
      atServer(async (client) => {
        const name = randomName()
        await create(client, name, await prepareTemplate(template, client))
        return open(name)
      }),
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function urlOfDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

function randomName(): string {
  return `pl_${randomBytes(6).toString('hex')}`
}
