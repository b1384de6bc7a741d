import { afterAll, beforeAll, expect, it } from 'vitest'
import { createQueryRunner, ident, sql, value } from '../../src/connector-kit/query-runner.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { everyEngine } from '../support/databases/rotation.ts'
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
}[]

const RANGE = { start: '2025-10-01', end: '2026-03-31' }

/** The instant of a row that its sentence names, by table. */
const DAYS: Readonly<Record<string, string>> = {
  subscription_events: 'effective_date',
  blocking_states: 'effective_date',
  invoices: 'invoice_date',
  invoice_items: 'start_date',
  accounts: 'created_date',
}

const NUMBERS = [
  ['levels', 'mrr', { at: '2026-03-31' }],
  ['churn', 'mrr', { query_type: 'breakdown', ...RANGE, movement_type: 'churn' }],
  ['expansion', 'mrr', { query_type: 'breakdown', ...RANGE, movement_type: 'expansion' }],
  ['customers', 'churn', { ...RANGE, measure: 'active_at_start' }],
  ['trials', 'trials', { ...RANGE, measure: 'converted' }],
  ['usage', 'usage_revenue', RANGE],
  ['invoices', 'ltv', { query_type: 'cohort', ...RANGE, cohort_month: '2025-10-01' }],
] as const

everyEngine('evidence on recorded data', (target) => {
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
          for (const { record_id, id, note } of own) {
            const row = byId.get(record_id)
            expect(note).toContain(String(row?.[DAYS[table] ?? '']).slice(0, 10))
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
})
