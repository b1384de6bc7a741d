import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createKillbillConnector } from '../../../connectors/killbill/index.ts'
import { publishedRelations } from '../../../src/cache/lake/lake-source.ts'
import { replayOpening } from '../../../src/cache/lake/opening.ts'
import { type LakePlace, nameIn } from '../../../src/cache/lake/place.ts'
import { createPublications, type Publication } from '../../../src/cache/lake/publications.ts'
import { type PublishOptions, planPublication, publish } from '../../../src/cache/lake/publish.ts'
import { tableOf } from '../../../src/cache/lake/steps-as-tables.ts'
import { trino } from '../../../src/compiler/dialects/trino.ts'
import { sqlNow } from '../../../src/core/periods.ts'
import type { Engine } from '../../../src/engine/contract.ts'
import type { Executor } from '../../../src/ports/executor.ts'
import { bodyOf, everyMetric } from '../../parity/every-metric.ts'
import { sharedReal } from '../../support/data/killbill/recorded-database.ts'
import { describeTrino, postgresOfTrino } from '../../support/databases/servers/shared-trino.ts'
import type { TestDatabase } from '../../support/databases/targets.ts'
import { copyToTrino, type TrinoSchema } from '../../support/databases/trino-copy.ts'
import { DEFINITIONS, heldDifferences, linesOf, soakedCache } from '../../support/product/held-rows.ts'
import { LAST_YEAR, publishedCache, publishOptions } from '../../support/product/publication.ts'
import { END_OF_RECORDING, engineOver } from '../../support/product/recorded-engine.ts'

const connector = createKillbillConnector({ tenant: ['all'], catalog: [] })
const STOP = new AbortController().signal

describeTrino('a publication', (server) => {
  const place: LakePlace = { catalog: 'lake', schema: `pl_${randomBytes(6).toString('hex')}` }
  const told: string[] = []
  const failures: unknown[] = []
  let source: TestDatabase
  let copy: TrinoSchema
  let writer: Executor
  let options: PublishOptions
  let made: Publication
  let direct: Engine
  let lake: Engine

  beforeAll(async () => {
    source = await sharedReal(postgresOfTrino())
    copy = await copyToTrino(await server(), source)
    writer = copy.executor({ trino: { mayWrite: true }, poolSize: 4 })
    options = publishOptions({ connector, writer, billing: { catalog: 'lake', schema: copy.schema }, place, told, failures })
    const plan = await planPublication(options, STOP)
    expect(plan.statements.length).toBeGreaterThan(50)
    expect(await copy.run('show schemas from lake')).not.toContainEqual({ Schema: place.schema })
    made = await publish(options, STOP)
    direct = await engineOver(source, { tenant: ['all'] })
    lake = await engineOver(source, { tenant: ['all'], cache: () => lakeCache([]) })
  })
  const lakeCache = (sent: string[]) => publishedCache(options, copy.executor({ onStatement: (text) => sent.push(text) }))
  afterAll(async () => {
    await Promise.all([writer?.close(), lake?.close(), direct?.close()])
  })

  it('has the same held rows as the mirror', async () => {
    const session = await connector.open(replayOpening(await createPublications(writer, place).openingOf(made.id), trino), {
      now: END_OF_RECORDING,
      definitions: DEFINITIONS,
    })
    const { held } = soakedCache(source.executor(), 'lake', null)
    const mirror = await held({ now: sqlNow(END_OF_RECORDING), seconds: 0 })
    const tables: Record<string, readonly string[]> = {}
    for (const { relation, columns } of publishedRelations(options))
      tables[relation] = (await copy.run(`select * from ${nameIn(place, tableOf(made.id, 'held', relation))}`))
        .map(linesOf(columns, session.inline.get('plan')))
        .sort()
    const ofMirror = Object.fromEntries(Object.keys(tables).map((relation) => [relation, mirror.tables[relation] ?? []]))
    expect(heldDifferences(['mirror', ofMirror], ['Trino', tables])).toBeUndefined()
    expect(Object.fromEntries(Object.entries(tables).map(([relation, rows]) => [relation, rows.length]))).toEqual(made.rows)
  })

  it.each(everyMetric(LAST_YEAR))('answers $name as the billing database does', async ({ ask }) => {
    expect(bodyOf(await ask(lake))).toBe(bodyOf(await ask(direct)))
  })

  it('a repeated question comes from memory', async () => {
    const sent: string[] = []
    const again = await engineOver(source, { tenant: ['all'], cache: () => lakeCache(sent) })
    const ask = () => everyMetric(LAST_YEAR)[0]?.ask(again)
    // The second answer is the first that is made with the known state of the store.
    await ask()
    await ask()
    const first = sent.length
    await ask()
    expect([first > 3, sent.length - first]).toEqual([true, 0])
    await again.close()
  })

  it('leaves its held tables and nothing else', async () => {
    expect(failures).toEqual([])
    const found = await copy.run(`select table_name from lake.information_schema.tables where table_schema = '${place.schema}'`)
    const expected = [
      'plumbline_publications',
      tableOf(made.id, 'opening'),
      ...publishedRelations(options).map(({ relation }) => tableOf(made.id, 'held', relation)),
    ]
    expect(found.map((row) => row['table_name']).sort()).toEqual(expected.sort())
    expect(await createPublications(writer, place).list()).toEqual([made])
    expect(Object.values(made.versions).every((version) => /^\d+$/.test(version ?? ''))).toBe(true)
  })

  it('a second writer gives way to one at work', async () => {
    const publications = createPublications(writer, place)
    await publications.begin('p1_aaaa', 'another machine')
    await expect(publish(options, STOP)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('another machine'),
    })
    await publications.remove('p1_aaaa')
    expect(await publications.list()).toEqual([made])
  })

  it('a failure leaves the earlier publication and no table of its own', async () => {
    const abort = new AbortController()
    const failing = { ...options, onProgress: (text: string) => text.includes('are copied') && abort.abort(new Error('stopped')) }
    await expect(publish(failing, abort.signal)).rejects.toThrow('stopped')
    const publications = createPublications(writer, place)
    expect(await publications.list()).toEqual([made])
    expect(await publications.abandoned()).toEqual([])
  })
})
