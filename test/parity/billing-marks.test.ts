import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { Store } from '../../src/ports/store.ts'
import type { HealthAnswer } from '../../src/records/billing-health/rows.ts'
import { importFxRates } from '../../src/workspace/exchange-rates/import/csv.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { storePlace } from '../support/databases/store-places.ts'
import { cachedEngineOver } from '../support/product/counted-cache.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

type Cells = Readonly<Record<string, unknown>>
interface Page {
  readonly total: number
  readonly rows: readonly Cells[]
  readonly lists: readonly Cells[]
}

const OTHER_ID = '00000000-0000-4000-8000-000000000001'
const AMOUNTS = ['agreed_base_cents', 'billed_base_cents', 'difference_base_cents', 'monthly_base_cents'] as const
/** A finding as a body names it. */
const named = ({ source_id, subscription_id, ...row }: Cells) => ({ kind: row['class'], source_id, subscription_id })

firstEngineAndOneOther('marks of findings', (target) => {
  let store: Store
  let direct: Engine
  let cached: Engine
  let elsewhere: Engine
  beforeAll(async () => {
    const database = await sharedReal(target)
    const place = await storePlace(target.name)
    store = createStore({ url: place.url, schema: 'side', baseDirectory: place.baseDirectory })
    const rates = readFileSync(join(packageRoot(), 'fixtures', 'killbill', 'real', 'expected', 'fx.csv'), 'utf8')
    await importFxRates(rates, store, { maxBytes: 1_000_000 })
    const tenant = ['alpha']
    direct = await engineOver(database, { tenant, store })
    elsewhere = await engineOver(database, { tenant, store, workspace: 'elsewhere' })
    cached = (await cachedEngineOver(database, { tenant, store })).engine
    return async () => {
      await cached.close()
      await place.remove()
    }
  })
  afterEach(async () => {
    for (const { id } of await direct.marks.list()) await direct.marks.delete(id)
  })

  const health = async (engine = direct, params = {}) => (await engine.billingHealth(params)).data as HealthAnswer
  const findings = async (engine = direct, params = {}) =>
    (await engine.billingFindings({ limit: '1000', ...params })).data as Page
  const notices = async (engine = direct, params = {}) => (await engine.billingNotices({ limit: '1000', ...params })).data as Page
  const stake = (row: Cells) =>
    Math.abs(Number(row['is_open'] === true ? row['monthly_base_cents'] : row['difference_base_cents']))

  it('as no error take exactly their amounts out of the sums, and into `marked`', async () => {
    const before = await health()
    const { rows } = await findings()
    // One that bills too little, one that bills too much, and a closed one.
    const chosen = [
      rows.find((row) => Number(row['monthly_base_cents']) > 0),
      rows.find((row) => row['class'] === 'quantity_reverted'),
      rows.find((row) => row['is_open'] === false),
    ].map((row) => row ?? {})
    expect(new Set(chosen.map((row) => JSON.stringify(named(row)))).size).toBe(3)
    for (const row of chosen) await direct.marks.create({ ...named(row), state: 'no_error', note: 'agreed' })
    for (const engine of [direct, cached]) {
      const after = await health(engine)
      const sum = (of: (row: Cells) => number) => chosen.reduce((all, row) => all + of(row), 0)
      for (const key of AMOUNTS) {
        expect(Number(before[key]) - Number(after[key]), key).toBe(sum((row) => Number(row[key])))
        expect(after.marked[key], key).toBe(sum((row) => Number(row[key])))
      }
      expect(Number(before.at_stake_base_cents) - Number(after.at_stake_base_cents)).toBe(sum(stake))
      expect(after.marked.at_stake_base_cents).toBe(sum(stake))
      const unbilled = sum((row) => Math.max(Number(row['monthly_base_cents']), 0))
      expect(Number(before.monthly_unbilled_base_cents) - Number(after.monthly_unbilled_base_cents)).toBe(unbilled)
      expect(after.marked.monthly_unbilled_base_cents).toBe(unbilled)
      expect([after.marked.findings, after.marked.days, after.seen]).toEqual([3, sum((row) => Number(row['days'])), 0])
      // Days that are billed otherwise than agreed stay days of subscriptions.
      expect([after.subscription_days, after.healthy_days]).toEqual([before.subscription_days, before.healthy_days])
      expect(after.classes.find((row) => row.class === 'quantity_reverted')).toBeUndefined()
      const parked = (answer: HealthAnswer) => answer.classes.find((row) => row.class === 'account_parked')
      expect(Number(parked(before)?.findings) - Number(parked(after)?.findings)).toBe(2)
      // The rows of a list explain the sums, by their mark.
      for (const [mark, total] of [
        ['none', rows.length - 3],
        ['no_error', 3],
        ['seen', 0],
      ] as const)
        expect((await findings(engine, { mark })).total, mark).toBe(total)
      expect((await findings(engine)).total).toBe(rows.length)
      expect((await findings(engine, { mark: ['none', 'seen'] })).total).toBe(rows.length - 3)
    }
    const filtered = await health(direct, { mark: 'none' })
    expect(filtered).toEqual({
      ...(await health()),
      ...{ marked: filtered.marked },
      subscription_days: filtered.subscription_days,
    })
    expect(filtered.marked).toMatchObject({ findings: 0, difference_base_cents: 0 })
    expect(await health(direct, { mark: 'no_error' })).toMatchObject({
      difference_base_cents: 0,
      classes: [],
      marked: { findings: 3 },
    })

    for (const { id } of await direct.marks.list()) await direct.marks.delete(id)
    for (const engine of [direct, cached]) expect(await health(engine)).toEqual(before)
  })

  it('as seen change no sum and are counted', async () => {
    const before = await health()
    const [row = {}] = (await findings()).rows
    const mark = await direct.marks.create({ ...named(row), state: 'seen' }, 'key:7')
    const after = await health(cached)
    expect({ ...after, seen: 0, classes: after.classes.map((one) => ({ ...one, seen: 0 })) }).toEqual(before)
    expect(after.seen).toBe(1)
    expect(after.classes.find((one) => one.class === row['class'])?.seen).toBe(1)
    const [shown = {}] = (await findings(cached, { mark: 'seen' })).rows
    expect(shown['mark']).toEqual({
      ...{ id: mark.id, state: 'seen', note: null, author: 'key:7', marked_on: '2026-11-21', has_grown: false },
      ...{ monthly_base_cents: row['monthly_base_cents'], amount_base_cents: 0 },
    })
    expect({ ...shown, mark: null }).toEqual(row)
  })

  it('hold for their class and subscription alone, and say when the amount has grown', async () => {
    const [row = {}] = (await findings()).rows
    const mark = await direct.marks.create({ ...named(row), state: 'no_error' })
    const marks = store.inWorkspace?.({ name: workspaceOf(row), source_ids: [] }).marks
    expect(await marks?.list()).toEqual([mark])
    const cents = Number(row['monthly_base_cents'])
    const grown = async (monthly_base_cents: number | null, base_currency = 'USD') => {
      await marks?.put({ ...mark, monthly_base_cents, base_currency })
      const [shown = {}] = (await findings(direct, { mark: 'no_error' })).rows
      return (shown['mark'] as Cells)['has_grown']
    }
    expect(await grown(Math.ceil(cents / 1.5))).toBe(false)
    expect(await grown(Math.floor(cents / 1.5) - 1)).toBe(true)
    expect(await grown(-Math.floor(cents / 1.5) + 1)).toBe(true)
    expect(await grown(0)).toBe(true)
    expect(await grown(null)).toBe(false)
    expect(await grown(0, 'EUR')).toBe(false)
    await marks?.put({ ...mark, id: OTHER_ID, kind: 'double_billed' })
    expect(await direct.marks.list()).toHaveLength(2)
    expect((await health()).marked.findings).toBe(1)
  })

  it('of one workspace do not show in another', async () => {
    const before = await health(elsewhere)
    const [row = {}] = (await findings()).rows
    const mark = await direct.marks.create({ ...named(row), state: 'no_error' })
    expect(await elsewhere.marks.list()).toEqual([])
    expect(await health(elsewhere)).toEqual(before)
    expect((await findings(elsewhere, { mark: 'no_error' })).total).toBe(0)
    await expect(elsewhere.marks.delete(mark.id)).rejects.toMatchObject({ code: 'not_found' })
    expect(await direct.marks.list()).toEqual([mark])
  })

  it('of notices take their rows out of the sums of their list', async () => {
    const before = await notices()
    const list = before.lists.find(({ count }) => Number(count) > 1)
    const kind = String(list?.['kind'])
    const own = before.rows.filter((row) => row['kind'] === kind)
    const [first = {}, second = {}] = own
    const ofRow = ({ source_id, customer_id, subscription_id, invoice_id }: Cells) => ({
      source_id,
      customer_id,
      subscription_id,
      invoice_id,
    })
    await direct.marks.create({ kind, ...ofRow(first), state: 'no_error', note: 'paid by hand' })
    await direct.marks.create({ kind, ...ofRow(second), state: 'seen' })
    const after = await notices(cached)
    expect(after.total).toBe(before.total)
    const changed = after.lists.find((one) => one['kind'] === kind) ?? {}
    expect(changed).toMatchObject({
      count: Number(list?.['count']) - 1,
      seen: 1,
      monthly_base_cents: Number(list?.['monthly_base_cents']) - Number(first['monthly_base_cents']),
      amount_base_cents: Number(list?.['amount_base_cents']) - Number(first['amount_base_cents']),
      marked: { count: 1, monthly_base_cents: first['monthly_base_cents'], amount_base_cents: first['amount_base_cents'] },
    })
    expect(after.lists.filter((one) => one['kind'] !== kind)).toEqual(before.lists.filter((one) => one['kind'] !== kind))
    const states = after.rows.flatMap((row) => (row['mark'] === null ? [] : [(row['mark'] as Cells)['state']]))
    expect(states.toSorted()).toEqual(['no_error', 'seen'])
    expect((await notices(direct, { mark: 'none' })).total).toBe(before.total - 2)
    expect((await notices(direct, { mark: 'no_error', kind })).lists).toMatchObject([{ kind, count: 0, marked: { count: 1 } }])
    // A finding that has the ids of a notice has another kind.
    expect((await health()).marked.findings).toBe(0)
  })

  describe('are refused', () => {
    it.each([
      ['of what is not found', { kind: 'double_billed', subscription_id: 'nobody' }, 'not_found'],
      ['of what several match', { kind: 'account_parked' }, 'conflict'],
      ['of notices that several match', { kind: 'below_list_price' }, 'conflict'],
      ['of a customer without the notice', { kind: 'mrr_at_risk', customer_id: 'nobody' }, 'not_found'],
      ['of another source', { kind: 'account_parked', source_id: 'nobody' }, 'not_found'],
      ['as no error where nobody erred', { kind: 'overdue_block' }, 'validation_failed'],
    ])('%s', async (_, body, code) => {
      await expect(direct.marks.create({ state: 'no_error', ...body })).rejects.toMatchObject({ code })
      expect(await direct.marks.list()).toEqual([])
    })
  })

  function workspaceOf({ source_id }: Cells): string {
    return `killbill:${String(source_id)}`
  }
})
