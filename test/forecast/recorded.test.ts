import { beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { readFixture } from '../support/data/killbill/killbill-fixture.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

type Cells = Readonly<Record<string, string | null>>

function recorded(table: string): readonly Cells[] {
  const { columns, rows } = readFixture(table)
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])))
}

const SUBSCRIPTIONS = new Map(recorded('subscriptions').map((row) => [row['id'], row]))

/** The kinds of rows that were written after an instant about a subscription. The base of its bundle and its account count for it. */
function causesOf(subscription_id: string, after: string, through: string): readonly string[] {
  const own = SUBSCRIPTIONS.get(subscription_id)
  const isLate = (row: Cells) => String(row['created_date']) > after && String(row['effective_date']) <= through
  const events = recorded('subscription_events').filter(isLate)
  const isSibling = (row: Cells) => SUBSCRIPTIONS.get(row['subscription_id'] ?? '')?.['bundle_id'] === own?.['bundle_id']
  const blocks = recorded('blocking_states').filter(isLate)
  const blocked = [subscription_id, own?.['bundle_id']]
  const isBlock = (row: Cells) =>
    blocked.includes(row['blockable_id']) ||
    (row['type'] === 'ACCOUNT' && row['account_record_id'] === own?.['account_record_id'])
  return [
    ...(events.some((row) => row['subscription_id'] === subscription_id) ? ['its own events'] : []),
    ...(events.some((row) => row['subscription_id'] !== subscription_id && isSibling(row)) ? ['events of its bundle'] : []),
    ...(blocks.some(isBlock) ? ['blocks'] : []),
  ]
}

/** The amounts of the subscription component at the end of a day, in original cents by subscription. */
async function amountsAt(engine: Engine, at: string, more: object = {}): Promise<ReadonlyMap<string, number>> {
  const params = { query_type: 'components', measure: 'subscription_mrr', at, ...more }
  const { data } = await engine.metricRows('mrr', params, {}, { isWhole: true })
  const { rows } = data as { rows: readonly { subscription_id: string; amount_cents: number }[] }
  return new Map(rows.map(({ subscription_id, amount_cents }) => [subscription_id, amount_cents]))
}

// The database of an earlier instant, with what was written later, is asked for a later day. Both components are counted apart, because
// usage is held at its last value and not foretold.
oneEngineInRotation('a forecast of the recorded tenants, compared with what happened (D80)', (target) => {
  let database: TestDatabase
  let later: Engine
  beforeAll(async () => {
    database = await sharedReal(target)
    later = await engineOver(database, { tenant: ['all'] })
  })

  describe.each([
    ['2025-03-01T00:00:00Z', '2025-05-31'],
    ['2025-09-01T00:00:00Z', '2025-12-31'],
    ['2026-02-15T12:00:00Z', '2026-08-15'],
  ])('at %s, about %s', (now, at) => {
    it('differs only by what was written after that instant', async () => {
      const ahead = await engineOver(database, { tenant: ['all'], now: new Date(now) })
      const [foretold, happened, before] = [
        await amountsAt(ahead, at, { forecast: 'true' }),
        await amountsAt(later, at),
        await amountsAt(ahead, now.slice(0, 10)),
      ]
      const after = now.slice(0, 19).replace('T', ' ')
      const all = [...new Set([...foretold.keys(), ...happened.keys()])]
      const differing = all.filter((id) => foretold.get(id) !== happened.get(id))
      const causes = differing.map((id) => [id, causesOf(id, after, `${at} 23:59:59.999999`)] as const)
      expect(causes.filter(([, found]) => found.length === 0)).toEqual([])
      expect(differing.length, 'differences').toBeGreaterThan(0)
      const right = [...before.keys(), ...all].filter((id) => foretold.get(id) === happened.get(id))
      const changed = new Set(right.filter((id) => foretold.get(id) !== before.get(id)))
      expect(changed.size, 'changes that the forecast has foretold').toBeGreaterThan(5)
    })
  })
})
