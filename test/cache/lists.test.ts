import { expect, it } from 'vitest'
import type { Snapshot } from '../../src/ports/snapshot.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { describeTargets } from '../support/databases/targets.ts'
import { cachedEngineOver } from '../support/product/counted-cache.ts'

describeTargets(
  'lists from the cache',
  (target) => {
    it('count all rows without a window over them, which ends the database now and then', async () => {
      const asked: string[] = []
      const { engine, cache } = await cachedEngineOver(
        await sharedReal(target),
        { tenant: ['beta'] },
        {
          wrap: (database) => ({
            ...database,
            reader: {
              ...database.reader,
              withSnapshot: (work, options) =>
                database.reader.withSnapshot((snapshot) => {
                  const heard: Snapshot = {
                    ...snapshot,
                    query: (statement) => {
                      asked.push(statement.text)
                      return snapshot.query(statement)
                    },
                  }
                  return work(heard)
                }, options),
            },
          }),
        },
      )
      try {
        for (const name of ['customers', 'subscriptions'] as const) {
          const { data } = await engine.list(name, { limit: 2, offset: 1 })
          const all = (await engine.list(name, { limit: 1000 })).data as { readonly total: number; readonly rows: unknown[] }
          expect(all.total).toBe(all.rows.length)
          expect(data).toMatchObject({ total: all.total, rows: all.rows.slice(1, 3) })
        }
        expect(cache.answered()).toBe(4)
        expect(asked.filter((text) => text.includes('total_count')).length).toBe(4)
        expect(asked.filter((text) => /over\s*\(\s*\)/.test(text))).toEqual([])
      } finally {
        await engine.close()
      }
    })
  },
  { only: ['postgres'] },
)
