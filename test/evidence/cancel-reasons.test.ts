import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { createApp } from '../../src/facades/http/app.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory, RATES_CSV } from '../support/data/histories/generated-history.ts'
import { HISTORIES, HISTORY_NOW } from '../support/data/histories/history-seeds.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { cachedEngineOver } from '../support/product/counted-cache.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'
import { sheetsOf } from '../support/product/workbook-sheets.ts'

type Cells = Readonly<Record<string, unknown>>

interface Page {
  readonly total: number
  readonly sum: number
  readonly rows: readonly (Cells & { readonly evidence: readonly { readonly table: string; readonly note: string }[] })[]
}

const RANGE = { start: '2024-01-16', end: '2025-01-14' }
const NUMBERS = [
  { query_type: 'logo', measure: 'churn_count' },
  { query_type: 'revenue', measure: 'revenue_lost' },
] as const
/** Tables with reasons. */
const REASONS = ['custom_fields', 'audit_log']

/** Custom fields of a cancellation, the newest last, and its reason code. The fourth has neither. */
const STATED: readonly (readonly [fields: readonly string[], code: string | null])[] = [
  [['older', 'too_expensive'], 'unused'],
  [[''], 'missing_feature'],
  [['Zoë'], null],
  [[], null],
]

/** Rows that state reasons for the cancellations of a history. */
function reasonsOf(cancels: readonly Cells[]) {
  const stated = cancels.map((cancel, index) => [cancel, ...(STATED[index % STATED.length] ?? STATED[0] ?? [[], null])] as const)
  return {
    subscription_event_history: stated.map(([cancel], index) => ({
      ...cancel,
      record_id: index + 1,
      target_record_id: cancel['record_id'],
      change_type: 'INSERT',
    })),
    custom_fields: stated.flatMap(([{ subscription_id, account_record_id, tenant_record_id }, fields]) => {
      const cells = { object_id: subscription_id, object_type: 'SUBSCRIPTION', field_name: 'cancel_reason' }
      return fields.map((field_value) => ({ ...cells, field_value, account_record_id, tenant_record_id }))
    }),
    audit_log: stated.flatMap(([, , reason_code], index) => {
      const cells = { table_name: 'SUBSCRIPTION_EVENT_HISTORY', target_record_id: index + 1, change_type: 'INSERT' }
      return reason_code === null ? [] : [{ ...cells, reason_code }]
    }),
  }
}

firstEngineAndOneOther('rows of churn have the reason of the cancellation', (target) => {
  let database: TestDatabase
  let engine: Engine
  let options: Parameters<typeof engineOver>[1]
  beforeAll(async () => {
    const filled = await fillDatabase(target, generatedHistory(...HISTORIES.relations))
    const cancels = filled.tables('subscription_events').filter((event) => event['user_type'] === 'CANCEL')
    for (const [table, rows] of Object.entries(reasonsOf(cancels))) await filled.add(table, rows)
    const now = new Date(`${HISTORY_NOW.replace(' ', 'T')}Z`)
    options = { tenant: ['all'], now, definitions: { allow_unpriced: true }, store: await ratesOnly(RATES_CSV) }
    database = filled.database
    engine = await engineOver(database, options)
  })
  afterAll(() => engine.close())

  const rowsOf = async (asked: Engine, params: object, spec: object = {}) =>
    (await asked.metricRows('churn', { ...RANGE, limit: '1000', ...params }, { ...spec })).data as Page

  it.each(NUMBERS)('$query_type: equal to the groups by reason, and to a record of the billing database', async (params) => {
    const { query_type, measure } = params
    const asked = { ...params, granularity: 'quarter' }
    const spec = { dimensions: ['cancel_reason', 'churn_type'] }
    const groups = (await engine.query('churn', { query_type, ...RANGE, granularity: 'quarter' }, spec)).data as readonly Cells[]
    const shown = groups.filter((group) => group[measure] !== 0)
    const tables = new Set<string>()
    for (const period of new Set(shown.map((group) => group['period']))) {
      const all = await rowsOf(engine, { ...asked, period })
      const own = shown.filter((group) => group['period'] === period)
      expect(all.sum).toBe(own.reduce((sum, group) => sum + Number(group[measure]), 0))
      for (const group of own) {
        const { cancel_reason, churn_type } = group
        const rows = all.rows.filter((row) => row['cancel_reason'] === cancel_reason && row['churn_type'] === churn_type)
        const sum = rows.reduce((total, row) => total + Number(row[measure === 'churn_count' ? 'count' : 'amount_base_cents']), 0)
        expect([period, cancel_reason, sum]).toEqual([period, cancel_reason, group[measure]])
        const named = [cancel_reason === null ? 'cancel_reason' : `cancel_reason=${cancel_reason}`, `churn_type=${churn_type}`]
        const grouped = await rowsOf(engine, { ...asked, period, group: named })
        expect([grouped.sum, grouped.rows]).toEqual([group[measure], rows])
      }
      for (const { cancel_reason, evidence } of all.rows) {
        const stated = evidence.filter(({ table }) => REASONS.includes(table))
        expect([cancel_reason, stated.length]).toEqual([cancel_reason, cancel_reason === null ? 0 : 1])
        for (const { table, note } of stated) {
          expect(note).toMatch(new RegExp(`^reason (code )?${cancel_reason} `))
          tables.add(table)
        }
      }
    }
    const found = new Set(shown.map((group) => group['cancel_reason']))
    expect([...found]).toEqual(expect.arrayContaining(['too_expensive', 'missing_feature', 'Zoë', null]))
    expect([...tables].sort()).toEqual([...REASONS].sort())
  })

  it('is in the files', async () => {
    const app = createApp({ engine, version: '0', corsOrigins: [], limits: { body_bytes: 1000 }, log: () => {} })
    const { start, end } = RANGE
    const address = `/api/metrics/churn/rows?query_type=revenue&start=${start}&end=${end}`
    const { rows } = (await (await app.request(`${address}&limit=1000`)).json()) as Page
    const expected = rows.map((row) => [row['churn_type'], row['cancel_reason'] ?? ''])
    const shown = (lines: readonly (readonly string[])[]) => {
      const [head = [], ...cells] = lines
      return cells.map((line) => ['churn_type', 'cancel_reason'].map((name) => line[head.indexOf(name)] ?? ''))
    }
    const csv = await (await app.request(`${address}&format=csv`)).text()
    expect(shown(parse(csv, { relax_column_count: true }))).toEqual(expected)
    const book = sheetsOf(new Uint8Array(await (await app.request(`${address}&format=xlsx`)).arrayBuffer()))
    expect(shown((book.get('Answer') ?? []).map((line) => line.map((cell) => cell?.value ?? '')))).toEqual(expected)
    expect(new Set(expected.map(([, reason]) => reason)).size).toBeGreaterThan(2)
  })

  it('is the same in an answer of the cache, and absent where nothing has ended', async () => {
    const { engine: cached, cache } = await cachedEngineOver(database, options)
    try {
      await cache.ready()
      for (const params of NUMBERS) expect(await rowsOf(cached, params)).toEqual(await rowsOf(engine, params))
      expect(cache.answered()).toBe(NUMBERS.length)
    } finally {
      await cached.close()
    }
    const { rows } = await rowsOf(engine, { query_type: 'logo', measure: 'active_at_start', start: '2025-01-01' })
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.every((row) => row['cancel_reason'] === null && row['churn_type'] === null)).toBe(true)
  })
})
