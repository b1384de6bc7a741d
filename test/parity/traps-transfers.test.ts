import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { held, trap } from '../support/data/catalogs/trap-catalog.ts'
import type { Scenario } from '../support/data/scenario-tables.ts'
import { oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import { isFirst } from '../support/databases/targets.ts'
import { figuresOf, type TrapFigures } from '../support/product/range-figures.ts'
import { type TrapPairs, trapPairs } from '../support/product/trap-engines.ts'

const ACCOUNTS = { A: {}, B: {}, C: {} }
const moved = (account: string, bundle: string, day: string) => ({
  account,
  bundle,
  original_start: '2025-01-10',
  events: [[day, 'TRANSFER', 'gold-evergreen']] as const,
})
const KEPT = { opening: 3000, closing: 3000, churned: '0/1', lost: '0/3000', nrr: 1, grr: 1, arpu: 3000 } as const
/** 3000 leaves A and comes to B on 10 March. */
const ONCE: TrapFigures = { ...KEPT, movements: { churn: -3000, new: 3000 } }

/** A's bundle `old`, transferred to B as `new` on 10 March, both called otherwise now; the history has the keys of then. */
function renamed(old: string, successor: string, more: Scenario['subscriptions'] = {}): Scenario {
  return trap({
    accounts: ACCOUNTS,
    subscriptions: {
      old: { bundle: old, ...held('gold', '2025-01-10', '2025-04-10') },
      new: moved('B', successor, '2025-03-10'),
      ...more,
    },
    bundle_history: [
      [old, 'b', 'INSERT', '2025-01-10'],
      [old, 'kbtsf-1:b', 'UPDATE', '2025-03-10'],
      [successor, 'b', 'INSERT', '2025-03-10'],
      [old, old, 'UPDATE', '2025-03-20'],
      [successor, successor, 'UPDATE', '2025-03-20'],
    ],
  })
}

const RENAMED: Readonly<Record<string, Scenario>> = {
  'a successor with another key now': renamed('kbtsf-1:b', 'other'),
  'an old side with another key now': renamed('archived', 'b'),
  'both sides with other keys now': renamed('archived', 'other'),
  // The key of then was given to a bundle that was received later: the call says more than the key.
  'a key that another received bundle has now': renamed('kbtsf-1:b', 'other', {
    stranger: { ...moved('C', 'b', '2026-03-25'), original_start: '2026-03-25' },
  }),
}

/**
 * A to B on 1 March at the end of the term, and B to C on the 15th while A's subscription still ran. The engine ended A's
 * subscription again, under B's account, and left B's without an end.
 */
const CHAIN: Scenario = trap({
  accounts: ACCOUNTS,
  subscriptions: {
    first: {
      bundle: 'kbtsf-1:b',
      events: [
        ...held('gold', '2025-01-10').events,
        ['2025-04-10', 'CANCEL', undefined, { is_active: false, created_date: '2025-03-01 00:00:00' }],
        ['2025-03-15', 'CANCEL', undefined, { account_record_id: 2 }],
      ],
    },
    middle: moved('B', 'kbtsf-2:b', '2025-03-01'),
    last: moved('C', 'b', '2025-03-15'),
  },
  now: '2025-04-01',
})

/** A pays USD 30.00, and B EUR 20.00 of equal value. */
const ABROAD: Scenario = trap({
  accounts: { A: {}, B: { currency: 'EUR' } },
  subscriptions: {
    old: { bundle: 'kbtsf-1:b', ...held('gold', '2025-01-10', '2025-04-10') },
    new: moved('B', 'b', '2025-03-10'),
  },
  rates: [{ date: '2025-01-01', from: 'EUR', to: 'USD', rate: '1.5' }],
})

const LOST: Scenario = trap({ subscriptions: { S: { bundle: 'kbtsf-1:b', ...held('gold', '2025-01-10', '2025-03-10') } } })

const SCENARIOS: Readonly<Record<string, Scenario>> = { ...RENAMED, chain: CHAIN, abroad: ABROAD, lost: LOST }

oneEngineInRotation('transfers, straight and from the cache', (target) => {
  const renamings = Object.keys(RENAMED)
  let pairs: TrapPairs
  beforeAll(async () => {
    // A cache holds the same whichever engine it was filled from, and the chain has the most in it, what is lost the least; of keys that changed one
    // shows the rest.
    pairs = await trapPairs(
      target,
      SCENARIOS,
      isFirst(target) ? ['chain', 'abroad', 'lost', ...sampleOf(target, renamings, { first: 4 })] : ['chain', 'abroad'],
    )
  }, 300_000)
  afterAll(() => pairs.close())

  const march = (engine: Engine) => figuresOf(engine, '2025-02-28', '2025-03-01', '2025-03-31')
  const canceled = async (engine: Engine) => {
    const { rows } = (await engine.list('subscriptions', { limit: '100' })).data as { rows: Record<string, unknown>[] }
    return Object.fromEntries(rows.map((row) => [row['external_key'], row['canceled_at']]))
  }

  it.each(sampleOf(target, renamings, { first: 1, others: 4 }))('%s: the old side ended at the transfer (D19)', async (name) => {
    expect(await pairs.both(name, march)).toEqual(ONCE)
  })

  it('between accounts of two currencies: no rate counts a loss, as in a switch of currency (D34, D85)', async () => {
    expect(await pairs.both('abroad', march)).toEqual(ONCE)
  })

  it('of a chain every owner has the bundle until the next has it (D19)', async () => {
    expect(await pairs.both('chain', march)).toEqual({ ...KEPT, movements: { churn: -6000, new: 6000 } })
  })

  it('of a chain the first owner has the cancel that the engine wrote under the second', async () => {
    expect(await pairs.both('chain', canceled)).toEqual({ first: '2025-03-15T00:00:00.000Z', middle: null, last: null })
  })

  it('a check names bundles without a successor, and those that the engine goes on billing', async () => {
    const found = async (name: string) => {
      const findings = await pairs.both(name, (engine) => engine.check())
      return findings.filter((one) => one.name.startsWith('transfer')).map(({ level, message }) => [level, message])
    }
    expect(await found('lost')).toEqual([
      ['warning', 'transferred away, successor not found: kbtsf-1:b'],
      ['ok', 'the engine has ended every bundle that was transferred away'],
    ])
    expect(await found('chain')).toEqual([
      ['ok', '2 bundles were transferred away, each has its successor'],
      [
        'warning',
        'transferred away, but the engine has not ended them and continues to bill: kbtsf-2:b (the middle of a chain); `plumbline billing-health --class transferred` has the amounts',
      ],
    ])
    for (const name of Object.keys(RENAMED))
      expect(
        (await found(name)).map(([level]) => level),
        name,
      ).toEqual(['ok', 'ok'])
  })
})
