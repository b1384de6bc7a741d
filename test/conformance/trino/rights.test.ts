import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sharedReal } from '../../support/data/killbill/recorded-database.ts'
import { describeOwnTrino, postgresOfTrino } from '../../support/databases/servers/shared-trino.ts'
import { eventually, freePort } from '../../support/databases/servers/start-server.ts'
import type { OwnTrino } from '../../support/databases/servers/trino.ts'
import { copyToTrino, type TrinoSchema } from '../../support/databases/trino-copy.ts'
import { openLakeCommands } from '../../support/product/lake-commands.ts'

const LAKE = `pl_lake_${randomBytes(6).toString('hex')}`
const ALL = ['SELECT', 'INSERT', 'DELETE', 'UPDATE', 'OWNERSHIP']
/** The rights of docs/lake.md. The user `plumbline` of the tests loads the billing tables. */
const RULES = {
  catalogs: [{ allow: 'all' }],
  schemas: [
    { user: 'plumbline', owner: true },
    { user: 'writer', schema: LAKE, owner: true },
  ],
  tables: [
    { user: 'plumbline', privileges: ALL },
    { user: 'writer', schema: LAKE, privileges: ALL },
    { user: 'writer|reader', privileges: ['SELECT'] },
  ],
}

interface Finding {
  readonly name: string
  readonly level: string
  readonly message: string
}

describeOwnTrino('two users, who have the rights of the guide', (start) => {
  const { configure, run, start: startCommand, close } = openLakeCommands()
  let trino: OwnTrino
  let copy: TrinoSchema
  const as = (user: string) => copy.url.replace('reader@', `${user}@`)
  const lake = [`schema = "lake.${LAKE}"`]
  const tables = () => copy.run(`select table_name from lake.information_schema.tables where table_schema = '${LAKE}'`)
  const privilegesIn = async (path: string) => {
    const { stdout } = await run('check', '--config', path, '--format', 'json')
    return (JSON.parse(stdout) as readonly Finding[]).filter(({ name }) => name === 'privileges')
  }

  beforeAll(async () => {
    trino = await start({ rules: RULES })
    copy = await copyToTrino(trino, await sharedReal(postgresOfTrino()))
  })
  afterAll(async () => {
    close()
    await trino?.close()
  })

  it('the user who reads cannot publish, and leaves nothing', async () => {
    const refused = await run('publish', '--config', configure('reader', as('reader'), lake))
    expect(refused).toMatchObject({ code: 3, stdout: '' })
    expect(refused.stderr).toMatch(/user of Trino/)
    expect(await tables()).toEqual([])
  })

  it('the writer publishes, and the user who reads answers, without a warning', async () => {
    const path = configure('both', as('reader'), [...lake, `publish_url = "${as('writer')}"`])
    expect(await run('publish', '--config', path)).toMatchObject({ code: 0 })
    expect((await tables()).length).toBeGreaterThan(10)
    const port = await freePort()
    await startCommand('serve', '--config', path, '--port', String(port))
    const body = await eventually(async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/metrics/mrr?at=2026-10-31&filter=currency%3DUSD`)
      if (answer.status !== 200) throw new Error(await answer.text())
      return answer.text()
    })
    expect(body).toMatch(/^[1-9]\d+$/)
    expect(await privilegesIn(path)).toEqual([expect.objectContaining({ level: 'ok' })])
  })

  it('a service that asks as the writer is warned of its rights', async () => {
    expect(await privilegesIn(configure('writer', as('writer'), lake))).toEqual([expect.objectContaining({ level: 'ok' })])
    expect(await privilegesIn(configure('owner', as('plumbline'), lake))).toEqual([
      expect.objectContaining({ level: 'warning', message: expect.stringMatching(/DELETE on tables? [\s\S]*INSERT on/) }),
    ])
  })
})
