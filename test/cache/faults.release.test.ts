import { setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import type { Patience } from '../../src/cache/mirror/options.ts'
import { AppError } from '../../src/core/errors.ts'
import {
  type Point,
  type SmallBilling,
  type SmallCache,
  settled,
  silenceMeter,
  smallCache,
} from '../support/product/small-cache.ts'

const BUSY_MS = 60_000
/** How long the cache waits at least, however quick the machine. */
const LEAST: Patience = { waitMs: 100, silenceMs: 200, retryMs: 20, idleMs: 60_000, sweepMs: 300_000 }
/** Nothing is late where nothing goes wrong. */
const AMPLE: Patience = { ...LEAST, waitMs: BUSY_MS, silenceMs: BUSY_MS }
const AT_A_TIME = 4
const KINDS = ['throws', 'throws an error for users', 'never comes back', 'comes back late', 'aborts the client'] as const
type Kind = (typeof KINDS)[number]

/** Long enough to wait in the queue, in silence, and for a new filling after a drop. The machine may be busy. */
const boundOf = ({ silenceMs }: Patience) => 100 * silenceMs

/** The n-th of all awaits of the cache on its ports goes wrong, in one way. */
function faultAt(kind: Kind, call: number, control: AbortController, { silenceMs }: Patience) {
  const places: string[] = []
  const point: Point = async (place) => {
    places.push(place)
    if (places.length !== call) return
    if (kind === 'throws') throw new Error(`broken at ${place}`)
    if (kind === 'throws an error for users') throw new AppError('connector_unavailable', `broken at ${place}`)
    if (kind === 'never comes back') return new Promise(() => {})
    if (kind === 'comes back late') await setTimeout(3 * silenceMs)
    else control.abort(new Error('the client went away'))
  }
  return { point, places }
}

interface Started {
  readonly billing: SmallBilling
  readonly cache: SmallCache
  readonly patience: Patience
}

async function start(isRequired: boolean, point: Point, patience: Patience): Promise<Started> {
  const billing: SmallBilling = { version: 1, now: new Date('2024-05-20T12:00:00Z') }
  return { billing, cache: await smallCache({ billing, patience, point, isRequired }), patience }
}

/** A filling, an answer, a change and four answers at once; gives what became of every request. */
async function scenario({ billing, cache, patience }: Started, signal: AbortSignal): Promise<string[]> {
  const boundMs = boundOf(patience)
  const outcomes: string[] = []
  const ask = async (): Promise<void> => {
    const { version } = billing
    const outcome = await settled(cache.version(signal), boundMs)
    if (outcome === 'late') outcomes.push('late')
    else if (outcome === null) outcomes.push('declined')
    else if (outcome instanceof Error) outcomes.push(outcome.message)
    else outcomes.push(outcome.value >= `v${version}` ? 'answered' : `an answer of before: ${outcome.value}`)
  }
  await settled(cache.ready(signal), boundMs)
  await ask()
  billing.version += 1
  await Promise.all([ask(), ask(), ask(), ask()])
  return outcomes
}

interface Whole {
  /** The awaits of a scenario in which nothing goes wrong. */
  readonly calls: number
  /** The patience of the cache in this case. */
  readonly patience: Patience
}

/**
 * A scenario in which nothing goes wrong. The longest silence in it tells what this machine needs now: a cache that has less patience is
 * dropped while it is being filled, again and again.
 */
async function wholeScenario(isRequired: boolean): Promise<Whole> {
  const meter = silenceMeter()
  const whole = await start(isRequired, meter.point, AMPLE)
  expect(await scenario(whole, new AbortController().signal)).toEqual(Array(5).fill('answered'))
  const calls = meter.calls()
  expect(calls).toBeGreaterThan(30)
  await whole.cache.close()
  const silenceMs = Math.max(LEAST.silenceMs, 2 * AT_A_TIME * meter.longestMs())
  return { calls, patience: { ...LEAST, waitMs: Math.max(LEAST.waitMs, silenceMs / 2), silenceMs } }
}

/** The first await that goes wrong, and how many further the next one is. */
type Steps = readonly [first: number, step: number]

// biome-ignore lint/style/noProcessEnv: the run's own switch, no product configuration
const { FAULT_STEP } = process.env

/**
 * Each kind of fault begins at another await, and `shift` further in another mode, so that together they cover the awaits. Another turn begins
 * elsewhere. With `FAULT_STEP=1` each await fails in each way.
 */
const stepsOf = (kind: Kind, usual: number, shift = 0): Steps => {
  const step = Number(FAULT_STEP ?? usual)
  return [1 + ((KINDS.indexOf(kind) + shift + inject('turn')) % step), step]
}

/** Each call has its own cache and mostly waits, so several run at a time. */
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
async function recovers({ billing, cache, patience }: Started): Promise<boolean> {
  billing.version += 1
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => settled(cache.version(), boundOf(patience))))
    if (outcomes.includes('late')) return false
    if (
      outcomes.every(
        (outcome) =>
          outcome !== null && outcome !== 'late' && !(outcome instanceof Error) && outcome.value === `v${billing.version}`,
      )
    )
      return true
    await setTimeout(patience.retryMs)
  }
  return false
}

describe.each([
  ['on', true, 0],
  ['auto', false, KINDS.length],
] as const)('the cache (mode %s) when one of its awaits', (_mode, isRequired, shift) => {
  let whole: Whole
  beforeAll(async () => {
    whole = await wholeScenario(isRequired)
  })

  it.each(KINDS)(
    '%s: every request settles, and later ones are answered',
    async (kind) => {
      const { calls, patience } = whole
      await forEachCall(calls, stepsOf(kind, 2 * KINDS.length, shift), async (call) => {
        const control = new AbortController()
        const { point, places } = faultAt(kind, call, control, patience)
        const started = await start(isRequired, point, patience)
        const outcomes = await scenario(started, control.signal)
        const where = `${kind} at await ${call}, ${places[call - 1]}: ${outcomes}`
        expect(outcomes.every(isAllowed), where).toBe(true)
        expect(await recovers(started), `${where}, and then`).toBe(true)
        expect(await settled(started.cache.close(), boundOf(patience)), `${where}, closing`).toBeUndefined()
      })
    },
    600_000,
  )
})

describe('the cache that is closed', () => {
  let whole: Whole
  beforeAll(async () => {
    whole = await wholeScenario(true)
  })

  it.each(KINDS)(
    'while an await of its %s releases everybody',
    async (kind) => {
      const { calls, patience } = whole
      const boundMs = boundOf(patience)
      await forEachCall(calls, stepsOf(kind, 7), async (call) => {
        const control = new AbortController()
        const { point } = faultAt(kind, call, control, patience)
        const started = await start(true, point, patience)
        const asked = scenario(started, control.signal)
        await setTimeout(call)
        expect(await settled(started.cache.close(), boundMs), `closing, ${kind} at ${call}`).toBeUndefined()
        const outcomes = await settled(asked, boundMs)
        expect(Array.isArray(outcomes) && !outcomes.includes('late'), `${kind} at ${call}: ${String(outcomes)}`).toBe(true)
      })
    },
    300_000,
  )
})
