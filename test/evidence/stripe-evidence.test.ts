import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Evidence } from '../../src/connector-kit/evidence.ts'
import { createQueryRunner, sql } from '../../src/connector-kit/query-runner.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedEast } from '../support/data/stripe/east-database.ts'
import { onPostgres, type TestDatabase } from '../support/databases/targets.ts'
import { stripeEngine } from '../support/product/stripe-engine.ts'

interface CountedRow {
  readonly evidence?: readonly Evidence[]
  readonly subscription_id: string | null
  readonly document_id: string | null
  readonly occurred_at: string | null
  readonly movement_type: string | null
  readonly reason: string | null
  readonly usage_note: string | null
  readonly usage_mrr_after_cents: number | null
}

interface Document {
  readonly [name: string]: unknown
  readonly id: string
}

const RANGE = { start: '2025-10-01', end: '2026-03-31' }
const ALL = { start: '2024-12-01', end: '2026-11-20' }

const NUMBERS = [
  ['levels', 'mrr', { at: '2026-03-31' }],
  ['levels of now', 'mrr', { at: '2026-11-20' }],
  ['churn', 'mrr', { query_type: 'breakdown', ...ALL, movement_type: 'churn' }],
  ['expansion', 'mrr', { query_type: 'breakdown', ...RANGE, movement_type: 'expansion' }],
  ['contraction', 'mrr', { query_type: 'breakdown', ...ALL, movement_type: 'contraction' }],
  ['customers', 'churn', { ...RANGE, measure: 'active_at_start' }],
  ['churned customers', 'churn', { ...ALL, measure: 'churn_count' }],
  ['trials', 'trials', { ...ALL, measure: 'converted' }],
  ['usage', 'usage_revenue', RANGE],
  ['invoices', 'ltv', { query_type: 'cohort', ...RANGE, cohort_month: '2025-10-01' }],
] as const

const MINOR: Readonly<Record<string, number>> = { jpy: 1, kwd: 1000 }

const day = (seconds: unknown) => new Date(Number(seconds) * 1000).toISOString().slice(0, 10)
const money = (amount: unknown, currency: unknown) =>
  `${Number(amount) / (MINOR[String(currency)] ?? 100)} ${String(currency).toUpperCase()}`
const priceOf = (part: Document) =>
  (part['price'] as Document | null)?.id ?? (part['pricing'] as { price_details: { price: string } }).price_details.price

/** Values of a document, or of a part of one, that its sentence must name. */
const NAMED: Readonly<Record<string, (document: Document) => readonly unknown[]>> = {
  subscriptions: ({ start_date, ended_at, status, canceled_at }) => [
    day(start_date),
    status,
    ...(ended_at === null ? [] : [day(ended_at)]),
    ...(canceled_at === null ? [] : [day(canceled_at)]),
  ],
  'subscriptions.items': (item) => [priceOf(item), item['quantity'] ?? 1, day(item['created'])],
  prices: ({ billing_scheme, nickname, unit_amount_decimal, currency }) => [
    nickname ?? '',
    billing_scheme === 'tiered' ? 'has tiers' : money(unit_amount_decimal, currency),
  ],
  invoices: ({ number, created, total, currency, status, status_transitions }) => [
    number ?? 'invoice',
    day(created),
    money(total, currency),
    status === 'paid' ? `paid on ${day((status_transitions as Document)['paid_at'])}` : status,
  ],
  'invoices.lines': (line) => {
    const { start, end } = line['period'] as { readonly start: number; readonly end: number }
    return [priceOf(line), line['quantity'] ?? 1, money(line['amount'], line['currency']), `from ${day(start)} to ${day(end)}`]
  },
  customers: ({ created, deleted }) => [day(created), deleted === true ? 'deleted' : 'customer'],
}

onPostgres('evidence on a mirrored Stripe account', (target) => {
  let database: TestDatabase
  let engine: Engine
  let documents: ReadonlyMap<string, Document>
  beforeAll(async () => {
    database = await sharedEast(target)
    engine = await stripeEngine(database, { onCache: () => {} })
    documents = await readDocuments(database)
  })
  afterAll(() => engine.close())
  const rowsOf = async (metric: string, params: object, limit = '60') =>
    ((await engine.metricRows(metric, { ...params, limit })).data as { readonly rows: readonly CountedRow[] }).rows

  it.each(NUMBERS)('of %s is there for every row, and says what the document says', async (_, metric, params) => {
    const rows = await rowsOf(metric, params)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter(({ evidence = [] }) => evidence.length === 0)).toEqual([])
    for (const { evidence = [] } of rows) {
      const keys = evidence.map(({ table, id }) => `${table} ${id}`)
      expect(new Set(keys).size).toBe(keys.length)
      for (const { table, id, note, record_id } of evidence) {
        expect(record_id).toBeNull()
        const document = documents.get(`${table} ${id}`)
        expect([table, id, document]).not.toEqual([table, id, undefined])
        for (const value of NAMED[table]?.(document ?? { id: '' }) ?? ['a table without a check'])
          expect(note).toContain(String(value))
      }
    }
  })

  it('names the lines that move a subscription, also one without a row', async () => {
    const params = { query_type: 'breakdown', ...ALL }
    const moved = [
      ...(await rowsOf('mrr', { ...params, movement_type: 'expansion' }, '1000')),
      ...(await rowsOf('mrr', { ...params, movement_type: 'contraction' }, '1000')),
    ].filter(({ reason }) => reason === 'plan' || reason === 'quantity')
    expect(moved.length).toBeGreaterThan(50)
    const at = (row: CountedRow) => (row.evidence ?? []).filter(({ occurred_at }) => occurred_at === row.occurred_at)
    const stated = moved.filter((row) => at(row).some(({ table }) => table === 'invoices.lines'))
    // The row of today states the others, which no invoice bills yet.
    const others = moved.filter((row) => !stated.includes(row))
    expect(stated.length).toBeGreaterThan(others.length * 5)
    expect(others.filter(({ evidence = [] }) => !evidence.some(({ table }) => table.startsWith('subscriptions')))).toEqual([])
    const rowless = (await rowsOf('mrr', { ...params, movement_type: 'churn' }, '1000')).filter(
      ({ subscription_id }) => !documents.has(`subscriptions ${subscription_id}`),
    )
    expect(rowless.length).toBeGreaterThan(5)
    for (const { evidence = [] } of rowless) expect(evidence.map(({ table }) => table)).toContain('invoices.lines')
  })

  it('lists the lines of the usage part of MRR, which add up to it', async () => {
    const rows = await rowsOf('mrr', { query_type: 'components', at: '2026-03-31', measure: 'usage_mrr' })
    expect(rows.length).toBeGreaterThan(3)
    for (const { usage_note, usage_mrr_after_cents, evidence = [] } of rows) {
      const counted = evidence.flatMap(({ note }) => /, counts (\S+) [A-Z]{3}$/.exec(note)?.[1] ?? [])
      const sum = counted.reduce((total, amount) => total + Math.round(100 * Number(amount)), 0)
      const months = new Set(usage_note?.match(/\d{4}-\d{2}(?=,| and|$)/g)).size
      expect([usage_note, Math.floor(sum / months)]).toEqual([usage_note, usage_mrr_after_cents])
    }
  })

  it('is the same if no cache gives the answer', async () => {
    const straight = await stripeEngine(database)
    const asked = { query_type: 'breakdown', ...RANGE, movement_type: 'expansion', limit: '20' }
    expect((await straight.metricRows('mrr', asked)).data).toEqual((await engine.metricRows('mrr', asked)).data)
    await straight.close()
  })
})

/** All documents and their parts, by table and id. */
async function readDocuments(database: TestDatabase): Promise<ReadonlyMap<string, Document>> {
  const executor = database.executor({ schema: 'stripe' })
  const found = new Map<string, Document>()
  try {
    await executor.withSnapshot(async (snapshot) => {
      const run = createQueryRunner(snapshot)
      const add = (table: string, document: Document) => found.set(`${table} ${document.id}`, document)
      for (const [table, statement] of [
        ['customers', sql`select cast(t._raw_data as text) as document from customers as t`],
        ['prices', sql`select cast(t._raw_data as text) as document from prices as t`],
        ['subscriptions', sql`select cast(t._raw_data as text) as document from subscriptions as t`],
        ['invoices', sql`select cast(t._raw_data as text) as document from invoices as t`],
      ] as const)
        for (const row of await run('test.documents', statement)) {
          const document = JSON.parse(String(row['document'])) as Document
          add(table, document)
          for (const list of ['items', 'lines'] as const)
            for (const part of (document[list] as { readonly data: readonly Document[] } | undefined)?.data ?? [])
              add(`${table}.${list}`, part)
        }
    })
  } finally {
    await executor.close()
  }
  return found
}
