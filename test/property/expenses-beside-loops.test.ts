import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FxRate } from '../../src/core/currency.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { Store } from '../../src/ports/store.ts'
import { drawnBooks, type Told } from '../support/data/drawn-books.ts'
import { ownedIn, STORE_SERVERS, type StorePlace, storePlacesInTurn } from '../support/databases/store-places.ts'
import { engines, type TestDatabase } from '../support/databases/targets.ts'
import { type CountedLine, countedLines } from '../support/oracles/expense-loops.ts'
import { exampleEngine } from '../support/product/example-engine.ts'
import { storeAt } from '../support/product/store-with-books.ts'

const WORKSPACE = { name: 'books', source_ids: [] }
const TODAY = '2025-06-05'
const RANGE = { start: '2024-02-10', end: '2025-05-20' }
const rate = (date: string, from: string, value: string): FxRate => ({ date, from, to: 'USD', rate: value })
const RATES = [
  rate('2023-12-31', 'EUR', '1.085'),
  rate('2024-06-01', 'EUR', '1.123456789012'),
  rate('2024-01-01', 'GBP', '0.5'),
  rate('2024-09-09', 'GBP', '1.499999999999'),
  rate('2023-01-01', 'JPY', '0.006127451'),
]
/** All of them are asked of the embedded store, one of each server. */
const SEEDS = [1, 2, 3]

type Row = Readonly<Record<string, unknown>>
type Key = keyof CountedLine

/** Sums by the keys given, the way a loop finds them. */
function summed(
  lines: readonly CountedLine[],
  keys: readonly Key[],
): Map<string, { base: number; cents: number; count: number }> {
  const groups = new Map<string, { base: number; cents: number; count: number }>()
  for (const line of lines) {
    const key = JSON.stringify(keys.map((name) => line[name]))
    const group = groups.get(key) ?? { base: 0, cents: 0, count: 0 }
    groups.set(key, { base: group.base + (line.base ?? 0), cents: group.cents + line.cents, count: group.count + 1 })
  }
  return groups
}

function answered(rows: readonly Row[], keys: readonly string[]) {
  return new Map(
    rows.map((row) => [
      JSON.stringify(keys.map((name) => row[name])),
      { base: row['amount_base_cents'] ?? row['total_base_cents'], count: row['line_count'] },
    ]),
  )
}

const withoutCents = (groups: ReturnType<typeof summed>) =>
  new Map([...groups].map(([key, { base, count }]) => [key, { base, count }]))

/** Stays empty: expenses are the store's. */
let database: TestDatabase
beforeAll(async () => {
  const [target] = engines()
  if (target === undefined) throw new Error('there is no database')
  database = await target.createDatabase()
  return () => database.drop()
})

describe.each(storePlacesInTurn(['sqlite', ...STORE_SERVERS]))('expenses beside plain loops, on %s', (kind, makePlace) => {
  const seeds = kind === 'sqlite' ? SEEDS : SEEDS.filter((_, index) => index === STORE_SERVERS.indexOf(kind) % SEEDS.length)
  let place: StorePlace
  let store: Store
  const opened = new Map<number, { readonly engine: Engine; readonly lines: readonly CountedLine[]; readonly told: Told }>()

  beforeAll(async () => {
    place = await makePlace()
    store = storeAt(place)
    await store.fxRates.upsert(RATES)
    for (const seed of seeds) {
      const workspace = `books${seed}`
      const told = drawnBooks(seed, 150)
      await ownedIn(store, { ...WORKSPACE, name: workspace }).expenses.put('paper', told)
      const engine = exampleEngine(database.executor(), { store, workspace })
      opened.set(seed, { engine, told, lines: countedLines(told, RATES, TODAY) })
    }
  })
  afterAll(async () => {
    await store.close()
    await place.remove()
  })

  const of = (seed: number) => {
    const found = opened.get(seed)
    if (found === undefined) throw new Error('no such seed')
    return found
  }
  const ask = async (seed: number, params: Row, spec: Row = {}) => (await of(seed).engine.query('expenses', params, spec)).data
  const rowsOf = async (seed: number, params: Row, spec: Row = {}) => (await ask(seed, params, spec)) as readonly Row[]
  const within = (seed: number) => of(seed).lines.filter(({ date }) => date >= RANGE.start && date <= RANGE.end)

  it.each(seeds)('the total of all time and of a range (%i)', async (seed) => {
    const total = (lines: readonly CountedLine[]) => ({
      total_base_cents: lines.reduce((sum, { base }) => sum + (base ?? 0), 0),
      line_count: lines.length,
    })
    expect(of(seed).lines.length).toBeGreaterThan(200)
    expect(await ask(seed, {})).toEqual(total(of(seed).lines))
    expect(await ask(seed, RANGE)).toEqual(total(within(seed)))
    expect(await ask(seed, { end: RANGE.end })).toEqual(total(of(seed).lines.filter(({ date }) => date <= RANGE.end)))
    expect(await ask(seed, { start: '2025-06-01', end: '2099-12-31' })).toEqual(
      total(of(seed).lines.filter(({ date }) => date >= '2025-06-01')),
    )
    expect(await ask(seed, { start: '2099-01-01' })).toEqual({ total_base_cents: 0, line_count: 0 })
  })

  it.each(seeds)('by every dimension and by several (%i)', async (seed) => {
    const all: readonly (readonly Key[])[] = [
      ['account_type'],
      ['vendor_id'],
      ['vendor_name'],
      ['class'],
      ['department'],
      ['project'],
      ['account_type', 'class', 'department'],
      ['currency', 'vendor_id', 'account_type'],
    ]
    for (const dimensions of all) {
      const rows = await rowsOf(seed, RANGE, { dimensions })
      expect(answered(rows, dimensions)).toEqual(withoutCents(summed(within(seed), dimensions)))
    }
  })

  it.each(seeds)('by account type and by vendor, the largest first (%i)', async (seed) => {
    const types = await rowsOf(seed, { query_type: 'by_account_type', ...RANGE })
    expect(answered(types, ['account_type'])).toEqual(withoutCents(summed(within(seed), ['account_type'])))
    const vendors = await rowsOf(seed, { query_type: 'by_vendor', ...RANGE })
    expect(answered(vendors, ['vendor_id', 'vendor_name'])).toEqual(
      withoutCents(summed(within(seed), ['vendor_id', 'vendor_name'])),
    )
    for (const rows of [types, vendors]) {
      const amounts = rows.map((row) => Number(row['amount_base_cents']))
      expect(amounts).toEqual([...amounts].sort((a, b) => b - a))
    }
  })

  it.each(seeds)('the series of each step, gaps filled (%i)', async (seed) => {
    const starts: Readonly<Record<string, (date: string) => string>> = {
      day: (date) => date,
      month: (date) => `${date.slice(0, 7)}-01`,
      year: (date) => `${date.slice(0, 4)}-01-01`,
    }
    const types = new Set(within(seed).map(({ account_type }) => account_type))
    for (const [interval, startOf] of Object.entries(starts)) {
      const rows = await rowsOf(seed, { query_type: 'series', ...RANGE, interval })
      const expected = summed(
        within(seed).map((line) => ({ ...line, date: startOf(line.date) })),
        ['date', 'account_type'],
      )
      const periods = new Set(rows.map((row) => row['period']))
      expect(rows).toHaveLength(periods.size * types.size)
      const nonzero = rows.filter((row) => row['amount_base_cents'] !== 0)
      expect(
        new Map(nonzero.map((row) => [JSON.stringify([row['period'], row['account_type']]), row['amount_base_cents']])),
      ).toEqual(new Map([...expected].filter(([, { base }]) => base !== 0).map(([key, { base }]) => [key, base])))
    }
  })

  it.each(seeds)('filters on every dimension, on the day and on several values (%i)', async (seed) => {
    const cases: readonly (readonly [Row, (line: CountedLine) => boolean])[] = [
      [{ account_type: 'cogs' }, (line) => line.account_type === 'cogs'],
      [{ account_type: { '!=': 'unknown' } }, (line) => line.account_type !== 'unknown'],
      [{ account_type: ['asset', 'unknown'] }, (line) => ['asset', 'unknown'].includes(line.account_type)],
      [{ vendor_id: 'v1' }, (line) => line.vendor_id === 'v1'],
      [{ vendor_id: { is_empty: true } }, (line) => line.vendor_id === null],
      [{ vendor_name: { contains: 'VENDOR' } }, (line) => line.vendor_name.toLowerCase().includes('vendor')],
      [{ class: 'a' }, (line) => line.class === 'a'],
      [{ class: { 'not in': ['a'] } }, (line) => line.class !== null && line.class !== 'a'],
      [{ department: ['North', 'South'], class: 'B' }, (line) => line.department !== null && line.class === 'B'],
      [{ project: { contains: '%_' } }, (line) => line.project !== null],
      [{ currency: 'eur' }, (line) => line.currency === 'EUR'],
      [{ source: 'csv', source_id: 'paper' }, () => true],
      [{ source_id: 'elsewhere' }, () => false],
      [{ txn_date: { '>=': '2025-01-01' } }, (line) => line.date >= '2025-01-01'],
    ]
    for (const [filters, holds] of cases) {
      const lines = within(seed).filter(holds)
      expect([filters, await ask(seed, RANGE, { filters })]).toEqual([
        filters,
        { total_base_cents: lines.reduce((sum, { base }) => sum + (base ?? 0), 0), line_count: lines.length },
      ])
    }
  })

  it.each(seeds)('with currency rows also carry its own cents (%i)', async (seed) => {
    const expected = summed(within(seed), ['currency'])
    const rows = await rowsOf(seed, RANGE, { dimensions: ['currency'] })
    expect(rows).toEqual(
      [...expected.entries()].sort().map(([key, { base, cents, count }]) => ({
        currency: JSON.parse(key)[0],
        total_cents: cents,
        total_base_cents: base,
        line_count: count,
      })),
    )
  })

  it.each(seeds)('sums over types, vendors and months are the total (%i)', async (seed) => {
    const total = (await ask(seed, RANGE)) as Row
    const shapes = [{ query_type: 'by_account_type' }, { query_type: 'by_vendor' }, { query_type: 'series', interval: 'month' }]
    for (const shape of shapes) {
      const rows = await rowsOf(seed, { ...shape, ...RANGE })
      expect(rows.reduce((sum, row) => sum + Number(row['amount_base_cents']), 0)).toBe(total['total_base_cents'])
    }
    const half = { end: '2024-12-31' }
    const first = (await ask(seed, { ...RANGE, ...half })) as Row
    const second = (await ask(seed, { ...RANGE, start: '2025-01-01' })) as Row
    expect(Number(first['total_base_cents']) + Number(second['total_base_cents'])).toBe(total['total_base_cents'])
  })
})
