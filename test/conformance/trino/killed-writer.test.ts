import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Publication } from '../../../src/cache/lake/publications.ts'
import { sharedReal } from '../../support/data/killbill/recorded-database.ts'
import { describeTrino, postgresOfTrino } from '../../support/databases/servers/shared-trino.ts'
import { eventually, freePort } from '../../support/databases/servers/start-server.ts'
import { copyToTrino, type TrinoSchema } from '../../support/databases/trino-copy.ts'
import { openLakeCommands } from '../../support/product/lake-commands.ts'

describeTrino('a writer that is killed', (server) => {
  const schema = `pl_${randomBytes(6).toString('hex')}`
  const { configure, start, run, close } = openLakeCommands()
  let copy: TrinoSchema
  let path: string

  const configFile = (name: string, url: string) => configure(name, url, [`schema = "lake.${schema}"`])
  const tables = async () =>
    (await copy.run(`select table_name from lake.information_schema.tables where table_schema = '${schema}'`)).map((row) =>
      String(row['table_name']),
    )

  beforeAll(async () => {
    copy = await copyToTrino(await server(), await sharedReal(postgresOfTrino()))
    path = configFile('plumbline', copy.url)
  })
  afterAll(close)

  it('leaves tables that nobody reads, and the next publication removes them', async () => {
    const child = await start('publish', '--config', path)
    for await (const line of createInterface({ input: child.stderr })) if (line.includes('are copied')) break
    child.kill('SIGKILL')
    await once(child, 'exit')
    const left = await tables()
    expect(left.filter((table) => /^p\d+_[0-9a-f]{4}_raw_/.test(table)).length).toBeGreaterThan(10)
    expect(JSON.parse((await run('lake', '--config', path, '--format', 'json')).stdout)).toEqual([])

    expect(await run('publish', '--config', path)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Another writer publishes'),
    })

    await copy.run(`update lake.${schema}.plumbline_publications set at = at - interval '10' minute`)
    const made = await run('publish', '--config', path, '--format', 'json')
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('whose writer was given up') })
    const { id, rows } = JSON.parse(made.stdout) as Publication
    const held = Object.keys(rows).map((relation) => `${id}_held_${relation}`)
    expect((await tables()).sort()).toEqual(['plumbline_publications', `${id}_opening`, ...held].sort())
    expect(await copy.run(`select count(distinct id) as n from lake.${schema}.plumbline_publications`)).toEqual([{ n: '1' }])
  })

  it('tables that are gone under a reader end its question, with the remedy', async () => {
    const port = await freePort()
    await start('serve', '--config', path, '--port', String(port))
    const ask = (at: string) => fetch(`http://127.0.0.1:${port}/api/metrics/mrr?at=${at}&filter=currency%3DUSD`)
    const rows = await eventually(async () => {
      const answer = await ask('2026-11-20')
      const body = await answer.text()
      if (answer.status !== 200) throw new Error(`${answer.status} ${body}`)
      return (JSON.parse(body) as { data: unknown[] }).data
    })
    expect(rows).not.toEqual([])
    for (const table of await tables()) if (/_held_/.test(table)) await copy.run(`drop table lake.${schema}.${table}`)
    const refused = await ask('2026-10-20')
    expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('plumbline publish')])
  })

  it('a cluster that does not answer is told by the exit code', async () => {
    const away = configFile('away', `trino://reader@127.0.0.1:${await freePort()}/lake/${copy.schema}`)
    expect(await run('publish', '--config', away)).toMatchObject({ code: 4, stdout: '' })
  })
})
