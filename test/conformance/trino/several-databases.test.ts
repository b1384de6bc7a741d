import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createKillbillConnector } from '../../../connectors/killbill/index.ts'
import { PROBED_TABLES } from '../../../connectors/killbill/required-schema.ts'
import { composeEngine } from '../../../src/app/compose.ts'
import { loadConfig } from '../../../src/app/config/config.ts'
import type { Composed } from '../../../src/app/service.ts'
import type { LakeDatabase } from '../../../src/cache/lake/databases/database.ts'
import { severalDatabases } from '../../../src/cache/lake/databases/several.ts'
import { publishedRelations } from '../../../src/cache/lake/lake-source.ts'
import { type LakePlace, nameIn } from '../../../src/cache/lake/place.ts'
import { createPublications, type Publication } from '../../../src/cache/lake/publications.ts'
import { publish } from '../../../src/cache/lake/publish.ts'
import { tableOf } from '../../../src/cache/lake/steps-as-tables.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import type { Engine } from '../../../src/engine/contract.ts'
import type { Executor } from '../../../src/ports/executor.ts'
import type { Row } from '../../../src/ports/rows.ts'
import { importFxRates } from '../../../src/workspace/exchange-rates/import/csv.ts'
import { bodyOf, everyMetric } from '../../parity/every-metric.ts'
import { sharedReal } from '../../support/data/killbill/recorded-database.ts'
import { describeTrino, postgresOfTrino } from '../../support/databases/servers/shared-trino.ts'
import type { TestDatabase } from '../../support/databases/targets.ts'
import { type CopiedPart, copyToTrino, type TrinoSchema } from '../../support/databases/trino-copy.ts'
import { LAST_YEAR, publishOptions } from '../../support/product/publication.ts'
import { END_OF_RECORDING, engineOver } from '../../support/product/recorded-engine.ts'

const STOP = new AbortController().signal
const KEYS = 1_000_000_000_000

/** The rows of one tenant of the recording, with lower numbers. The numbers of the two tenants alternate, so most of the lower ones are those of the other. */
function tenantRows(tenant: number, less: number): CopiedPart {
  return {
    has: (table) => PROBED_TABLES.some((name) => name === table),
    where(table, columns) {
      if (table === 'tenants') return `record_id = ${tenant}`
      return columns.includes('tenant_record_id') ? `tenant_record_id = ${tenant}` : 'true'
    },
    cell: (column) =>
      /record_id$/.test(column) ? `"${column}" - case when "${column}" > 0 then ${less} else 0 end` : `"${column}"`,
  }
}

const RATES = readFileSync(join(packageRoot(), 'fixtures', 'killbill', 'real', 'expected', 'fx.csv'), 'utf8')

describeTrino('a publication of two databases', (server) => {
  const place: LakePlace = { catalog: 'lake', schema: `pl_${randomBytes(6).toString('hex')}` }
  const failures: unknown[] = []
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-several-'))
  let copies: readonly TrinoSchema[]
  let writer: Executor
  let composed: Composed
  let made: Publication
  let one: Engine
  let several: Engine

  const copyOf = (index: number): TrinoSchema => {
    const copy = copies[index]
    if (copy === undefined) throw new Error('a copy is missing')
    return copy
  }
  const databaseOf = (name: string, number: number): LakeDatabase => ({
    name,
    number,
    place: { catalog: 'lake', schema: copyOf(number).schema },
    connector: createKillbillConnector({ tenant: [], catalog: [] }),
  })
  const lakeOf = () => {
    if (composed.lake === undefined) throw new Error('the configuration has no lake')
    return composed.lake
  }
  const optionsOf = (databases: readonly LakeDatabase[]) =>
    publishOptions({
      connector: severalDatabases(databases),
      databases,
      writer,
      billing: { catalog: 'lake', schema: copyOf(0).schema },
      place,
      told: [],
      failures,
    })
  /** The service of a company with two billing databases. */
  const compose = (): Composed => {
    const file = join(folder, 'plumbline.toml')
    const text = `[database]
url = "${copyOf(0).url.replace(/\/[^/]*$/, '')}"
[store]
url = "sqlite:store.db"
workspace = "acme"
[definitions]
base_currency = "USD"
[limits]
statement_timeout_ms = 240000
queue_ms = 240000
[clock]
now = ${END_OF_RECORDING.toISOString()}
[lake]
schema = "lake.${place.schema}"
max_skew_seconds = 7200
[[lake.databases]]
name = "eu"
schema = "${copyOf(0).schema}"
[[lake.databases]]
name = "us"
schema = "lake.${copyOf(1).schema}"
`
    writeFileSync(file, text)
    return composeEngine(loadConfig({ environment: {}, cwd: folder, home: undefined, config: file }))
  }

  beforeAll(async () => {
    const source: TestDatabase = await sharedReal(postgresOfTrino())
    const trino = await server()
    copies = [await copyToTrino(trino, source, tenantRows(1, 0)), await copyToTrino(trino, source, tenantRows(2, 1))]
    writer = copyOf(0).executor({ trino: { mayWrite: true }, poolSize: 4 })
    composed = compose()
    await composed.store.open()
    await importFxRates(RATES, composed.store, { maxBytes: 1_000_000 })
    several = composed.engine
    const result = await lakeOf().publish(() => {}, STOP)
    if ('faults' in result) throw new Error(result.faults.join('\n'))
    made = result
    one = await engineOver(source, { tenant: ['all'] })
  }, 1_500_000)
  afterAll(async () => {
    await Promise.all([writer?.close(), several?.close(), one?.close()])
    rmSync(folder, { recursive: true, force: true })
  })
  const run = (text: string) => copyOf(0).run(text)
  const held = (relation: string) => nameIn(place, tableOf(made.id, 'held', relation))

  it('has tenants with the same keys, and keys of its own for each', async () => {
    const accounts = (index: number) => `lake.${copyOf(index).schema}.accounts`
    const [both] = await run(
      `select count(*) as n from ${accounts(0)} as a join ${accounts(1)} as b on b.record_id = a.record_id`,
    )
    expect(Number(both?.['n'])).toBeGreaterThan(5)
    const [keys] = await run(`select count(distinct customer_key) as keys, count(distinct customer_id) as ids,
  count_if(customer_key > ${KEYS}) as of_second from ${held('customer')}`)
    expect([keys?.['keys'], Number(keys?.['of_second']) > 5]).toEqual([keys?.['ids'], true])
    const [spans] = await run(
      `select count_if(plan_key > ${KEYS}) as plans from ${held('subscription_span')} where customer_key > ${KEYS}`,
    )
    expect(Number(spans?.['plans'])).toBeGreaterThan(5)
    const lines = await run(`select distinct split_part(bundle_line, '/', 1) as name from ${held('bundle_line')} order by 1`)
    expect(lines).toEqual([{ name: 'eu' }, { name: 'us' }])
  })

  const questions = everyMetric(LAST_YEAR)
  it.each(questions.filter(({ isCached }) => isCached))(
    'answers $name as one database with both tenants does',
    async ({ ask }) => {
      expect(bodyOf(await ask(several))).toBe(bodyOf(await ask(one)))
    },
  )

  it.each(questions.filter(({ isCached }) => !isCached))('refuses $name, which no publication holds', async ({ ask }) => {
    await expect(ask(several)).rejects.toMatchObject({ code: 'unsupported_by_connector' })
  })

  it.each([{ dimensions: ['tenant'] }, { dimensions: ['tenant', 'plan_id'] }, { filters: { tenant: 'beta' } }])(
    'answers MRR by %j as one database does',
    async (spec) => {
      const ask = async (engine: Engine) => (await engine.query('mrr', { query_type: 'series', ...LAST_YEAR }, spec)).data
      const answer = bodyOf(await ask(several))
      expect(answer).toBe(bodyOf(await ask(one)))
      expect(answer.length).toBeGreaterThan(500)
    },
  )

  it('names its sources by database, and leaves its held tables and nothing else', async () => {
    expect(failures).toEqual([])
    expect(new Set(Object.keys(made.versions).map((name) => name.split('/')[0]))).toEqual(new Set(['eu', 'us']))
    expect(Object.values(made.versions).every((version) => /^\d+$/.test(version ?? ''))).toBe(true)
    const found = await run(`select table_name from lake.information_schema.tables where table_schema = '${place.schema}'`)
    const expected = [
      'plumbline_publications',
      tableOf(made.id, 'opening'),
      ...publishedRelations(optionsOf([databaseOf('eu', 0), databaseOf('us', 1)])).map(({ relation }) =>
        tableOf(made.id, 'held', relation),
      ),
    ]
    expect(found.map((row) => row['table_name']).sort()).toEqual(expected.sort())
  })

  it('shows its statements before it runs them', async () => {
    const { statements, versions } = await lakeOf().plan(STOP)
    const ofId = (text: string) => text.replace(/p\d+_[0-9a-f]{4}_/g, '')
    const tables = statements.map(({ table }) => ofId(table))
    expect(tables.filter((table) => table === 'held_movement')).toHaveLength(2)
    expect(tables).toEqual(expect.arrayContaining(['0_raw_accounts', '1_raw_accounts', '0_held_movement', '1_held_movement']))
    expect(Object.keys(versions)).toEqual(Object.keys(made.versions))
  })

  it('finds customers of both by their external key, and keeps their attributes apart', async () => {
    const customers = ((await one.list('customers', { limit: '1000' })).data as { readonly rows: readonly Customer[] }).rows
    const paying = (tenant: string) => customers.find((row) => row.tenant === tenant && (row.mrr_base_cents ?? 0) > 0)
    const [north, south] = [paying('alpha'), paying('beta')]
    const file = `customer_id,team\n${north?.external_key},north\n${south?.external_key},south\n`
    const imported = await several.attributes.import(oneChunk(file), { id_column: 'customer_id', id_kind: 'external' })
    expect(imported).toMatchObject({ rows_read: 2, rows_upserted: 2, unknown_customers: [], keys_created: ['team'] })
    const spec = { dimensions: ['tenant', 'attr.team'] }
    const rows = (await several.query('mrr', { query_type: 'current', at: LAST_YEAR.end }, spec)).data as readonly Row[]
    expect(rows.filter((row) => row['attr.team'] !== null)).toEqual([
      { tenant: 'alpha', 'attr.team': 'north', mrr: north?.mrr_base_cents },
      { tenant: 'beta', 'attr.team': 'south', mrr: south?.mrr_base_cents },
    ])
    const ofEngine = async (engine: Engine) => (await engine.attributes.list()).filter(({ editable }) => !editable)
    expect(await ofEngine(several)).toEqual(await ofEngine(one))
  })

  it.each([
    ['mrr', { query_type: 'current', at: LAST_YEAR.end }],
    ['mrr', { query_type: 'breakdown', movement_type: 'churn', ...LAST_YEAR }],
    ['usage_revenue', { query_type: 'total', ...LAST_YEAR }],
  ])('shows the rows of the databases behind %s', async (metric, params) => {
    const ask = async (engine: Engine) => (await engine.metricRows(metric, { ...params, limit: '1000' })).data as Behind
    const [ofSeveral, ofOne] = [await ask(several), await ask(one)]
    // The key of a charge in the second database is a large number, and lower by one than in the recording.
    const shown = ({ rows }: Behind) =>
      rows.map(({ document_id, evidence, ...row }) => [row, evidence.map(({ table, note }) => [table, note])])
    expect(shown(ofSeveral)).toEqual(shown(ofOne))
    expect(ofOne.rows.some(({ evidence }) => evidence.length > 0)).toBe(true)
  })

  it('refuses questions that publications do not answer, and says why', async () => {
    await expect(several.list('invoices', {}, {})).rejects.toMatchObject({ code: 'unsupported_by_connector' })
    await expect(several.query('mrr', { query_type: 'current', at: '2027-02-01', forecast: 'true' }, {})).rejects.toMatchObject({
      code: 'unsupported_by_connector',
      message: expect.stringContaining('several databases'),
    })
    expect(await several.tenants()).toEqual(await one.tenants())
    const { explanation } = await several.query('mrr', { query_type: 'current', at: LAST_YEAR.end, explain: 'true' }, {})
    expect(explanation).toMatchObject({ answered_by: 'cache', replica_sql: [], excluded: { test_accounts: null } })
  })

  it('is checked database by database', async () => {
    const found = await several.check()
    for (const name of ['eu', 'us'])
      expect(found.filter(({ message }) => message.startsWith(`${name}: `)).length).toBeGreaterThan(2)
    expect(found.filter(({ level }) => level === 'failure')).toEqual([])
  })

  it('is refused if two databases have the same tenant, and the earlier one stays', async () => {
    const twice = [databaseOf('eu', 0), { ...databaseOf('eu', 0), name: 'again', number: 1 }]
    await expect(publish(optionsOf(twice), STOP)).rejects.toMatchObject({
      problems: [expect.stringMatching(/"eu" and "again" have the same tenant alpha/)],
    })
    const publications = createPublications(writer, place)
    expect(await publications.list()).toEqual([made])
    expect(await publications.abandoned()).toEqual([])
  })
})

interface Customer {
  readonly external_key: string | null
  readonly tenant: string
  readonly mrr_base_cents: number | null
}

interface Behind {
  readonly rows: readonly {
    readonly document_id: string | null
    readonly evidence: readonly { readonly table: string; readonly note: string }[]
  }[]
}

async function* oneChunk(text: string): AsyncGenerator<string> {
  yield text
}
