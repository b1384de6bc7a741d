import { expect, it } from 'vitest'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { countedCache } from '../support/product/counted-cache.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

const SLOW = ['mrr_amounts', 'not_invoiced', 'usage_not_invoiced']

oneEngineInRotation('the checks of a running service', (target) => {
  it('read most rows only when the cache is filled', async () => {
    const database = await sharedReal(target)
    const found = async (isFilling: boolean) => {
      const engine = await engineOver(database, {
        tenant: ['beta'],
        cache: (executor, connector, definitions, clock) => {
          const cache = countedCache(executor, connector, { clock, definitions })
          return { ...cache, state: () => (isFilling ? { status: 'filling', accounts: 0 } : cache.state()) }
        },
      })
      const { findings } = await engine.checks()
      await engine.close()
      return findings.filter(({ name }) => SLOW.includes(name))
    }
    expect(await found(true)).toEqual(
      SLOW.map((name) => ({ name, level: 'ok', message: 'checked as soon as the cache is filled' })),
    )
    expect(await found(false)).toMatchObject([{ name: 'not_invoiced', level: 'warning' }])
    await database.drop()
  })
})
