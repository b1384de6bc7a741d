import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgres as dialect } from '../../src/compiler/dialects/postgres.ts'
import { createPostgresExecutor } from '../../src/databases/postgres/postgres.ts'
import {
  missingPostgres,
  OTHER_POSTGRES,
  type OwnPostgres,
  startPostgres,
} from '../support/databases/servers/postgres-versions.ts'

const [, NEWER] = OTHER_POSTGRES
const ADMINISTRATORS = ['rds_superuser', 'cloudsqlsuperuser', 'azure_pg_admin']

// Roles of managed servers have fixed names, so the test starts its own server.
describe.skipIf(missingPostgres([NEWER]).length > 0)('roles of managed servers', () => {
  let server: OwnPostgres

  beforeAll(async () => {
    server = await startPostgres(NEWER)
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    await client.query('create table item (id integer)')
    for (const name of ADMINISTRATORS) {
      await client.query(`create role ${name} createrole`)
      await client.query(`create role in_${name} login noinherit in role ${name}`)
    }
    await client.query('create role plain_reader login')
    await client.query('grant select on item to plain_reader')
    await client.end()
  })
  afterAll(() => server?.close())

  const privilegesOf = async (role: string): Promise<readonly string[]> => {
    const url = new URL(server.url)
    url.username = role
    const executor = createPostgresExecutor({ url: url.href, dialect, poolSize: 1 })
    try {
      return await executor.writePrivileges()
    } finally {
      await executor.close()
    }
  }

  it('of an administrator are named, as it may grant itself what it lacks', async () => {
    for (const name of ADMINISTRATORS) expect(await privilegesOf(`in_${name}`)).toEqual([`member of ${name}`])
  })

  it('of a reader and of a superuser are what they are elsewhere', async () => {
    expect(await privilegesOf('plain_reader')).toEqual([])
    const privileges = await privilegesOf('postgres')
    expect(privileges).toContain('superuser')
    expect(privileges.join()).not.toContain('member')
  })
})
