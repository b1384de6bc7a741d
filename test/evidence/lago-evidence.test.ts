import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Evidence } from '../../src/connector-kit/evidence.ts'
import { createQueryRunner, ident, sql, textList } from '../../src/connector-kit/query-runner.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedNorth } from '../support/data/lago/north-database.ts'
import { onPostgres, type TestDatabase } from '../support/databases/targets.ts'
import { lagoEngine } from '../support/product/lago-engine.ts'

interface CountedRow {
  readonly evidence?: readonly Evidence[]
  readonly movement_source: string | null
  readonly reason: string | null
  readonly usage_note: string | null
  readonly usage_mrr_after_cents: number | null
  readonly currency: string | null
}

type Cells = Readonly<Record<string, unknown>>

const RANGE = { start: '2025-10-01', end: '2026-03-31' }

const NUMBERS = [
  ['levels', 'mrr', { at: '2026-03-31' }],
  ['churn', 'mrr', { query_type: 'breakdown', ...RANGE, movement_type: 'churn' }],
  ['expansion', 'mrr', { query_type: 'breakdown', ...RANGE, movement_type: 'expansion' }],
  ['contraction', 'mrr', { query_type: 'breakdown', ...RANGE, movement_type: 'contraction' }],
  ['customers', 'churn', { ...RANGE, measure: 'active_at_start' }],
  ['trials', 'trials', { ...RANGE, measure: 'converted' }],
  ['usage', 'usage_revenue', RANGE],
  ['invoices', 'ltv', { query_type: 'cohort', ...RANGE, cohort_month: '2025-10-01' }],
] as const

/** Values of a row that its sentence must name, by table. Money is in hundredths of these currencies. */
const NAMED: Readonly<Record<string, (row: Cells) => readonly unknown[]>> = {
  subscriptions: ({ external_id, started_at, terminated_at, status }) => [
    external_id,
    day(started_at),
    ...(status === 2 ? [day(terminated_at)] : []),
  ],
  plans: ({ code, amount_cents, amount_currency, pricing_type, trial_period }) => [
    code,
    ...(pricing_type === 'product_catalog' ? ['product catalog'] : [money(amount_cents, amount_currency)]),
    ...(Number(trial_period ?? 0) > 0 ? [`trial of ${Number(trial_period)} days`] : []),
  ],
  versions: ({ created_at, object_changes: changes }) => {
    const { plan_id = [] } = changes as { readonly plan_id?: readonly string[] }
    return [day(created_at), ...plan_id]
  },
  fixed_charges: ({ code, charge_model, created_at }) => [code, charge_model, day(created_at)],
  fixed_charge_events: ({ units, timestamp }) => [`${Number(units)} units`, day(timestamp)],
  charges: ({ deleted_at }) => [day(deleted_at)],
  fees: ({ amount_cents, amount_currency }) => [money(amount_cents, amount_currency)],
  invoices: ({ number, issuing_date, total_amount_cents, currency }) => [
    number,
    day(issuing_date),
    money(total_amount_cents, currency),
  ],
  payments: ({ payment_type, amount_cents, amount_currency, created_at, updated_at }) => [
    payment_type,
    money(amount_cents, amount_currency),
    day(payment_type === 'manual' ? created_at : updated_at),
  ],
  invoice_settlements: ({ amount_cents, amount_currency, created_at }) => [
    'credit note',
    money(amount_cents, amount_currency),
    day(created_at),
  ],
  customers: ({ created_at }) => [day(created_at)],
}

function day(instant: unknown): string {
  return String(instant).slice(0, 10)
}

function money(cents: unknown, currency: unknown): string {
  const units = { JPY: 1, KWD: 1000 }[String(currency)] ?? 100
  return `${Number(cents) / units} ${currency}`
}

onPostgres('evidence on recorded data of Lago', (target) => {
  let database: TestDatabase
  let engine: Engine
  beforeAll(async () => {
    database = await sharedNorth(target)
    engine = await lagoEngine(database)
  })
  afterAll(() => engine.close())
  const rowsOf = async (metric: string, params: object, limit = '60') =>
    ((await engine.metricRows(metric, { ...params, limit })).data as { readonly rows: readonly CountedRow[] }).rows

  it.each(NUMBERS)('of %s is there for every row, and says what the row of the database says', async (_, metric, params) => {
    const rows = await rowsOf(metric, params)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter(({ evidence = [] }) => evidence.length === 0)).toEqual([])
    const all = rows.flatMap(({ evidence = [] }) => evidence)
    const executor = database.executor()
    try {
      await executor.withSnapshot(async (snapshot) => {
        const run = createQueryRunner(snapshot)
        for (const table of new Set(all.map((one) => one.table))) {
          const own = all.filter((one) => one.table === table)
          const ids = textList([...new Set(own.map(({ id, record_id }) => String(record_id ?? id)))])
          const found = await run(
            'test.evidence',
            sql`select cast(source.id as text) as key, cast(to_json(source) as text) as cells from ${ident(table)} as source where cast(source.id as text) in (${ids})`,
          )
          const byId = new Map(found.map((row) => [String(row['key']), JSON.parse(String(row['cells'])) as Cells]))
          for (const { id, record_id, note } of own) {
            const row = byId.get(String(record_id ?? id))
            expect([table, row]).not.toEqual([table, undefined])
            for (const value of NAMED[table]?.(row ?? {}) ?? ['a table without a check']) expect(note).toContain(String(value))
          }
        }
      })
    } finally {
      await executor.close()
    }
  })

  it('lists the fees of the usage part of MRR, which add up to it', async () => {
    const rows = await rowsOf('mrr', { query_type: 'components', at: '2026-03-31', measure: 'usage_mrr' })
    expect(rows.length).toBeGreaterThan(3)
    for (const { usage_note, usage_mrr_after_cents, evidence = [] } of rows) {
      const fees = evidence.filter(({ table }) => table === 'fees')
      expect(new Set(fees.map(({ id }) => id)).size).toBe(fees.length)
      let sum = 0
      for (const { note } of fees) sum += Math.round(100 * Number(/, counts (\S+) [A-Z]{3}$/.exec(note)?.[1] ?? 0))
      const months = new Set(usage_note?.match(/\d{4}-\d{2}(?=,| and|$)/g)).size
      expect([usage_note, Math.floor(sum / months)]).toEqual([usage_note, usage_mrr_after_cents])
    }
  })

  it('names what moved: a payment of usage, an edited price, units, or a row that begins or ends', async () => {
    const rows = await rowsOf(
      'mrr',
      { query_type: 'breakdown', start: '2024-01-01', end: '2026-10-31', movement_type: 'expansion' },
      '400',
    )
    const tablesOf = (row: CountedRow) => (row.evidence ?? []).map(({ table }) => table)
    const usage = rows.filter(({ movement_source, reason }) => movement_source === 'usage' && reason === 'usage')
    expect(usage.length).toBeGreaterThan(10)
    expect(usage.filter((row) => !tablesOf(row).includes('fees'))).toEqual([])
    expect(usage.filter(({ usage_note }) => typeof usage_note !== 'string')).toEqual([])
    const prices = rows.filter(({ reason }) => reason === 'price')
    expect(prices.length).toBeGreaterThan(5)
    // From an override to its plan, the price moves because another row of plans holds.
    const moves = ['versions', 'fixed_charge_events']
    const isShown = (row: CountedRow) =>
      tablesOf(row).some((table) => moves.includes(table)) || tablesOf(row).filter((table) => table === 'plans').length > 1
    expect(prices.filter((row) => !isShown(row))).toEqual([])
  })
})
