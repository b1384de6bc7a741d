import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import type { Executor } from '../../src/ports/executor.ts'
import type { BillingWriter } from '../support/data/histories/billing-writer.ts'
import { databaseWriter } from '../support/data/histories/database-writer.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory } from '../support/data/histories/generated-history.ts'
import { describeTargets } from '../support/databases/targets.ts'
import { cachedEngineOver } from '../support/product/counted-cache.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

const NOW = new Date('2024-05-20T12:00:00Z')

/** Holds up the work of a snapshot that has begun. */
function holder() {
  let onBegun: (() => void) | undefined
  let release: Promise<void> | undefined
  return {
    wrap: (real: Executor): Executor => ({
      ...real,
      variant: real.variant,
      withSnapshot: (work, options) =>
        real.withSnapshot(async (snapshot) => {
          const held = release
          onBegun?.()
          await held
          return work(snapshot)
        }, options),
    }),
    /** Resolves when the next snapshot has begun. The caller lets it go on. */
    hold(): { readonly begun: Promise<void>; letGo(): void } {
      let letGo = () => {}
      release = new Promise((resolve) => (letGo = resolve))
      const begun = new Promise<void>((resolve) => {
        onBegun = () => {
          onBegun = undefined
          release = undefined
          resolve()
        }
      })
      return { begun, letGo: () => letGo() }
    },
  }
}

describeTargets(
  'a question like one that is being answered',
  (target) => {
    const engines: Record<string, { readonly engine: Engine; readonly hold: ReturnType<typeof holder>['hold'] }> = {}
    let writer: BillingWriter

    beforeAll(async () => {
      const { database, tables } = await fillDatabase(target, generatedHistory(5, 6))
      writer = databaseWriter(database, tables)
      const [straight, cached] = [holder(), holder()]
      const options = { tenant: ['all'], now: NOW, definitions: { allow_unpriced: true } }
      engines['straight'] = {
        engine: await engineOver(database, { ...options, wrapExecutor: straight.wrap }),
        hold: straight.hold,
      }
      engines['cached'] = {
        engine: (await cachedEngineOver(database, { ...options, wrapExecutor: cached.wrap })).engine,
        hold: cached.hold,
      }
    })
    afterAll(async () => {
      await Promise.all(Object.values(engines).map(({ engine }) => engine.close()))
      await writer?.close()
    })

    it.each(['straight', 'cached'])('sees what was written after that one had begun to read [%s]', async (way) => {
      const found = engines[way]
      if (found === undefined) throw new Error(`no engine ${way}`)
      const { engine, hold } = found
      const ask = async () => JSON.stringify((await engine.list('customers', { limit: '1000' })).data)
      const name = `renamed ${way}`
      expect(await ask()).not.toContain(name)
      const { begun, letGo } = hold()
      const before = ask()
      await begun
      const writing = await writer.begin('2024-05-20 11:00:00')
      const account = writer.rows('accounts')[0]
      if (account === undefined) throw new Error('there is no account')
      await writing.update('accounts', account, { name })
      await writing.commit()
      const after = [ask(), ask()]
      letGo()
      expect(await before).not.toContain(name)
      for (const answer of await Promise.all(after)) expect(answer).toContain(name)
    })
  },
  { only: ['postgres', 'mariadb'] },
)
