import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import type { Row } from '../../src/ports/rows.ts'
import { BOUND_VALUES, boundCells, boundQuery, EXACT_QUERY, exactCells, exactCellsTable } from '../support/data/exact-cells.ts'
import { collect } from '../support/databases/collect-rows.ts'
import { isInTurn } from '../support/databases/rotation.ts'
import { pgliteOn } from '../support/databases/target-pglite.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'
import { childCommand } from '../support/product/child-program.ts'

const CHILD = new URL('executor-zone-child.ts', import.meta.url).pathname

describeTargets('exact cells', (target) => {
  const engine = target.dialect.name
  let database: TestDatabase

  beforeAll(async () => {
    database = await target.createDatabase()
    for (const sql of exactCellsTable(engine)) await database.adminQuery(sql)
  })

  const rowsOf = (text: string, values: readonly (string | number | boolean | null)[] = []): Promise<readonly Row[]> =>
    database.executor().withSnapshot((snapshot) => snapshot.query({ text, values, label: 'test' }))

  it('come back as stored, with and without bound values', async () => {
    expect(await rowsOf(EXACT_QUERY)).toEqual([exactCells(engine)])
    const bound = `${EXACT_QUERY} where name = ${target.dialect.placeholder(1, 'text', 'Zoë')}`
    expect(await rowsOf(bound, ['Zoë'])).toEqual([exactCells(engine)])
  })

  it('come back as stored from a stream', async () => {
    const rows = await database.executor().withSnapshot(async (snapshot) => {
      const text = `${EXACT_QUERY} where name = ${target.dialect.placeholder(1, 'text', 'Zoë')}`
      return collect(snapshot.stream({ text, values: ['Zoë'], label: 'test' }))
    })
    expect(rows).toEqual([exactCells(engine)])
  })

  it('arrive at the server as bound', async () => {
    expect(await rowsOf(boundQuery(engine), BOUND_VALUES)).toEqual([boundCells(engine)])
  })

  it('takes a bound number as the limit', async () => {
    const text = `select small_number from cells limit ${engine === 'postgres' ? '$1' : '?'}`
    expect(await rowsOf(text, [1])).toEqual([{ small_number: 42 }])
  })

  it('takes one statement per text', async () => {
    await expect(rowsOf('select 1 as one; select 2 as two')).rejects.toMatchObject({ name: 'InternalError' })
  })

  // PGlite starts twice more for it, which takes seconds.
  it.runIf(target.name !== 'pglite' || isInTurn(1, 3))('do not depend on the time zone of the process', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'plumbline-zone-'))
    const url = target.name === 'pglite' ? `pglite:${directory}/data` : database.url
    if (target.name === 'pglite') {
      const engineOnDisk = await pgliteOn(`${directory}/data`)
      for (const sql of exactCellsTable(engine)) await engineOnDisk.exec(sql)
      await engineOnDisk.close()
    }
    const { stdout } = await promisify(execFile)(process.execPath, [...(await childCommand(CHILD)), url], {
      env: { PATH: '', TZ: 'America/New_York' },
    })
    await rm(directory, { recursive: true })
    expect(JSON.parse(stdout)).toEqual({ zone: 300, rows: [exactCells(engine)] })
  })
})
