import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { dice } from '../support/data/histories/seeded-dice.ts'
import { type Point, type SmallBilling, settled, smallCache } from '../support/product/small-cache.ts'

// biome-ignore lint/style/noProcessEnv: a longer or another run by hand, no product configuration
const { SOAK_SECONDS, SOAK_SEED } = process.env
const SECONDS = Number(SOAK_SECONDS ?? 4)
const SEED = Number(SOAK_SEED ?? Date.now() % 1_000_000)
const CLIENTS = 12
const PATIENCE = { waitMs: 200, silenceMs: 400, retryMs: 20, idleMs: 60_000 }
const BOUND_MS = 60 * PATIENCE.silenceMs

it(`answers, declines or fails, and never keeps anybody waiting (seed ${SEED})`, async () => {
  const draw = dice(SEED)
  let isFaulty = true
  const point: Point = async (place) => {
    if (!isFaulty || draw.below(1_000) >= 15) return
    const fault = draw.pick(['throws', 'never', 'late'])
    if (fault === 'throws') throw new Error(`broken at ${place}`)
    if (fault === 'never') return new Promise(() => {})
    await setTimeout(draw.pick([PATIENCE.waitMs, PATIENCE.silenceMs * 2]))
  }
  const billing: SmallBilling = { version: 1_000, now: new Date('2024-05-20T12:00:00Z') }
  const cache = await smallCache({ billing, patience: PATIENCE, point })
  const tally: Record<string, number> = {}
  const count = (outcome: string) => {
    tally[outcome] = (tally[outcome] ?? 0) + 1
  }
  const askOnce = async () => {
    const control = new AbortController()
    const { version } = billing
    const leaves = draw.chance(20)
    const asked = settled(cache.version(control.signal), BOUND_MS)
    if (leaves) void setTimeout(draw.below(30)).then(() => control.abort(new Error('gone')))
    const outcome = await asked
    if (outcome === 'late') count('late')
    else if (outcome === null) count('declined')
    else if (outcome instanceof Error) count(outcome.message.startsWith('broken at') ? 'failed' : outcome.message)
    else count(outcome.value >= `v${version}` ? 'answered' : 'an answer of before')
  }
  const end = performance.now() + SECONDS * 1_000
  const client = async () => {
    while (performance.now() < end) {
      if (draw.chance(15)) billing.version += 1
      await askOnce()
      await setTimeout(draw.below(10))
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))

  expect(Object.keys(tally).sort(), JSON.stringify(tally)).toEqual(expect.arrayContaining(['answered', 'declined', 'gone']))
  expect(Object.keys(tally).filter((outcome) => !['answered', 'declined', 'failed', 'gone'].includes(outcome))).toEqual([])
  isFaulty = false
  await expect.poll(async () => (await cache.version())?.value, { timeout: BOUND_MS }).toBe(`v${billing.version}`)
  const { answered, declined } = cache.statistics()
  expect(answered).toBeGreaterThan(tally['answered'] ?? 0)
  expect(Object.values(declined).reduce((sum, number) => sum + number, 0)).toBeGreaterThanOrEqual(tally['declined'] ?? 0)
  expect(await settled(cache.close(), BOUND_MS)).toBeUndefined()
}, 300_000)
