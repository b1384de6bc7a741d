import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createKillbillConnector } from '../../connectors/killbill/index.ts'
import { fixedClock } from '../../src/core/clock.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import type { Answer } from '../../src/engine/engine.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory } from '../support/data/histories/generated-history.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { cacheOver } from '../support/product/recorded-engine.ts'
import { META, serviceOver } from './recording-engine.ts'

/** A stop of the thread is small if it takes less than this share of the whole work. */
const SMALL = 0.25
const ROUNDS = 5
/** Long enough for the timer that measures delays to fire, milliseconds. */
const TURN_MS = 5

/** The longest stop of this thread during the work, as a share of the time of the whole work. */
async function shareOfStop(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await setTimeout(TURN_MS)
  const began = performance.now()
  await work()
  const whole = performance.now() - began
  await setTimeout(TURN_MS)
  delay.disable()
  return delay.max / 1e6 / whole
}

/** The smallest share of several rounds, up to the first small one. Other work of the machine stops a thread in some rounds, but hardly in all. */
async function smallestShare(work: () => Promise<unknown>): Promise<number> {
  let smallest = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS && smallest >= SMALL; round += 1) smallest = Math.min(smallest, await shareOfStop(work))
  return smallest
}

describe('the thread that serves, while a large answer is rendered', () => {
  const COLUMNS = ['customer_id', 'plan_id', 'period', 'mrr', 'subscriptions', 'name', 'country', 'share'] as const
  const ROWS = Array.from({ length: 50_000 }, (_, index) => ({
    customer_id: `customer-${index}`,
    plan_id: `plan-${index % 40}`,
    period: '2026-01-01',
    mrr: index * 100,
    subscriptions: index % 7,
    name: `The name, quoted, of number ${index}`,
    country: 'DE',
    share: index / 50_000,
  }))
  const render = (format: string, count: number) => {
    const answer: Answer = { data: ROWS.slice(0, count), kind: 'rows', columns: COLUMNS, meta: META }
    const { app } = serviceOver({ query: async () => answer })
    return async () => {
      const response = await app.request(`/api/metrics/mrr?format=${format}`)
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(count)
    }
  }

  it.each([
    ['json', ROWS.length],
    ['csv', ROWS.length],
    ['xlsx', ROWS.length / 5],
  ])('stops for a small part of the whole: %s', async (format, count) => {
    const work = render(format, count)
    // The first time compiles the code and loads the library.
    await work()
    expect(await smallestShare(work)).toBeLessThan(SMALL)
  })

  it('would stop for most of the whole if it were rendered at once', async () => {
    expect(await smallestShare(async () => JSON.stringify(ROWS))).toBeGreaterThan(2 * SMALL)
  })
})

oneEngineInRotation(
  'the thread that serves, while a cache is filled',
  (target) => {
    it('stops for a small part of the whole', async () => {
      const { database } = await fillDatabase(target, generatedHistory(11, 150))
      const fill = async () => {
        const cache = cacheOver(database.executor(), createKillbillConnector({ tenant: ['all'], catalog: [] }), {
          clock: fixedClock(new Date('2024-05-20T12:00:00Z')),
          definitions: definitionsSchema.parse({ base_currency: 'USD', allow_unpriced: true }),
        })
        try {
          expect((await cache.ready()).status).toBe('ready')
        } finally {
          await cache.close()
        }
      }
      // The first one loads the library and compiles the relations.
      await fill()
      expect(await smallestShare(fill)).toBeLessThan(SMALL)
    })
  },
  { only: ['postgres', 'mariadb'] },
)
