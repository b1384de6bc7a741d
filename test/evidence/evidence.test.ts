import { afterAll, beforeAll, expect, it } from 'vitest'
import { createQueryRunner, ident, sql, value } from '../../src/connector-kit/query-runner.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { cachedEngineOver } from '../support/product/counted-cache.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

interface Evidence {
  readonly table: string
  readonly record_id: number
  readonly id: string | null
  readonly note: string
}

type Rows = readonly {
  readonly evidence?: readonly Evidence[]
  readonly occurred_at: string | null
  readonly quantity_after?: number | null
  readonly unit_price_before_cents: number | null
  readonly unit_price_after_cents: number | null
}[]

type Found = Readonly<Record<string, unknown>>

const RANGE = { start: '2025-10-01', end: '2026-03-31' }

/** The day of a row that its sentence names, by table. Other tables have other sentences. */
const DAYS: Readonly<Record<string, string>> = {
  subscription_events: 'effective_date',
  blocking_states: 'effective_date',
  invoices: 'invoice_date',
  invoice_items: 'start_date',
  accounts: 'created_date',
  invoice_payments: 'payment_date',
  tags: 'created_date',
}

/** Months of the billing periods of the recorded plans. */
const MONTHS: Readonly<Record<string, number>> = {
  WEEKLY: 12 / 52,
  BIWEEKLY: 24 / 52,
  THIRTY_DAYS: 360 / 365,
  THIRTY_ONE_DAYS: 372 / 365,
  SIXTY_DAYS: 720 / 365,
  MONTHLY: 1,
  BIMESTRIAL: 2,
  QUARTERLY: 3,
  TRIANNUAL: 4,
  BIANNUAL: 6,
  ANNUAL: 12,
  BIENNIAL: 24,
}
const PRICE = /^price (\S+) ([A-Z]{3}) ([A-Z_]+) /

/** The statements of a sentence that its row does not make. Empty if they agree. */
function differences({ table, note }: Evidence, row: Found): readonly string[] {
  const said = (isSo: boolean | undefined, what: string) => (isSo === true ? [] : [`${table}: ${note}: ${what}`])
  const number = (column: string) => Number(row[column])
  const [, price = '', currency = ''] = PRICE.exec(note) ?? []
  switch (table) {
    case 'tenant_kvs': {
      const catalog = String(row['tenant_value'])
      const [, phase = ''] = / of phase (\S+)-[a-z]+ in the catalog/.exec(note) ?? []
      const [, day = ''] = / in the catalog of (\d{4}-\d{2}-\d{2})/.exec(note) ?? []
      const listed = [...catalog.matchAll(/<currency>([A-Z]{3})<\/currency>\s*<value>([\d.]+)<\/value>/g)]
      const hasPrice = listed.some(([, own, value]) => own === currency && Number(value) === Number(price))
      const isThere = catalog.includes(`<effectiveDate>${day}`) && catalog.includes(`<plan name="${phase}"`) && hasPrice
      return said(isThere, 'not in the catalog')
    }
    case 'catalog_override_phase_definition':
      return said(
        number('recurring_price') === Number(price) &&
          row['currency'] === currency &&
          note.endsWith(String(row['parent_phase_name'])),
        String(row['recurring_price']),
      )
    case 'invoice_payments':
      return said(Math.abs(number('amount')) === Number(/ of (\S+) /.exec(note)?.[1]), String(row['amount']))
    case 'invoice_items':
      return said(number('amount') === Number(/ item of (\S+) /.exec(note)?.[1]), String(row['amount']))
    case 'custom_fields':
      return said(note === `reason ${row['field_value']} (custom field ${row['field_name']})`, String(row['field_value']))
    case 'audit_log':
      return said(note.startsWith(`reason code ${row['reason_code']} of the CANCEL on `), String(row['reason_code']))
    case 'tags':
      return said(String(row['tag_definition_id']).endsWith('4') && row['object_type'] === 'INVOICE', 'another tag')
    default:
      return []
  }
}

const NUMBERS = [
  ['levels', 'mrr', { at: '2026-03-31' }],
  ['churn', 'mrr', { query_type: 'breakdown', ...RANGE, movement_type: 'churn' }],
  ['expansion', 'mrr', { query_type: 'breakdown', ...RANGE, movement_type: 'expansion' }],
  ['customers', 'churn', { ...RANGE, measure: 'active_at_start' }],
  ['trials', 'trials', { ...RANGE, measure: 'converted' }],
  ['usage', 'usage_revenue', RANGE],
  ['usage MRR', 'mrr', { query_type: 'components', at: '2026-03-31', measure: 'usage_mrr' }],
  ['contraction', 'mrr', { query_type: 'breakdown', ...RANGE, movement_type: 'contraction' }],
  ['invoices', 'ltv', { query_type: 'cohort', ...RANGE, cohort_month: '2025-10-01' }],
  ['churned customers', 'churn', { ...RANGE, measure: 'churn_count' }],
  ['lost MRR', 'churn', { query_type: 'revenue', ...RANGE, measure: 'revenue_lost' }],
] as const

firstEngineAndOneOther('evidence on recorded data', (target) => {
  let database: TestDatabase
  let engine: Engine
  beforeAll(async () => {
    database = await sharedReal(target)
    engine = await engineOver(database, { tenant: ['all'] })
  })
  afterAll(async () => {
    await engine.close()
    await database.drop()
  })

  it.each(NUMBERS)('of %s is there for every row, and says what the row of the database says', async (_, metric, params) => {
    const { data } = await engine.metricRows(metric, { ...params, limit: '40' })
    const { rows } = data as { readonly rows: Rows }
    expect(rows.length).toBeGreaterThan(0)
    const all = rows.flatMap(({ evidence = [] }) => evidence)
    expect(rows.filter(({ evidence = [] }) => evidence.length === 0)).toEqual([])
    const executor = database.executor()
    try {
      await executor.withSnapshot(async (snapshot) => {
        const run = createQueryRunner(snapshot)
        for (const table of new Set(all.map((one) => one.table))) {
          const own = all.filter((one) => one.table === table)
          const ids = value([...new Set(own.map(({ record_id }) => record_id))], 'integers')
          const found = await run(
            'test.evidence',
            sql`select source.* from ${ident(table)} as source where source.record_id in (${ids})`,
          )
          const byId = new Map(found.map((row) => [Number(row['record_id']), row]))
          for (const one of own) {
            const { record_id, id, note } = one
            const row = byId.get(record_id)
            expect(row, `${table} ${record_id}`).toBeDefined()
            expect(differences(one, row ?? {})).toEqual([])
            const day = row?.['type'] === 'ITEM_ADJ' ? 'created_date' : DAYS[table]
            if (day !== undefined) expect(note).toContain(String(row?.[day]).slice(0, 10))
            if (id !== null) expect(row?.['id']).toBe(id)
            const quantity = /quantity (\d+)/.exec(note)?.[1]
            if (quantity !== undefined)
              expect([row?.['event_type'], Number(row?.['quantity'])]).toEqual(['QUANTITY_UPDATE', Number(quantity)])
            const plan = /plan (\S+)/.exec(note)?.[1]?.replace(/,$/, '')
            if (table === 'subscription_events' && plan !== undefined) expect(row?.['plan_name']).toBe(plan)
          }
        }
      })
    } finally {
      await executor.close()
    }
  })

  it('names the event that set the quantity of a level, and none where it is the usual one', async () => {
    const { data } = await engine.metricRows('mrr', { at: '2026-03-31', limit: '200' })
    const { rows } = data as { readonly rows: Rows }
    const named = rows.map(({ evidence = [] }) => evidence.flatMap(({ note }) => /quantity (\d+)/.exec(note)?.[1] ?? []))
    expect(rows.filter(({ quantity_after }) => Number(quantity_after) > 1).length).toBeGreaterThan(50)
    for (const [index, { quantity_after }] of rows.entries()) {
      const last = named[index]?.at(-1)
      expect([last ?? '1', rows[index]]).toEqual([String(quantity_after), rows[index]])
    }
  })

  it('states the price that each subscription has, and the price before it if a change changed it', async () => {
    const levels = await engine.metricRows('mrr', { at: '2026-03-31', limit: '200' })
    const changes = { query_type: 'breakdown', start: '2025-01-01', end: '2026-03-31', measure: 'event_count', limit: '200' }
    const moved = await engine.metricRows('mrr', { ...changes, movement_type: 'expansion' })
    const monthly = (found: readonly string[]) => {
      const [, price = '', , period = ''] = found
      return (100 * Number(price)) / (MONTHS[period] ?? Number.NaN)
    }
    let overrides = 0
    for (const row of [...(levels.data as { rows: Rows }).rows, ...(moved.data as { rows: Rows }).rows]) {
      const { evidence = [], unit_price_before_cents, unit_price_after_cents } = row
      const prices = evidence.flatMap(({ note }) => {
        const found = PRICE.exec(note)
        return found === null ? [] : [monthly(found)]
      })
      overrides += evidence.filter(({ table }) => table === 'catalog_override_phase_definition').length
      // Rows without a recurring price rest on usage.
      if ((unit_price_after_cents ?? 0) === 0) continue
      expect(Math.abs((prices.at(-1) ?? Number.NaN) - Number(unit_price_after_cents)), JSON.stringify(row)).toBeLessThanOrEqual(1)
      if (unit_price_before_cents === null || unit_price_before_cents === 0) continue
      expect(Math.abs((prices[0] ?? Number.NaN) - unit_price_before_cents), JSON.stringify(row)).toBeLessThanOrEqual(1)
    }
    expect(overrides).toBeGreaterThan(0)
  })

  it('is the same for an answer from the cache', async () => {
    const { engine: cached, cache } = await cachedEngineOver(database, { tenant: ['all'] })
    try {
      await cache.ready()
      const params = { query_type: 'breakdown', ...RANGE, movement_type: 'new', limit: '20' }
      const { data } = await cached.metricRows('mrr', params)
      expect(cache.answered()).toBe(1)
      expect(data).toEqual((await engine.metricRows('mrr', params)).data)
    } finally {
      await cached.close()
    }
  })

  it('names the plan of an event that belongs to another subscription of the bundle', async () => {
    const params = { query_type: 'breakdown', start: '2026-10-01', end: '2026-10-31', movement_type: 'churn', limit: '40' }
    const { rows } = (await engine.metricRows('mrr', params)).data as { readonly rows: Rows }
    const ofCancels = rows.map(({ evidence = [] }) =>
      evidence.filter(({ note }) => note.startsWith('CANCEL on 2026-10-16')).map(({ note }) => note),
    )
    expect(ofCancels).toContainEqual([
      'CANCEL on 2026-10-16, of another subscription of the bundle (basic-monthly)',
      'CANCEL on 2026-10-16',
    ])
  })

  it('of a customer names the plan of each event', async () => {
    const params = { start: '2026-10-01', end: '2026-10-31', measure: 'churn_count', limit: '40' }
    const { rows } = (await engine.metricRows('churn', params)).data as { readonly rows: Rows }
    const notes = rows
      .flatMap(({ evidence = [] }) => evidence)
      .flatMap(({ table, note }) => (table === 'subscription_events' ? note : []))
    expect(notes).toContain('CANCEL on 2026-10-15, of basic-monthly')
    expect(notes.filter((note) => !/, of \S+$/.test(note))).toEqual([])
  })
})
