import { afterEach, expect, it } from 'vitest'
import type { CacheState } from '../../src/ports/read-through.ts'
import { type SmallBilling, type SmallCache, smallCache } from '../support/product/small-cache.ts'

const PATIENCE = { waitMs: 60_000, silenceMs: 60_000, retryMs: 60_000, idleMs: 60_000, sweepMs: 300_000 }
const CAUSE = { reason: 'settings', text: 'the tenants have changed' }
const REASON = `The cache has to be filled again: ${CAUSE.text}.`

let cache: SmallCache
afterEach(() => cache.close())

/** A cache whose n-th look of all, counted from 1, asks for a refill if `isRefill` says so. The first look of a filling has no marks. */
async function looking(isRefill: (look: number) => boolean) {
  const billing: SmallBilling = { version: 1, now: new Date('2024-05-20T12:00:00Z') }
  const states: CacheState[] = []
  let [looks, fillings] = [0, 0]
  cache = await smallCache({
    billing,
    patience: PATIENCE,
    onProgress: (state) => states.push(state),
    async point(place) {
      if (place === 'open') fillings += 1
      if (place !== 'source.look') return
      looks += 1
      billing.refill = isRefill(looks) ? CAUSE : undefined
    },
  })
  return { states, fillings: () => fillings }
}

it('a filling that is outdated at its end begins again at once, and is no failure', async () => {
  const { states, fillings } = await looking((look) => look === 2)
  expect(await cache.ready()).toEqual({ status: 'ready', accounts: 3 })
  expect(fillings()).toBe(2)
  expect(cache.failures).toEqual([])
  expect(cache.refills).toEqual([CAUSE])
  expect(cache.statistics().refills).toEqual({ settings: 1 })
  expect(states.some(({ status }) => status === 'failed')).toBe(false)
  expect(await cache.version()).toEqual({ value: 'v1' })
})

it('a filling that is outdated a second time waits, and the state has the cause', async () => {
  const { fillings } = await looking(() => true)
  expect(await cache.ready()).toEqual({ status: 'failed', accounts: 0, reason: REASON })
  expect(fillings()).toBe(2)
  expect(await cache.version()).toBeNull()
  expect(fillings()).toBe(2)
  expect(cache.failures).toEqual([])
  expect(cache.refills.length).toBeGreaterThan(0)
})

it('a cache that is outdated later is filled again, and is no failure', async () => {
  const { fillings } = await looking((look) => look === 3)
  await cache.ready()
  expect(await cache.version()).toBeNull()
  expect(await cache.ready()).toEqual({ status: 'ready', accounts: 3 })
  expect(fillings()).toBe(2)
  expect(cache.failures).toEqual([])
  expect(cache.refills.length).toBeGreaterThan(0)
})
