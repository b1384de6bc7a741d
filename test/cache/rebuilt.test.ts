import { expect, it } from 'vitest'
import { HORIZON } from '../../src/cache/mirror/mirror-tables.ts'
import type { CacheDatabase, CacheWriter } from '../../src/ports/cache-database.ts'
import { databaseWriter } from '../support/data/histories/database-writer.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory } from '../support/data/histories/generated-history.ts'
import { type Begun, beginRandomWrite, SHARED_WRITES } from '../support/data/histories/random-writes.ts'
import { DAY, dice, later } from '../support/data/histories/seeded-dice.ts'
import { PROPERTY_FACTOR, seedFor } from '../support/data/property-runs.ts'
import { describeTargets, isFirst } from '../support/databases/targets.ts'
import { heldDifferences, type Moment, soakedCache } from '../support/product/held-rows.ts'

const ROUNDS = 12
const ROUNDS_OF_OTHERS = 6
const SEED = 20260811
const ACCOUNTS = 24
const START = '2024-05-20 12:00:00'
const MOST_OPEN = 3
/** Rounds between comparisons. */
const EVERY = 2

describeTargets(
  'the rows that a cache rebuilds while the billing engine writes',
  (target) => {
    it('are those of a new filling, cell by cell, after each few rounds', async () => {
      const seed = seedFor(target, SEED)
      const rounds = (isFirst(target) ? ROUNDS : ROUNDS_OF_OTHERS) * PROPERTY_FACTOR
      const { database, tables } = await fillDatabase(target, generatedHistory(seed, ACCOUNTS))
      const writer = databaseWriter(database, tables)
      const places = { apart: 0, together: 0 }
      const kept = soakedCache(database.executor({ poolSize: 2 }), 'kept', null, (real) => countingPlaces(real, places))
      const draw = dice(seed)
      const open: Begun[] = []
      const fillings = new Set<string>()
      let moment: Moment = { now: START, seconds: 0 }
      try {
        for (let round = 1; round <= rounds; round += 1) {
          const names: string[] = []
          for (let count = draw.below(3); count >= 0; count -= 1) {
            const begun = await beginRandomWrite(writer, draw, moment.now)
            names.push(begun.name)
            if (draw.chance(20) && open.length < MOST_OPEN && !SHARED_WRITES.includes(begun.name)) open.push(begun)
            else await begun.commit()
          }
          if (open.length > 0 && draw.chance(25)) await open.shift()?.[draw.chance(80) ? 'commit' : 'rollback']()
          moment = {
            now: draw.chance(25) ? later(moment.now, draw.pick([1, 3_600, DAY, 5 * DAY, 17 * DAY])) : moment.now,
            // No open transaction becomes older than the longest of an engine.
            seconds: moment.seconds + (draw.chance(20) ? (open.length > 0 ? 100 : 2 * DAY) : 1),
          }
          const rebuilt = await kept.held(moment)
          fillings.add(rebuilt.filled_at)
          if (round % EVERY !== 0) continue
          const anew = soakedCache(database.executor({ poolSize: 2 }), 'filled anew', null)
          const filled = await anew.held(moment).finally(() => anew.cache.close())
          const found = heldDifferences(['rebuilt', rebuilt.tables], ['filled', filled.tables])
          expect(found, `seed ${seed}, round ${round}, after ${names.join(', ')}, at ${moment.now}`).toBeUndefined()
        }
        expect(kept.failures()).toEqual([])
        // The scratch database makes the rows of few customers, also of linked ones. The cache's own makes those of a filling.
        expect(places.apart).toBeGreaterThan(0)
        expect(places.together).toBeGreaterThan(0)
        // Most rounds are followed by a refresh.
        expect(fillings.size).toBeLessThan(rounds / 2)
      } finally {
        for (const transaction of open) await transaction.rollback()
        await kept.cache.close()
        await writer.close()
      }
    }, 3_600_000)
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)

/** Counts the rebuilds in each place. A rebuild that finds many linked customers goes on in the cache's own. */
function countingPlaces(real: CacheDatabase, places: { apart: number; together: number }): CacheDatabase {
  return {
    ...real,
    write: (work) =>
      real.write((writer) => {
        const counting: CacheWriter = {
          ...writer,
          append(table, ...rest) {
            if (table === HORIZON) places.apart += 1
            return writer.append(table, ...rest)
          },
          query(statement) {
            if (statement.text.startsWith(`insert into ${HORIZON} `)) places.together += 1
            return writer.query(statement)
          },
        }
        return work(counting)
      }),
  }
}
