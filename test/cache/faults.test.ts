import { setTimeout } from 'node:timers/promises'
import { describe, expect, inject, it } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import { type Point, type SmallBilling, type SmallCache, settled, smallCache } from '../support/small-cache.ts'

const BUSY_MS = 60_000
const PATIENCE = { waitMs: 100, silenceMs: 200, retryMs: 20 }
/** Nothing is late where nothing goes wrong. */
const AMPLE = { ...PATIENCE, waitMs: BUSY_MS, silenceMs: BUSY_MS }
/** Waiting for its turn, in silence, and again while what is dropped is filled anew; the machine may be busy. */
const BOUND_MS = 100 * PATIENCE.silenceMs
const AT_A_TIME = 4
const KINDS = ['throws', 'throws an error for users', 'never comes back', 'comes back late', 'aborts the client'] as const
type Kind = (typeof KINDS)[number]

/** The n-th of all awaits of the cache on its ports goes wrong, in one way. */
function faultAt(kind: Kind, call: number, control: AbortController) {
  const places: string[] = []
  const point: Point = async (place) => {
    places.push(place)
    if (places.length !== call) return
    if (kind === 'throws') throw new Error(`broken at ${place}`)
    if (kind === 'throws an error for users') throw new AppError('connector_unavailable', `broken at ${place}`)
    if (kind === 'never comes back') return new Promise(() => {})
    if (kind === 'comes back late') await setTimeout(3 * PATIENCE.silenceMs)
    else control.abort(new Error('the client went away'))
  }
  return { point, places }
}

function start(isRequired: boolean, point: Point, patience = PATIENCE): Promise<{ billing: SmallBilling; cache: SmallCache }> {
  const billing: SmallBilling = { version: 1, now: new Date('2024-05-20T12:00:00Z') }
  return smallCache({ billing, patience, point, isRequired }).then((cache) => ({ billing, cache }))
}

/** A filling, an answer, a change and four answers at once; gives what became of every request. */
async function scenario(billing: SmallBilling, cache: SmallCache, signal: AbortSignal): Promise<string[]> {
  const outcomes: string[] = []
  const ask = async (): Promise<void> => {
    const { version } = billing
    const outcome = await settled(cache.version(signal), BOUND_MS)
    if (outcome === 'late') outcomes.push('late')
    else if (outcome === null) outcomes.push('declined')
    else if (outcome instanceof Error) outcomes.push(outcome.message)
    else outcomes.push(outcome.value >= `v${version}` ? 'answered' : `an answer of before: ${outcome.value}`)
  }
  await settled(cache.ready(signal), BOUND_MS)
  await ask()
  billing.version += 1
  await Promise.all([ask(), ask(), ask(), ask()])
  return outcomes
}

/** The first await that goes wrong, and how many further the next one is. */
type Steps = readonly [first: number, step: number]

// biome-ignore lint/style/noProcessEnv: the run's own switch, no product configuration
const { FAULT_STEP } = process.env

/**
 * Every kind begins at an await of its own, `shift` further in another mode, so that all of them share the awaits, and at another one in
 * another turn; with `FAULT_STEP=1` each await fails in each way.
 */
const stepsOf = (kind: Kind, usual: number, shift = 0): Steps => {
  const step = Number(FAULT_STEP ?? usual)
  return [1 + ((KINDS.indexOf(kind) + shift + inject('turn')) % step), step]
}

/** Each has a cache of its own and mostly waits, so that several go on at a time. */
async function forEachCall(calls: number, [first, step]: Steps, check: (call: number) => Promise<void>): Promise<void> {
  let next = first
  const work = async (): Promise<void> => {
    while (next <= calls) {
      const call = next
      next += step
      await check(call)
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, work))
}

const isAllowed = (outcome: string) =>
  ['answered', 'declined', 'the client went away'].includes(outcome) || outcome.startsWith('broken at')

/** The cache answers by itself again, more requests at once than it has readers. */
async function recovers({ billing, cache }: { billing: SmallBilling; cache: SmallCache }): Promise<boolean> {
  billing.version += 1
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => settled(cache.version(), BOUND_MS)))
    if (outcomes.includes('late')) return false
    if (
      outcomes.every(
        (outcome) =>
          outcome !== null && outcome !== 'late' && !(outcome instanceof Error) && outcome.value === `v${billing.version}`,
      )
    )
      return true
    await setTimeout(PATIENCE.retryMs)
  }
  return false
}

describe.each([
  ['on', true, 0],
  ['auto', false, KINDS.length],
] as const)('the cache (mode %s) when one of its awaits', (_mode, isRequired, shift) => {
  it.each(KINDS)(
    '%s: every request settles, and later ones are answered',
    async (kind) => {
      const dry = faultAt(kind, 0, new AbortController())
      const whole = await start(isRequired, dry.point, AMPLE)
      expect(await scenario(whole.billing, whole.cache, new AbortController().signal)).toEqual(Array(5).fill('answered'))
      const calls = dry.places.length
      expect(calls).toBeGreaterThan(30)
      await whole.cache.close()

      await forEachCall(calls, stepsOf(kind, 2 * KINDS.length, shift), async (call) => {
        const control = new AbortController()
        const { point, places } = faultAt(kind, call, control)
        const started = await start(isRequired, point)
        const outcomes = await scenario(started.billing, started.cache, control.signal)
        const where = `${kind} at await ${call}, ${places[call - 1]}: ${outcomes}`
        expect(outcomes.every(isAllowed), where).toBe(true)
        expect(await recovers(started), `${where}, and then`).toBe(true)
        expect(await settled(started.cache.close(), BOUND_MS), `${where}, closing`).toBeUndefined()
      })
    },
    600_000,
  )
})

describe('the cache that is closed', () => {
  it.each(KINDS)(
    'while an await of its %s releases everybody',
    async (kind) => {
      const dry = faultAt(kind, 0, new AbortController())
      const whole = await start(true, dry.point, AMPLE)
      await scenario(whole.billing, whole.cache, new AbortController().signal)
      await whole.cache.close()
      await forEachCall(dry.places.length, stepsOf(kind, 7), async (call) => {
        const control = new AbortController()
        const { point } = faultAt(kind, call, control)
        const { billing, cache } = await start(true, point)
        const asked = scenario(billing, cache, control.signal)
        await setTimeout(call)
        expect(await settled(cache.close(), BOUND_MS), `closing, ${kind} at ${call}`).toBeUndefined()
        const outcomes = await settled(asked, BOUND_MS)
        expect(Array.isArray(outcomes) && !outcomes.includes('late'), `${kind} at ${call}: ${String(outcomes)}`).toBe(true)
      })
    },
    300_000,
  )
})
