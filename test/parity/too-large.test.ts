import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fixedClock } from '../../src/core/clock.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import type { AppError } from '../../src/core/errors.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { createApp } from '../../src/facades/http/app.ts'
import { startServer } from '../../src/facades/http/server.ts'
import { runProduct } from '../cli/run-product.ts'
import { killbillDatabase } from '../support/data/killbill/killbill-database.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'
import { cacheOver, engineOver } from '../support/product/recorded-engine.ts'

const NOW = new Date('2024-06-15T00:00:00Z')
const CASE = readFileSync(join(packageRoot(), 'fixtures/killbill/sum-beyond-2-53.sql'), 'utf8')
const STATEMENTS = CASE.split('\n').filter((line) => line.startsWith('insert'))
/** One subscription, whose quantity was a slip of the keyboard in April. */
const RANGE = { start: '2024-03-01', end: '2024-05-31' }

type Request = readonly [metric: string, params: Readonly<Record<string, string>>, spec?: Readonly<Record<string, unknown>>]

/** Requests that contain the amount. */
const REFUSED: readonly Request[] = [
  ['mrr', { at: '2024-04-30' }],
  ['mrr', { at: '2024-04-30' }, { dimensions: ['plan_id'] }],
  ['mrr', { at: '2024-04-30' }, { dimensions: ['currency'] }],
  ['mrr', { at: '2024-04-30', compare_to: 'previous' }],
  ['mrr', { query_type: 'arr', at: '2024-04-30' }],
  ['mrr', { query_type: 'components', at: '2024-04-30' }],
  ['mrr', { query_type: 'series', ...RANGE }],
  ['mrr', { query_type: 'series', ...RANGE, granularity: 'day' }, { dimensions: ['tenure_months'] }],
  ['mrr', { query_type: 'breakdown', ...RANGE }],
  ['mrr', { query_type: 'waterfall', ...RANGE }],
  ['mrr', { query_type: 'why', ...RANGE }],
  ['churn', { query_type: 'revenue', start: '2024-05-01', end: '2024-05-31' }],
  ['churn', { query_type: 'detail', start: '2024-05-01', end: '2024-05-31' }],
  ['retention', { query_type: 'nrr', ...RANGE }],
  ['retention', { query_type: 'nrr', start: '2024-05-01', end: '2024-05-31' }],
  ['ltv', { query_type: 'arpu', at: '2024-04-30' }],
  ['summary', { end: '2024-04-30' }],
]
/** Requests without that amount. */
const ANSWERED: readonly (readonly [metric: string, params: Readonly<Record<string, string>>, answer: unknown])[] = [
  ['mrr', { at: '2024-03-31' }, 99_999_999],
  ['mrr', { query_type: 'arr', at: '2024-03-31' }, 1_199_999_988],
  ['churn', { ...RANGE }, 0],
  ['churn', { query_type: 'revenue', start: '2024-02-01', end: '2024-03-31' }, 0],
  ['retention', { query_type: 'nrr', start: '2024-02-01', end: '2024-03-31' }, 1],
  ['trials', { ...RANGE }, null],
  ['usage_revenue', { ...RANGE }, 0],
]

/** An engine that asks the database, and one with a cache. */
async function bothEngines(database: TestDatabase): Promise<readonly [direct: Engine, cached: Engine]> {
  const definitions = definitionsSchema.parse({ base_currency: 'USD' })
  return [
    await engineOver(database, { now: NOW }),
    await engineOver(database, {
      now: NOW,
      cache: (executor, connector) => cacheOver(executor, connector, { clock: fixedClock(NOW), definitions }),
    }),
  ]
}

describeTargets('a sum beyond 2^53', (target) => {
  let database: TestDatabase
  let direct: Engine
  let cached: Engine
  beforeAll(async () => {
    database = await killbillDatabase(target)
    for (const statement of STATEMENTS) await database.adminQuery(statement.replace(/;$/, ''))
    ;[direct, cached] = await bothEngines(database)
  })
  afterAll(async () => {
    await Promise.all([direct, cached].map((engine) => engine.close()))
  })

  const refusal = async (answer: Promise<unknown>) => {
    const found = await answer.then(
      (data) => ({ data }),
      (error: AppError) => error,
    )
    if (!('code' in found)) throw new Error(`answered ${JSON.stringify(found)}`)
    return found
  }

  it.each(REFUSED.map(([metric, params, spec = {}]) => ({ metric, params, spec })))(
    'refuses $metric $params $spec, and names measure and row',
    async ({ metric, params, spec }) => {
      for (const engine of [direct, cached]) {
        const error = await refusal(engine.query(metric, params, spec))
        expect(error).toMatchObject({ code: 'result_too_large', context: { measure: expect.any(String), limit: 2 ** 53 - 1 } })
        expect(error.message).toContain(JSON.stringify(error.context['measure']))
      }
    },
  )

  it('says of which group', async () => {
    const error = await refusal(direct.query('mrr', { at: '2024-04-30' }, { dimensions: ['plan_id'] }))
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /^"subscription_base_cents" of currency "USD", plan_id "q-monthly" is beyond 9007199254740991,/,
      ),
      context: { row: { currency: 'USD', plan_id: 'q-monthly' } },
    })
  })

  it.each(ANSWERED)('still answers %s %j', async (metric, params, answer) => {
    for (const engine of [direct, cached]) expect((await engine.query(metric, params, {})).data).toEqual(answer)
  })

  it('refuses lists with the row, and rows for programs', async () => {
    for (const name of ['customers', 'subscriptions']) {
      const error = await refusal(direct.list(name as 'customers', {}, {}))
      expect(error).toMatchObject({ code: 'result_too_large', context: { measure: 'mrr_cents' } })
      expect(JSON.stringify(error.context['row'])).toMatch(
        /618192f9-5eb5-51d0-82f8-3fddef33f041|de9c1c43-d64a-5ae8-8eb6-de0d8774a909/,
      )
    }
    expect(await refusal(direct.rows.getMrrCents('2024-04-30'))).toMatchObject({
      code: 'result_too_large',
      context: { measure: 'mrr_cents', row: { currency: 'USD' } },
    })
    expect((await direct.list('invoices', {}, {})).data).toMatchObject({ total: 0 })
  })

  // Each question by every way: a measure alone, a table, a page of rows, a summary.
  it.each([
    ['/api/metrics/mrr?at=2024-04-30', ['mrr', '--at', '2024-04-30'], {}],
    [
      '/api/metrics/mrr?at=2024-04-30&dimensions=plan_id',
      ['mrr', '--at', '2024-04-30', '--dimension', 'plan_id'],
      { plan_id: 'q-monthly' },
    ],
    ['/api/metrics/summary?end=2024-04-30', ['summary', '--end', '2024-04-30'], {}],
    ['/api/customers', ['customers'], undefined],
  ])('is refused over HTTP in every form, and by the command line: %s', async (path, command, row) => {
    const app = createApp({ engine: direct, version: '0', corsOrigins: [], limits: { body_bytes: 1_000_000 }, log: () => {} })
    const forms = path.includes('/metrics/summary') ? ['json'] : ['json', 'csv', 'xlsx']
    for (const form of forms) {
      const response = await app.request(`${path}${path.includes('?') ? '&' : '?'}format=${form}`)
      expect(response.status, form).toBe(422)
      expect(response.headers.get('content-type')).toContain('json')
      expect(await response.json()).toMatchObject({
        code: 'result_too_large',
        measure: expect.any(String),
        limit: 2 ** 53 - 1,
        ...(row === undefined ? {} : { row }),
      })
    }
    // A command cannot open an embedded database that this process has open.
    if (database.target === 'pglite') return
    const ran = await runProduct(tmpdir(), command, {
      PLUMBLINE_DATABASE_URL: database.url,
      PLUMBLINE_NOW: NOW.toISOString(),
      PLUMBLINE_STORE_URL: 'none',
      PLUMBLINE_DEFINITIONS_BASE_CURRENCY: 'USD',
    })
    expect(ran).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('is beyond 9007199254740991') })
  })

  it('is refused by the tools for models, with its name', async () => {
    const app = createApp({ engine: direct, version: '0', corsOrigins: [], limits: { body_bytes: 1_000_000 }, log: () => {} })
    const server = await startServer(app, { host: '127.0.0.1', port: 0, graceMs: 200 })
    const client = new Client({ name: 'test', version: '0' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)))
    for (const [name, given] of [
      ['query_metric', { metric: 'mrr', at: '2024-04-30' }],
      ['summary', { end: '2024-04-30' }],
      ['list_customers', {}],
    ] as const) {
      const { isError, content } = await client.callTool({ name, arguments: given })
      expect(isError, name).toBe(true)
      expect(JSON.stringify(content), name).toContain('is beyond 9007199254740991')
    }
    await client.close()
    await server.stop()
  })

  it('check lists the subscription, and the log only how many', async () => {
    const finding = (await direct.check()).find(({ name }) => name === 'mrr_amounts')
    expect(finding).toEqual({
      name: 'mrr_amounts',
      level: 'warning',
      message:
        'implausible MRR, at least 1,000 times the median of the plan or over 10^9 a month: 618192f9-5eb5-51d0-82f8-3fddef33f041 (q-monthly, 2147483625525163.53 USD)',
      logged:
        'implausible MRR, at least 1,000 times the median of the plan or over 10^9 a month: 1 amounts; `plumbline check` names the subscriptions',
    })
  })

  it('no database counts further than that in silence', async () => {
    const { dialect } = target
    const executor = (await target.createDatabase()).executor({})
    const sum = { text: 'select 9223372036854775807 + 1 as beyond', values: [], label: 'plumbline mrr.current' }
    const text = dialect.name === 'postgres' ? sum.text.replace('807 +', '807::bigint +') : sum.text
    const error = await refusal(executor.withSnapshot((snapshot) => snapshot.query({ ...sum, text })))
    expect(error).toMatchObject({
      code: 'result_too_large',
      message: expect.stringContaining('"a number of plumbline mrr.current" is beyond 9007199254740991'),
    })
    await executor.close()
  })
})

describeTargets('two amounts below 2^53 whose sum is beyond', (target) => {
  let direct: Engine
  let cached: Engine
  beforeAll(async () => {
    const database = await killbillDatabase(target)
    const small = (line: string) => line.replace(/;$/, '').replace('2147483647', '80000000')
    for (const statement of STATEMENTS) await database.adminQuery(small(statement))
    for (const statement of STATEMENTS.filter((line) => TABLES_OF_CUSTOMER.some((name) => line.includes(`into ${name} `)))) {
      await database.adminQuery(another(small(statement)))
    }
    ;[direct, cached] = await bothEngines(database)
  })
  afterAll(async () => {
    await Promise.all([direct, cached].map((engine) => engine.close()))
  })

  it('is refused by the database and by the cache, and each of the two is answered', async () => {
    for (const engine of [direct, cached]) {
      const refused = engine.query('mrr', { at: '2024-04-30' }, {})
      await expect(refused).rejects.toMatchObject({ code: 'result_too_large', context: { measure: 'subscription_base_cents' } })
      const change = engine.query('mrr', { at: '2024-04-30', compare_to: 'previous' }, { dimensions: ['customer_id'] })
      expect((await change).data).toMatchObject([{ mrr: 7_999_999_920_000_000 }, { mrr: 7_999_999_920_000_000 }])
      const arr = engine.query('mrr', { query_type: 'arr', at: '2024-04-30' }, { dimensions: ['customer_id'] })
      await expect(arr).rejects.toMatchObject({
        message: expect.stringMatching(/^"arr" of customer_id "/),
        context: { measure: 'arr', row: { customer_id: expect.any(String) } },
      })
      const rest = engine.query(
        'mrr',
        { at: '2024-04-30', order: '-mrr', limit: 1, offset: 2, rest: true },
        { dimensions: ['customer_id'] },
      )
      await expect(rest).rejects.toMatchObject({ code: 'result_too_large', context: { measure: 'mrr', row: { row: 'rest' } } })
      expect((await engine.query('churn', RANGE, {})).data).toBe(0)
    }
    expect(cached.statistics().cache).toMatchObject({ status: 'ready', accounts: 2 })
  })
})

const TABLES_OF_CUSTOMER = ['accounts', 'bundles', 'subscriptions', 'subscription_events']

/** The statement with ids and numbers of another customer. */
function another(statement: string): string {
  const ids = statement.replace(/'([0-9a-f])([0-9a-f]{7}-[0-9a-f-]{27})'/g, (whole, first: string, rest: string) =>
    rest === 'x' ? whole : `'${((Number.parseInt(first, 16) + 1) % 16).toString(16)}${rest}'`,
  )
  const numbered = ids.replace(/values \((\d+),/, (_, number: string) => `values (${Number(number) + 10},`)
  const owned = numbered.replace(/,(\d+),1\)$/, (_, account: string) => `,${Number(account) + 10},1)`)
  return owned.replace(/'(a|b|s|a@x)',/g, "'$1-2',")
}
