import { setTimeout } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { definitionsSchema } from '../../src/core/definitions.ts'
import { AppError, InternalError } from '../../src/core/errors.ts'
import { type Point, type SmallBilling, type SmallCache, smallCache } from '../support/product/small-cache.ts'

const NOW = new Date('2024-05-20T12:00:00Z')
const PATIENCE = { waitMs: 60_000, silenceMs: 60_000, retryMs: 50, idleMs: 60_000, sweepMs: 300_000 }
const REQUEST = () => ({ now: NOW, definitions: definitionsSchema.parse({ base_currency: 'USD' }) })
describe.each([
  ['on', true],
  ['auto', false],
] as const)('a cache (mode %s)', (_mode, isRequired) => {
  let cache: SmallCache
  let opened = 0
  const started = async (fault: Point = async () => {}) => {
    const billing: SmallBilling = { version: 1, now: NOW }
    opened = 0
    const point: Point = async (place) => {
      if (place === 'open') opened += 1
      await fault(place)
    }
    cache = await smallCache({ billing, patience: PATIENCE, point, isRequired })
    await cache.ready()
    return billing
  }
  const answersAgain = async () => {
    await expect.poll(async () => (await cache.version())?.value, { timeout: 30_000, interval: 50 }).toBe('v1')
  }
  afterEach(() => cache.close())

  it('is filled again when its database is dead, and leaves requests to the replica until then', async () => {
    let isDead = false
    await started(async (place) => {
      if (place === 'open') isDead = false
      // Every statement of an invalidated database is refused, also the one that opens a snapshot.
      if (isDead && /^(reader|write)\./.test(place)) throw new Error('FATAL Error: database has been invalidated')
    })
    isDead = true
    expect(await Promise.all([cache.version(), cache.version(), cache.version()])).toEqual([null, null, null])
    await answersAgain()
    expect(opened).toBe(2)
    expect(cache.failures.map(String)).toEqual(['Error: FATAL Error: database has been invalidated'])
  })

  it('is filled again for a statement that fails once, and not again for one that fails each time', async () => {
    let isBroken = true
    await started(async (place) => {
      if (isBroken && place === 'reader.query') throw new Error('no answer')
    })
    expect(await cache.version()).toBeNull()
    await expect.poll(() => cache.state().status).toBe('ready')
    expect(opened).toBe(2)
    for (let turn = 0; turn < 5; turn += 1) {
      await setTimeout(PATIENCE.retryMs)
      expect(await cache.version()).toBeNull()
      expect(cache.state().status).toBe('ready')
    }
    expect(opened).toBe(2)
    expect(cache.statistics()).toMatchObject({ answered: 0, declined: { failed: 6 } })
    isBroken = false
    await answersAgain()
  })

  it('keeps what it has when the fault is ours or the request’s', async () => {
    await started()
    const fails = (error: Error) => cache.read(REQUEST, () => Promise.reject(error))
    expect(await fails(new InternalError('a shape that nobody expected'))).toBeNull()
    expect(cache.failures.map(String)).toEqual(['InternalError: a shape that nobody expected'])
    await expect(fails(new AppError('unpriced_plan', 'no price'))).rejects.toMatchObject({ code: 'unpriced_plan' })
    await expect(fails(new AppError('query_timeout', 'too long'))).rejects.toMatchObject({ code: 'query_timeout' })
    expect(await cache.version()).toEqual({ value: 'v1' })
    expect(opened).toBe(1)
    expect(cache.failures.length).toBe(1)
  })

  it('tells after a sign of life how many answers came from it, and from when it is', async () => {
    let isBroken = false
    const billing = await started(async (place) => {
      if (isBroken && place === 'write.query') throw new Error('no sign of life')
    })
    await cache.version()
    billing.now = new Date('2024-05-20T12:00:10Z')
    await cache.version()
    expect(await cache.probe()).toEqual({
      status: 'ready',
      accounts: 3,
      snapshot_at: '2024-05-20T12:00:10.000Z',
      answered: 2,
      declined: {},
      refills: {},
    })
    isBroken = true
    expect((await cache.probe()).status).not.toBe('ready')
    isBroken = false
    await answersAgain()
    expect(await cache.probe()).toMatchObject({ status: 'ready', refills: { failure: 1 } })
    expect(opened).toBeGreaterThan(1)
  })

  it('releases a client that leaves, wherever it waits and however long that still takes', async () => {
    for (const stage of ['replica.enter', 'source.look', 'reader.enter', 'reader.query']) {
      const held = { isHeld: false, stands: () => {}, letGo: () => {} }
      const isThere = new Promise<void>((resolve) => {
        held.stands = resolve
      })
      const mayGo = new Promise<void>((resolve) => {
        held.letGo = resolve
      })
      await started(async (place) => {
        if (!held.isHeld || place !== stage) return
        held.stands()
        await mayGo
      })
      held.isHeld = true
      const control = new AbortController()
      const asked = [cache.version(control.signal), cache.version(control.signal)]
      await isThere
      control.abort(new Error('gone'))
      for (const outcome of await Promise.allSettled(asked)) {
        expect(outcome, stage).toMatchObject({ status: 'rejected', reason: { message: 'gone' } })
      }
      held.letGo()
      await answersAgain()
      await cache.close()
    }
  })
})
