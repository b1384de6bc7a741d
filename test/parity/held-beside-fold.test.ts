import { expect, it } from 'vitest'
import { continuedHistory } from '../support/data/histories/continued-history.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory } from '../support/data/histories/generated-history.ts'
import { HISTORIES } from '../support/data/histories/history-seeds.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { PROPERTY_FACTOR, seedFor } from '../support/data/property-runs.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/targets.ts'
import { heldByFold } from '../support/oracles/killbill/held/held-by-fold.ts'
import { DEFINITIONS, HELD_TABLES, heldDifferences, linesOf, soakedCache } from '../support/product/held-rows.ts'

/**
 * The fold makes no links, no billing, no priced states, no stretches and no records of the books. `property/customer-links`, `billing-health`,
 * `parity/sets-recorded`, `parity/churn-beside-fold`, `parity/ledger-recorded` and `cache/books` judge them.
 */
const OTHERS = [
  'customer_link',
  'customer_zone',
  'billed_stretch',
  'billing_condition',
  'billing_in_arrears',
  'priced_state',
  'live_stretch',
]
const JUDGED = HELD_TABLES.filter(({ relation }) => !OTHERS.includes(relation) && !relation.startsWith('ledger_'))

async function judge(database: TestDatabase, now: string): Promise<Readonly<Record<string, number>>> {
  const executor = database.executor({ statementTimeoutMs: 300_000 })
  const { cache, held, failures } = soakedCache(executor, 'judged', null)
  try {
    const { tables } = await held({ now, seconds: 0 })
    const request = { now: new Date(`${now.replace(' ', 'T')}Z`), definitions: DEFINITIONS }
    const { rows, plan } = await executor.withSnapshot((snapshot) => heldByFold(snapshot, request))
    const folded = JUDGED.map(
      ({ relation, columns }) => [relation, (rows.get(relation) ?? []).map(linesOf(columns, plan))] as const,
    )
    const filled = JUDGED.map(({ relation }) => [relation, tables[relation] ?? []] as const)
    expect(heldDifferences(['filled', Object.fromEntries(filled)], ['folded', Object.fromEntries(folded)])).toBeUndefined()
    expect(failures()).toEqual([])
    return Object.fromEntries(filled.map(([relation, lines]) => [relation, lines.length]))
  } finally {
    await cache.close()
  }
}

firstEngineAndOneOther('the tables of a filled cache compared with the fold, cell by cell', (target) => {
  it('hold the same rows of the recording', async () => {
    const counts = await judge(await sharedReal(target), '2026-11-21 00:00:00')
    expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([])
  }, 300_000)

  it.each(['2024-03-17 00:00:00', '2025-01-15 00:00:00'])(
    'hold the same rows of a generated history as of %s',
    async (now) => {
      const [seed, accounts] = HISTORIES.relations
      const { database } = await fillDatabase(target, generatedHistory(seedFor(target, seed), accounts))
      expect((await judge(database, now))['subscription_span']).toBeGreaterThan(100)
    },
    300_000,
  )

  it.each(Array.from({ length: PROPERTY_FACTOR }, (_, index) => index))(
    'hold the same rows of a history that goes on, %i',
    async (index) => {
      const [seed, accounts] = HISTORIES.continued
      const history = await continuedHistory([seedFor(target, seed) + index, accounts], 400)
      const { database } = await fillDatabase(target, history.tables)
      expect((await judge(database, history.now))['subscription_span']).toBeGreaterThan(100)
    },
    300_000,
  )
})
