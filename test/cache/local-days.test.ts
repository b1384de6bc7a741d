import { expect, it } from 'vitest'
import type { Clock } from '../../src/core/clock.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory, RATES_CSV } from '../support/data/histories/generated-history.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { cachedEngineOver } from '../support/product/counted-cache.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { keptStore } from '../support/product/store-with-segments.ts'

const SEED = 20261128
const DAY = '2024-05-20'
/** Hours before and after midnight in New York, Los Angeles, Tokyo and Kolkata. */
const HOURS = ['00', '03', '06', '09', '14', '16', '19']
const ZONES = ['America/Los_Angeles', 'Asia/Kolkata', 'Asia/Tokyo', 'America/New_York', 'UTC']

const QUESTIONS: Readonly<Record<string, (engine: Engine) => Promise<{ readonly data: unknown }>>> = {
  'billing health': (engine) => engine.billingHealth(),
  findings: (engine) => engine.billingFindings({ limit: '1000' }),
  notices: (engine) => engine.billingNotices({ limit: '1000' }),
  renewals: (engine) => engine.renewals(),
  summary: (engine) => engine.summary({}),
}

oneEngineInRotation('remembered answers while days begin in the zones of accounts', (target) => {
  it('are those of the billing database on either side of each midnight', async () => {
    const history = generatedHistory(SEED, 12)
    const accounts = history['accounts']?.map((account, index) => ({ ...account, time_zone: ZONES[index % ZONES.length] }))
    const { database } = await fillDatabase(target, { ...history, ...(accounts && { accounts }) })
    let now = DAY
    const clock: Clock = { now: () => new Date(now) }
    const store = await keptStore({}, RATES_CSV)
    const options = { tenant: ['all'], clock, store, definitions: { allow_unpriced: true } }
    const direct = await engineOver(database, options)
    const { engine: cached, cache } = await cachedEngineOver(database, options)
    const seen = new Set<string>()
    try {
      for (const hour of HOURS) {
        now = `${DAY}T${hour}:40:00Z`
        for (const [name, ask] of Object.entries(QUESTIONS)) {
          const { data } = await ask(direct)
          expect((await ask(cached)).data, `${name} at ${now}`).toEqual(data)
          if (name === 'billing health') seen.add(JSON.stringify(data))
        }
      }
      // The day of UTC is the same all the time.
      expect(seen.size).toBeGreaterThan(2)
      expect(cache.failures()).toEqual([])
    } finally {
      await cached.close()
      await direct.close()
    }
  }, 600_000)
})
