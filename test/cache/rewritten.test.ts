import { afterAll, beforeAll, expect, it } from 'vitest'
import { fixedClock } from '../../src/core/clock.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { copyOfReal } from '../support/data/killbill/recorded-database.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'
import { type CountedCache, countedCache } from '../support/product/counted-cache.ts'
import { mirrored } from '../support/product/mirrored.ts'
import { END_OF_RECORDING, engineOver } from '../support/product/recorded-engine.ts'

/** So often it is asked after a change. */
const LOOKS = 4

describeTargets(
  'tables that their server keeps in another file',
  (target) => {
    let database: TestDatabase
    let engine: Engine
    let cache: CountedCache
    let fillings = 0
    let wanted: unknown

    beforeAll(async () => {
      database = await copyOfReal(target)
      engine = await engineOver(database, {
        tenant: ['all'],
        cache: (executor, connector, definitions) => {
          const counted = mirrored(
            connector,
            () => performance.now() / 1_000,
            (look) => (snapshot, request, marks, held) => {
              if (marks === undefined) fillings += 1
              return look(snapshot, request, marks, held)
            },
          )
          cache = countedCache(executor, counted, { clock: fixedClock(END_OF_RECORDING), definitions })
          return cache
        },
      })
      wanted = await ask()
    })
    afterAll(() => engine.close())

    const ask = async () => (await engine.query('mrr', { at: '2026-10-31' }, { dimensions: ['plan_id'] })).data
    /** Asks again and again, and counts the fillings that it takes. */
    const fillingsAfter = async (...statements: readonly string[]) => {
      const before = [fillings, cache.answered()] as const
      for (const statement of statements) await database.adminQuery(statement)
      for (let look = 0; look < LOOKS; look += 1) {
        expect(await ask()).toEqual(wanted)
      }
      expect(cache.failures()).toEqual([])
      // The question that sees the change is answered by the database.
      const filled = fillings - before[0]
      expect(cache.answered() - before[1]).toBe(LOOKS - filled)
      return filled
    }

    it.each([
      ['a table of customers is written anew', ['vacuum full accounts']],
      ['it is sorted by an index', ['cluster accounts using accounts_id']],
    ])('fills once where %s', async (_, statements) => {
      expect(await fillingsAfter(...statements)).toBe(1)
    })

    it('fills never for what leaves the tables where they are', async () => {
      const kept = [
        'create table plumbline_other as select 1 as one',
        'truncate plumbline_other',
        'vacuum full plumbline_other',
        'alter table plumbline_other add column two integer',
        'drop table plumbline_other',
        'analyze',
        'vacuum accounts',
        'create index plumbline_index on accounts (email)',
        'reindex table accounts',
        'vacuum full invoice_items',
        'alter table accounts alter column email set statistics 500',
        'comment on table accounts is null',
        'checkpoint',
        'select pg_switch_wal()',
        'create schema plumbline_elsewhere',
        'create table plumbline_elsewhere.accounts as select * from accounts limit 1',
      ]
      expect(await fillingsAfter(...kept)).toBe(0)
    })
  },
  { only: ['postgres'] },
)
