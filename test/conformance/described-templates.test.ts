import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type * as z from 'zod'
import type { Statement } from '../../src/compiler/statement.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Answer, Engine } from '../../src/engine/engine.ts'
import type { MetricQuery } from '../../src/metrics/define-metric.ts'
import type { Field } from '../../src/query/field.ts'
import { filterableFields, groupableFields, paramsForDays } from '../../src/query/inputs.ts'
import { EXAMPLE_BOOKS } from '../support/data/example-books.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { exampleConnector, SPANS, span } from '../support/data/worked-example.ts'
import { recording } from '../support/databases/recording-executor.ts'
import { everyEngine, sampleOf } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/targets.ts'
import { BILLING_METRICS, OF_THE_STORE } from '../support/product/billing-metrics.ts'
import { CATALOG, exampleEngine } from '../support/product/example-engine.ts'
import { groupedBy } from '../support/product/grouped-by.ts'
import { OPTION_SETS } from '../support/product/option-sets.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { BOOKS, storeWithBooks } from '../support/product/store-with-books.ts'
import { type DescribedColumn, type DescribedType, describeStatement } from './describe-statement.ts'

interface Scope {
  readonly name: 'smallest' | 'largest'
  readonly params: Readonly<Record<string, string>>
  readonly spec: Readonly<Record<string, unknown>>
  readonly dimensions: readonly Field[]
}

const RANGE = { start: '2025-10-17', end: '2026-02-08' }

// Each keeps most rows, so that there is an answer to look at.
const MILD: Readonly<Record<Field['type'], unknown>> = {
  string: { '!=': 'nobody' },
  number: { '>=': 0 },
  boolean: { is_not_empty: true },
  date: { '>': '2020-01-01' },
  timestamp: { '<': '2030-01-01' },
}

function scopesOf(query_type: string, { inputs }: MetricQuery): readonly Scope[] {
  const dimensions = groupableFields(inputs, true)
  const filters = Object.fromEntries(
    filterableFields(inputs, true).map((field) => [
      field.key,
      field.key === 'tenant' ? { not_contains: 'nobody' } : MILD[field.type],
    ]),
  )
  const cut = inputs.step === 'none' ? {} : { [inputs.step]: 'month' }
  const dates: Scope['params'] = paramsForDays(inputs, RANGE)
  return [
    { name: 'smallest', params: { query_type, ...dates }, spec: {}, dimensions: [] },
    {
      name: 'largest',
      params: { query_type, ...('at' in dates ? RANGE : dates), ...cut },
      spec: { ...groupedBy(dimensions.map(({ key }) => key)), filters },
      dimensions,
    },
  ]
}

const OF_FIELD: Readonly<Record<Field['type'], DescribedType>> = {
  string: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
}
const OF_NAME: readonly (readonly [RegExp, DescribedType])[] = [
  [/_at$/, 'timestamp'],
  [/_(month|date|day|on|from)$/, 'date'],
  [/_(cents|count|sum)$/, 'number'],
  [/_(id|name)$/, 'text'],
]

/** The promises of names and dimensions that the database breaks. */
function brokenPromises(columns: readonly DescribedColumn[], dimensions: readonly Field[], hasBooleans: boolean): string[] {
  const names = columns.map(({ name }) => name)
  const twice = names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name} appears twice`)
  const wrong = columns.flatMap(({ name, type }) => {
    const field = dimensions.find(({ key }) => key === name)
    const promised = field === undefined ? OF_NAME.find(([pattern]) => pattern.test(name))?.[1] : OF_FIELD[field.type]
    const expected = promised === 'boolean' && !hasBooleans ? 'number' : promised
    return expected === undefined || expected === type ? [] : [`${name} is ${type}, not ${expected}`]
  })
  return [...twice, ...wrong]
}

function requiredKeys(row: z.ZodObject): string[] {
  return Object.entries(row.shape).flatMap(([key, schema]) => ((schema as z.ZodType).safeParse(undefined).success ? [] : [key]))
}

/** Checks the answer against the zod schemas of its query: the engine has checked the types of the rows already. */
function expectDeclared(answer: Answer, query: MetricQuery, scope: Scope): void {
  if (answer.kind !== 'rows') {
    expect(query.plain.safeParse(answer.data).error).toBeUndefined()
    return
  }
  const row = ('start' in scope.params ? query.series_row : undefined) ?? query.row
  // A series is marked after its rows are read.
  const columns = answer.columns.filter((name) => name !== 'is_partial')
  const keys = scope.dimensions.map(({ key }) => key)
  expect([...Object.keys(row.shape), ...keys]).toEqual(expect.arrayContaining(columns))
  expect(answer.columns).toEqual(expect.arrayContaining([...requiredKeys(row), ...keys]))
}

/** Template of a statement, `metric.query`; a connector's own statements have none. */
function templateOf({ label }: Statement): string | undefined {
  const [name = ''] = label.split(' ')
  return CATALOG.queries().some(({ metric, query }) => `${metric}.${query}` === name) ? name : undefined
}

const GHOST = span('S1', 1, '2025-01-05', null, null, { is_unpriced: true, plan: 'legacy-gold' })

/** Asks everything else that has templates, and the statements that only a missing price needs. */
async function askEverythingElse(engine: Engine, unpriced: Engine, allowing: Engine): Promise<void> {
  const { rows } = await engine.list('customers', { limit: 1 }).then(({ data }) => data as { rows: { id: string }[] })
  await engine.customer(rows[0]?.id ?? '')
  await engine.list('subscriptions', { limit: 3 })
  await engine.list('invoices', { limit: 3 })
  await engine.invoiceAges()
  await engine.billingHealth()
  await engine.billingFindings({ start: RANGE.start, end: RANGE.end })
  await engine.billingNotices({}, { filters: { billing_period: 'ANNUAL' } })
  await engine.renewals()
  await engine.billings()
  const open = await engine
    .ledgerList('open_invoices', { limit: 1 })
    .then(({ data }) => data as { rows: { invoice_id: string }[] })
  await engine.ledgerList('schedule', { invoice_id: open.rows[0]?.invoice_id ?? '' })
  await engine.summary({ end: RANGE.end })
  await engine.summary({ forecast: 'true' })
  await engine.attributes.page({ limit: 3 })
  await engine.attributes.values('tier')
  await engine.segmentFields()
  await engine.attributes.values('computed.mrr_band')
  await engine.attributes.values('computed.tenure_months')
  await engine.attributes.import(rowsOf('customer_id,seats\nnobody,1\n'), {})
  await engine.rows.getActiveSubscriptions(RANGE.end)
  await engine.rows.getMrrUsdCents(RANGE.end)
  await engine.rows.getSubscriptionChanges(RANGE.end, RANGE.end)
  await engine.rows.getCustomers(RANGE.end)
  await engine.rows.getInvoices(RANGE.end, RANGE.end)
  await engine.check()
  await engine.verification.run({ ...RANGE, check: ['books_by_record'] })
  await allowing.query('mrr', { at: '2025-03-31', explain: 'true' })
  await engine.query('mrr', { query_type: 'waterfall', ...RANGE, definitions: 'revalued' })
  await expect(unpriced.query('mrr', { at: '2025-03-31' })).rejects.toMatchObject({ code: 'unpriced_plan' })
}

async function* rowsOf(csv: string): AsyncGenerator<string> {
  yield csv
}

const RATES = join(packageRoot(), 'fixtures', 'killbill', 'real', 'expected', 'fx.csv')

/** Templates of the rows behind a number. Their columns follow from the number, and `test/evidence` asks them on every engine. */
const OF_ANY_NUMBER = 'evidence'

/** Columns by statement, as each database describes them. */
const described = new Map<string, Map<string, string>>()

everyEngine('every statement, described', (target) => {
  let database: TestDatabase
  let engine: Engine
  const templates = new Set<string>()
  const known = new Map<string, readonly DescribedColumn[]>()
  const hasBooleans = target.dialect.hasBooleans
  beforeAll(async () => {
    database = await sharedReal(target)
    // The small tenant is as good: a column is what it is however many rows there are.
    engine = await engineOver(database, { tenant: ['beta'] })
  })
  afterAll(() => engine.close())

  const expectPromises = async (name: string, statements: readonly Statement[], dimensions: readonly Field[]) => {
    for (const [index, statement] of statements.entries()) {
      // Metrics share statements; what they ask for by their values does not change a column.
      const columns = known.get(statement.text) ?? (await describeStatement(database, statement))
      known.set(statement.text, columns)
      expect(brokenPromises(columns, dimensions, hasBooleans), `${name}: ${statement.label}`).toEqual([])
      const neutral = columns.map((column) => `${column.name} ${column.type === 'boolean' ? 'number' : column.type}`)
      const key = `${name} ${index} ${templateOf(statement)}`
      described.set(key, (described.get(key) ?? new Map()).set(target.name, neutral.join(', ')))
      templates.add(templateOf(statement) ?? '')
    }
  }

  const QUERIES = BILLING_METRICS.flatMap(({ name: metric, queries }) =>
    Object.entries(queries).map(([name, query]) => ({ metric, name, query })),
  )
  const answered = new Set(sampleOf(target, QUERIES))

  // Columns are described on every engine; of the answers, which the engine makes of them alike, the second one gives a share.
  it.each(QUERIES)('$metric $name in the smallest and the largest scope', async (asked) => {
    const { metric, name, query } = asked
    for (const scope of scopesOf(name, query)) {
      const statements = await engine.compile(metric, scope.params, scope.spec)
      expect(statements.length).toBeGreaterThan(0)
      await expectPromises(`${metric}.${name} ${scope.name}`, statements, scope.dimensions)
      if (answered.has(asked)) expectDeclared(await engine.query(metric, scope.params, scope.spec), query, scope)
    }
  })

  it('lists, summary and contract rows; and no template is left out', async () => {
    const seen = recording(database.executor())
    const { store, remove } = await storeWithBooks(EXAMPLE_BOOKS, readFileSync(RATES, 'utf8'))
    const real = await engineOver(
      { ...database, executor: () => seen.executor },
      {
        tenant: ['beta'],
        store,
        workspace: BOOKS,
        sets: OPTION_SETS,
      },
    )
    const connector = exampleConnector({ spans: [GHOST, ...SPANS.slice(1)] })
    const allowing = exampleEngine(seen.executor, { connector, options: { allow_unpriced: true } })
    await askEverythingElse(real, exampleEngine(seen.executor, { connector }), allowing).finally(remove)
    const statements = seen.statements.filter((statement) => templateOf(statement) !== undefined)
    await expectPromises('beside the metrics', statements, [])
    const all = CATALOG.queries()
      .filter(({ metric }) => metric !== OF_THE_STORE && metric !== OF_ANY_NUMBER)
      .map(({ metric, query }) => `${metric}.${query}`)
    expect([...templates].filter((name) => name !== '').sort()).toEqual(all.sort())
  })
})

describe('the descriptions', () => {
  it('are the same on every database', () => {
    const different = [...described].filter(([, byTarget]) => new Set(byTarget.values()).size > 1)
    expect(different.map(([name, byTarget]) => [name, Object.fromEntries(byTarget)])).toEqual([])
  })
})
