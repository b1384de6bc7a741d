import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLagoConnector } from '../../../connectors/lago/index.ts'
import { publishedRelations } from '../../../src/cache/lake/lake-source.ts'
import { replayOpening } from '../../../src/cache/lake/opening.ts'
import { type LakePlace, nameIn } from '../../../src/cache/lake/place.ts'
import { createPublications, type Publication } from '../../../src/cache/lake/publications.ts'
import { type PublishOptions, publish } from '../../../src/cache/lake/publish.ts'
import { tableOf } from '../../../src/cache/lake/steps-as-tables.ts'
import { trino } from '../../../src/compiler/dialects/trino.ts'
import type { Engine } from '../../../src/engine/contract.ts'
import type { Executor } from '../../../src/ports/executor.ts'
import { bodyOf, everyMetric } from '../../parity/every-metric.ts'
import { sharedNorth } from '../../support/data/lago/north-database.ts'
import { describeTrino, postgresOfTrino } from '../../support/databases/servers/shared-trino.ts'
import type { TestDatabase } from '../../support/databases/targets.ts'
import { copyToTrino, type TrinoSchema } from '../../support/databases/trino-copy.ts'
import { DEFINITIONS, heldDifferences, linesOf } from '../../support/product/held-rows.ts'
import { lagoCache } from '../../support/product/lago-cache.ts'
import { END_OF_NORTH, lagoCatalog, lagoEngine } from '../../support/product/lago-engine.ts'
import { LAST_YEAR, publishedCache, publishOptions } from '../../support/product/publication.ts'

const connector = createLagoConnector({ organization: [] })
const STOP = new AbortController().signal
const request = { now: END_OF_NORTH, definitions: DEFINITIONS }

describeTrino('a publication of Lago', (server) => {
  const place: LakePlace = { catalog: 'lake', schema: `pl_${randomBytes(6).toString('hex')}` }
  const failures: unknown[] = []
  let source: TestDatabase
  let copy: TrinoSchema
  let writer: Executor
  let options: PublishOptions
  let made: Publication
  let direct: Engine
  let lake: Engine

  beforeAll(async () => {
    source = await sharedNorth(postgresOfTrino())
    copy = await copyToTrino(await server(), source)
    writer = copy.executor({ trino: { mayWrite: true }, poolSize: 4 })
    options = publishOptions({
      ...{ connector, writer, place, failures, catalog: lagoCatalog(), now: END_OF_NORTH, told: [] },
      billing: { catalog: 'lake', schema: copy.schema },
    })
    made = await publish(options, STOP)
    direct = await lagoEngine(source)
    const onTrino = { ...source, executor: () => copy.executor() }
    lake = await lagoEngine(onTrino, { cache: publishedCache(options, copy.executor()) })
  })
  afterAll(async () => {
    await Promise.all([writer?.close(), lake?.close(), direct?.close()])
  })

  it('has the same held rows as the mirror', async () => {
    const { cache, held } = lagoCache(source.executor(), { now: () => END_OF_NORTH }, connector)
    const mirror = await held()
    await cache.close()
    const session = await connector.open(
      replayOpening(await createPublications(writer, place).openingOf(made.id), trino),
      request,
    )
    const tables: Record<string, readonly string[]> = {}
    for (const { relation, columns } of publishedRelations(options))
      tables[relation] = (await copy.run(`select * from ${nameIn(place, tableOf(made.id, 'held', relation))}`))
        .map(linesOf(columns, session.inline.get('plan')))
        .sort()
    const known = Object.keys(tables).filter((relation) => mirror.tables[relation] !== undefined)
    const only = (rows: Readonly<Record<string, readonly string[]>>) =>
      Object.fromEntries(known.map((relation) => [relation, rows[relation] ?? []]))
    expect(heldDifferences(['mirror', only(mirror.tables)], ['Trino', only(tables)])).toBeUndefined()
    expect(known.length).toBeGreaterThan(10)
    expect(Object.values(only(tables)).flat().length).toBeGreaterThan(5_000)
    expect(failures).toEqual([])
  })

  it.each(everyMetric(LAST_YEAR).filter(({ isCached }) => isCached))(
    'answers $name as the billing database does',
    async ({ ask }) => {
      const asked = (engine: Engine) => ask(engine).then(bodyOf, (error: { code?: string }) => error.code ?? error)
      expect(await asked(lake)).toEqual(await asked(direct))
    },
  )

  it.each([
    ['mrr', { query_type: 'current', at: LAST_YEAR.end }],
    ['mrr', { query_type: 'breakdown', movement_type: 'contraction', ...LAST_YEAR }],
    ['usage_revenue', { query_type: 'total', ...LAST_YEAR }],
  ])('shows the rows behind %s with their evidence as the billing database does', async (metric, params) => {
    const ask = async (engine: Engine) => (await engine.metricRows(metric, { ...params, limit: '50' })).data
    const [found, expected] = [await ask(lake), await ask(direct)]
    expect(found).toEqual(expected)
    expect(JSON.stringify(expected).length).toBeGreaterThan(5_000)
  })

  it('has no ledger, and says why', async () => {
    const message = 'On Trino, the ledger of Lago is not known: Trino takes minutes to plan a statement of it.'
    const asked = lake.query('ledger', { query_type: 'cash', ...LAST_YEAR })
    await expect(asked).rejects.toMatchObject({ code: 'unsupported_by_connector', message })
    const findings = await writer.withSnapshot(async (snapshot) => connector.check?.(snapshot, request))
    expect(findings).toContainEqual({ name: 'ledger', level: 'warning', message })
  })

  it('has no failure in the checks of the connector', async () => {
    const levels = async (asked: Executor) => {
      const findings = await asked.withSnapshot(async (snapshot) => connector.check?.(snapshot, request))
      return findings?.filter(({ name }) => name !== 'ledger').map(({ name, level, message }) => [name, level, message])
    }
    expect(await levels(writer)).toEqual(await levels(source.executor()))
  })
})
