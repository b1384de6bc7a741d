import { expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { NOW, realTables, type TenantName } from '../support/data/recorded/recorded-tables.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { type JudgedDay, judgedDays } from '../support/oracles/billing-health-loops.ts'
import { foldReal, ofTenant } from '../support/oracles/fold/fold-recorded.ts'
import { cachedEngineOver } from '../support/product/counted-cache.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

type Cells = Readonly<Record<string, unknown>>

const FIRST = '2024-01-01'
/** The last day of which the recording has all invoice runs. */
const LAST = '2026-11-19'

const judged = new Map<TenantName, readonly JudgedDay[]>()

function daysOf(tenant: TenantName): readonly JudgedDay[] {
  const days = judged.get(tenant) ?? judgedDays(ofTenant(foldReal(), tenant), realTables, { first: FIRST, last: LAST, now: NOW })
  judged.set(tenant, days)
  return days
}

/** Half away from zero, as amounts of days are rounded. */
const cost = (centDays: number) => Math.round((centDays * 12) / 365)

/** The findings by a loop over judged days: those of one subscription and class together. */
function expectedFindings(days: readonly JudgedDay[]): readonly Cells[] {
  const found = new Map<string, JudgedDay[]>()
  for (const day of days)
    if (day.class !== 'healthy')
      found.set(`${day.subscription_id} ${day.class}`, [...(found.get(`${day.subscription_id} ${day.class}`) ?? []), day])
  return [...found.values()].map((own) => ({
    subscription_id: own[0]?.subscription_id,
    class: own[0]?.class,
    first_day: own[0]?.day,
    last_day: own.at(-1)?.day,
    days: own.length,
    agreed_cents: cost(own.reduce((sum, { agreed }) => sum + agreed, 0)),
    billed_cents: cost(own.reduce((sum, { billed }) => sum + billed, 0)),
  }))
}

const inOrder = (rows: readonly Cells[]) =>
  [...rows].sort((a, b) => (`${a['subscription_id']} ${a['class']}` < `${b['subscription_id']} ${b['class']}` ? -1 : 1))

async function judge(engine: Engine, tenant: TenantName, source: string): Promise<void> {
  const days = daysOf(tenant)
  const range = { start: FIRST, end: LAST }
  const origins: string[] = []
  const onOrigin = (origin: { readonly source: string }) => void origins.push(origin.source)
  const page = (await engine.billingFindings({ ...range, limit: 1000 }, {}, { onOrigin })).data as {
    readonly rows: readonly Cells[]
  }
  const expected = inOrder(expectedFindings(days))
  const keys = Object.keys(expected[0] ?? {})
  expect(inOrder(page.rows.map((row) => Object.fromEntries(keys.map((key) => [key, row[key]]))))).toEqual(expected)
  expect(page.rows.every((row) => (row['evidence'] as readonly unknown[]).length > 0)).toBe(true)
  const { data } = await engine.billingHealth(range, {}, { onOrigin })
  expect(data).toMatchObject({
    subscription_days: days.length,
    healthy_days: days.filter((day) => day.class === 'healthy').length,
    unpriced_days: 0,
  })
  const health = data as Readonly<Record<string, number>>
  const sum = page.rows.reduce((total, row) => total + Number(row['difference_base_cents']), 0)
  expect(health['difference_base_cents']).toBe(sum)
  expect((health['agreed_base_cents'] ?? 0) - (health['billed_base_cents'] ?? 0)).toBe(sum)
  expect(origins).toEqual([source, source])
}

/** Days by class that a review of the real server has found, without this product. */
const REVIEWED: Readonly<Record<TenantName, Cells>> = {
  alpha: { account_parked: 1199, quantity_reverted: 748, transferred: 27 },
  beta: { invoicing_failed: 547, transferred: 30, account_parked: 22 },
}

it.each(['alpha', 'beta'] as const)('the loop over the days of %s finds what the review has found', (tenant) => {
  const counts: Record<string, number> = {}
  for (const { class: kind } of daysOf(tenant)) if (kind !== 'healthy') counts[kind] = (counts[kind] ?? 0) + 1
  expect(counts).toEqual(REVIEWED[tenant])
})

firstEngineAndOneOther('billing health compared with a loop over all days of the recorded tables', (target) => {
  it.each(['alpha', 'beta'] as const)(
    'straight and from the cache: %s',
    async (tenant) => {
      const database = await sharedReal(target)
      const engine = await engineOver(database, { tenant: [tenant] })
      await judge(engine, tenant, 'replica')
      await engine.close()
      const { engine: cached } = await cachedEngineOver(database, { tenant: [tenant] })
      await judge(cached, tenant, 'cache')
      await cached.close()
    },
    300_000,
  )
})
