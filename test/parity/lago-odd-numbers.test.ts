import { beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { copyOfNorth } from '../support/data/lago/north-database.ts'
import { onPostgres, type TestDatabase } from '../support/databases/targets.ts'
import type { CountedCache } from '../support/product/counted-cache.ts'
import { lagoEngine } from '../support/product/lago-engine.ts'

const REFUSAL = {
  code: 'canonical_enum_violation',
  status: 422,
  message: expect.stringMatching(/^The rows of ".+" contain NaN or an infinite number.*`plumbline check --cross`/),
}

/** A statement that writes such a number, and the finding about it. */
const ODD: readonly (readonly [name: string, spoil: string, mend: string, said: RegExp])[] = [
  [
    'units that are NaN',
    `update fixed_charge_events set units = 'NaN'`,
    'update fixed_charge_events set units = 5',
    /^fixed_charge_events\.units is NaN or infinite in \d+ rows, the first with id [0-9a-f-]{36}$/,
  ],
  [
    'a trial that is NaN days long',
    `update plans set trial_period = 'NaN' where trial_period > 0`,
    `update plans set trial_period = 14 where trial_period = 'NaN'`,
    /^plans\.trial_period is NaN or infinite in \d+ rows, the first with id [0-9a-f-]{36}$/,
  ],
  [
    'a trial without an end',
    `update plans set trial_period = 'Infinity' where trial_period > 0`,
    `update plans set trial_period = 14 where trial_period = 'Infinity'`,
    /^plans\.trial_period is NaN or infinite in \d+ rows/,
  ],
]

onPostgres('a number of Lago that is NaN or infinite, which PostgreSQL accepts', (target) => {
  let database: TestDatabase
  let engine: Engine
  beforeAll(async () => {
    database = await copyOfNorth(target)
    engine = await lagoEngine(database)
  })
  const amounts = async () => (await engine.check({ cross: true })).filter(({ name }) => name === 'amounts')

  it('is in no recorded row', async () => {
    expect(await amounts()).toEqual([{ name: 'amounts', level: 'ok', message: 'no amount is NaN or infinite (2 columns)' }])
    expect((await engine.query('mrr')).data).toBeGreaterThan(0)
  })

  describe.each(ODD)('%s', (_, spoil, mend, said) => {
    it('is named by answers, by the cache and by the checks', async () => {
      await database.adminQuery(spoil)
      await expect(engine.query('mrr')).rejects.toMatchObject(REFUSAL)
      expect(await amounts()).toEqual([{ name: 'amounts', level: 'failure', message: expect.stringMatching(said) }])
      let cache: CountedCache | undefined
      const cached = await lagoEngine(database, { onCache: (made) => (cache = made) })
      expect(await cache?.ready()).toMatchObject({ status: 'failed', reason: REFUSAL.message })
      await expect(cached.query('mrr')).rejects.toMatchObject(REFUSAL)
      await cached.close()
      await database.adminQuery(mend)
      expect((await engine.query('mrr')).data).toBeGreaterThan(0)
    })
  })
})
