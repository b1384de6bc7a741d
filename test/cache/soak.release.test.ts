import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Patience } from '../../src/cache/mirror/options.ts'
import { dice } from '../support/data/histories/seeded-dice.ts'
import { type Point, type SmallBilling, settled, silenceMeter, smallCache } from '../support/product/small-cache.ts'

// biome-ignore lint/style/noProcessEnv: a longer or another run by hand, no product configuration
const { SOAK_SECONDS, SOAK_SEED } = process.env
const SECONDS = Number(SOAK_SECONDS ?? 4)
const SEED = Number(SOAK_SEED ?? Date.now() % 1_000_000)
const CLIENTS = 12
/** How long the cache waits at least, however quick the machine. */
const LEAST: Patience = { waitMs: 200, silenceMs: 400, retryMs: 20, idleMs: 60_000, sweepMs: 300_000 }
const BUSY_MS = 60_000
const WANTED = ['answered', 'declined', 'gone']

/** A cache in which nothing goes wrong tells how much patience this machine needs now for its clients. */
async function patienceNow(): Promise<Patience> {
  const billing: SmallBilling = { version: 1_000, now: new Date('2024-05-20T12:00:00Z') }
  const meter = silenceMeter()
  const cache = await smallCache({ billing, patience: { ...LEAST, waitMs: BUSY_MS, silenceMs: BUSY_MS }, point: meter.point })
  for (let round = 0; round < 2; round += 1) {
    billing.version += 1
    await Promise.all(Array.from({ length: CLIENTS }, () => cache.version()))
  }
  await cache.close()
  const silenceMs = Math.max(LEAST.silenceMs, 4 * meter.longestMs())
  return { ...LEAST, waitMs: silenceMs / 2, silenceMs }
}

it(`answers, declines or fails, and never keeps anybody waiting (seed ${SEED})`, async () => {
  const patience = await patienceNow()
  const boundMs = 60 * patience.silenceMs
  const draw = dice(SEED)
  let isFaulty = true
  const point: Point = async (place) => {
    if (!isFaulty || draw.below(1_000) >= 15) return
    const fault = draw.pick(['throws', 'never', 'late'])
    if (fault === 'throws') throw new Error(`broken at ${place}`)
    if (fault === 'never') return new Promise(() => {})
    await setTimeout(draw.pick([patience.waitMs, patience.silenceMs * 2]))
  }
  const billing: SmallBilling = { version: 1_000, now: new Date('2024-05-20T12:00:00Z') }
  const cache = await smallCache({ billing, patience, point })
  const tally: Record<string, number> = {}
  const count = (outcome: string) => {
    tally[outcome] = (tally[outcome] ?? 0) + 1
  }
  const askOnce = async () => {
    const control = new AbortController()
    const { version } = billing
    const leaves = draw.chance(20)
    const asked = settled(cache.version(control.signal), boundMs)
    if (leaves) void setTimeout(draw.below(30)).then(() => control.abort(new Error('gone')))
    const outcome = await asked
    if (outcome === 'late') count('late')
    else if (outcome === null) count('declined')
    else if (outcome instanceof Error) count(outcome.message.startsWith('broken at') ? 'failed' : outcome.message)
    else count(outcome.value >= `v${version}` ? 'answered' : 'an answer of before')
  }
  const begun = performance.now()
  // Fillings fail in a row now and then. The clients go on until every outcome has occurred.
  const goesOn = () => {
    const elapsed = performance.now() - begun
    return elapsed < SECONDS * 1_000 || (elapsed < boundMs && WANTED.some((outcome) => tally[outcome] === undefined))
  }
  const client = async () => {
    while (goesOn()) {
      if (draw.chance(15)) billing.version += 1
      await askOnce()
      await setTimeout(draw.below(10))
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))

  expect(Object.keys(tally).sort(), JSON.stringify(tally)).toEqual(expect.arrayContaining(WANTED))
  expect(Object.keys(tally).filter((outcome) => !['answered', 'declined', 'failed', 'gone'].includes(outcome))).toEqual([])
  isFaulty = false
  await expect.poll(async () => (await cache.version())?.value, { timeout: boundMs }).toBe(`v${billing.version}`)
  const { answered, declined } = cache.statistics()
  expect(answered).toBeGreaterThan(tally['answered'] ?? 0)
  expect(Object.values(declined).reduce((sum, number) => sum + number, 0)).toBeGreaterThanOrEqual(tally['declined'] ?? 0)
  expect(await settled(cache.close(), boundMs)).toBeUndefined()
}, 300_000)
