import { afterAll, beforeAll, expect, it } from 'vitest'
import { createQueryRunner, sql } from '../../src/connector-kit/query-runner.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory, RATES_CSV } from '../support/data/histories/generated-history.ts'
import { HISTORIES, HISTORY_NOW } from '../support/data/histories/history-seeds.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

interface CountedRow {
  readonly subscription_id: string
  readonly movement_source: string | null
  readonly amount_cents: number | null
  readonly usage_mrr_before_cents: number | null
  readonly usage_mrr_after_cents: number | null
  readonly usage_note: string | null
  readonly evidence: readonly { readonly table: string; readonly record_id: number; readonly note: string }[]
}

type Cells = Readonly<Record<string, unknown>>

/** A statement about one state of a row. */
interface Stated {
  readonly side: 'before' | 'after'
  readonly cents: number
  readonly months: readonly string[]
}

const SENTENCE =
  /Usage( before| after)?: (\S+) [A-Z]{3} a month, the monthly mean of (\S+) [A-Z]{3} for ([\d, and-]+), paid by [\d-]{10}\./g

/** The statements of a sentence. The sum and the mean that each names agree. */
function statedIn({ usage_note }: CountedRow): readonly Stated[] {
  return [...(usage_note ?? '').matchAll(SENTENCE)].map(([, word, mean = '', sum = '', named = '']) => {
    const months = named.match(/\d{4}-\d{2}/g) ?? []
    const cents = centsOf(mean)
    expect(Math.floor(centsOf(sum) / months.length)).toBe(cents)
    return { side: word === ' before' ? 'before' : 'after', cents, months }
  })
}

/** Cents that an item counts in each state by its sentence. */
function countedIn(note: string): Readonly<Partial<Record<Stated['side'], number>>> {
  const [, text] = note.split(', counts ')
  if (text === undefined) return {}
  if (text.endsWith(' before and after')) return { before: centsOf(text), after: centsOf(text) }
  const parts = text.split(' and ').map((part) => [part.endsWith(' before') ? 'before' : 'after', centsOf(part)] as const)
  return Object.fromEntries(parts)
}

function centsOf(text: string): number {
  return Math.round(100 * Number.parseFloat(text))
}

/** The cents of an item in some months, by a loop over the months of its service (D55). */
function sharesOf(item: Cells, adjusted: number, months: readonly string[]): number {
  const [start, end] = [String(item['start_date']), item['end_date'] === null ? undefined : String(item['end_date'])]
  const number = (day: string) => 12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7)) - 1
  const first = number(start)
  const count = end === undefined ? 1 : Math.max(1, number(end) - first)
  const cents = Math.round(100 * (Number(item['amount']) + adjusted))
  const share = Math.floor(cents / count)
  let sum = 0
  for (let offset = 0; offset < count; offset++) {
    const month = first + offset
    const name = `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`
    if (months.includes(name)) sum += offset === count - 1 ? cents - share * (count - 1) : share
  }
  return sum
}

/** The items that rows name, by record number. */
async function itemsOf(database: TestDatabase, rows: readonly CountedRow[]): Promise<ReadonlyMap<number, Cells>> {
  const named = new Set(rows.flatMap(({ evidence }) => evidence.map(({ record_id }) => record_id)))
  const executor = database.executor()
  try {
    const found = await executor.withSnapshot((snapshot) =>
      createQueryRunner(snapshot)(
        'test.items',
        sql`select item.* from invoice_items as item where item.type in ('USAGE', 'ITEM_ADJ')`,
      ),
    )
    return new Map(found.map((item) => [Number(item['record_id']), item] as const).filter(([number]) => named.has(number)))
  } finally {
    await executor.close()
  }
}

/** Compares the usage part of each row with its items. The number of rows that have one. */
async function checkUsage(database: TestDatabase, rows: readonly CountedRow[]): Promise<number> {
  const items = await itemsOf(database, rows)
  let compared = 0
  for (const row of rows) {
    const used = { before: row.usage_mrr_before_cents ?? 0, after: row.usage_mrr_after_cents ?? 0 }
    const own = row.evidence
      .filter(({ table }) => table === 'invoice_items')
      .map((one) => ({ ...one, item: items.get(one.record_id) ?? {} }))
    if (row.movement_source === 'subscription' || (used.before <= 0 && used.after <= 0)) {
      expect([row.usage_note, own]).toEqual([null, []])
      continue
    }
    compared += 1
    const stated = statedIn(row)
    const sides = (['before', 'after'] as const).filter((side) => used[side] > 0)
    expect(stated.map(({ side, cents }) => [side, cents])).toEqual(sides.map((side) => [side, used[side]]))
    const adjustments = own.filter(({ item }) => item['type'] === 'ITEM_ADJ')
    const charges = own.filter(({ item }) => item['type'] === 'USAGE')
    expect(charges.length + adjustments.length).toBe(own.length)
    for (const { side, cents, months } of stated) {
      let sum = 0
      for (const { item, note } of charges) {
        expect(item['subscription_id']).toBe(row.subscription_id)
        const linked = adjustments.filter((other) => other.item['linked_item_id'] === item['id'])
        const adjusted = linked.reduce((total, other) => total + Number(other.item['amount']), 0)
        const counted = countedIn(note)[side]
        if (counted === undefined) continue
        expect([note, counted]).toEqual([note, sharesOf(item, adjusted, months)])
        sum += counted
      }
      expect([row.usage_note, Math.floor(sum / months.length)]).toEqual([row.usage_note, cents])
    }
  }
  return compared
}

const MOVEMENTS = ['new', 'expansion', 'contraction', 'churn', 'reactivation']

firstEngineAndOneOther('the items behind the usage part of MRR', (target) => {
  let places: readonly { readonly database: TestDatabase; readonly engine: Engine; readonly end: string }[] = []
  beforeAll(async () => {
    const real = await sharedReal(target)
    const { database } = await fillDatabase(target, generatedHistory(...HISTORIES.relations))
    const now = new Date(`${HISTORY_NOW.replace(' ', 'T')}Z`)
    const definitions = { allow_unpriced: true }
    const options = { tenant: ['all'], now, definitions, store: await ratesOnly(RATES_CSV) }
    places = [
      { database: real, engine: await engineOver(real, { tenant: ['all'] }), end: '2026-10-31' },
      { database, engine: await engineOver(database, options), end: '2024-12-31' },
    ]
  })
  afterAll(async () => {
    for (const { engine } of places) await engine.close()
  })

  it('are in the database with their amounts, and add up to it, for levels and movements', async () => {
    for (const { database, engine, end } of places) {
      const rowsOf = async (params: object) => {
        const { data } = await engine.metricRows('mrr', { ...params, limit: '300' })
        return (data as { readonly rows: readonly CountedRow[] }).rows
      }
      const levels = { query_type: 'components', at: end }
      const usage = await rowsOf({ ...levels, measure: 'usage_mrr' })
      expect(usage.every(({ movement_source, usage_note }) => movement_source === 'usage' && usage_note !== null)).toBe(true)
      expect(await checkUsage(database, usage)).toBeGreaterThan(3)
      expect(await checkUsage(database, await rowsOf({ ...levels, measure: 'mrr' }))).toBe(usage.length)
      expect(await checkUsage(database, await rowsOf({ ...levels, measure: 'subscription_mrr' }))).toBe(0)
      const year = { query_type: 'breakdown', start: `${end.slice(0, 4)}-01-01`, end }
      let moved = 0
      for (const movement_type of MOVEMENTS) moved += await checkUsage(database, await rowsOf({ ...year, movement_type }))
      expect(moved).toBeGreaterThan(20)
    }
  })

  it('explain the rows of a step that takes the usage part away', async () => {
    for (const { engine, end } of places) {
      const params = { at: end, from: 'default', to: 'killbill-analytics', bridge_step: 'mrr_usage', limit: '50' }
      const { rows } = (await engine.metricRows('mrr', params)).data as { readonly rows: readonly CountedRow[] }
      expect(rows.length).toBeGreaterThan(2)
      expect(rows.filter(({ usage_note }) => typeof usage_note !== 'string')).toEqual([])
    }
  })
})
