import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { Clock } from '../../src/core/clock.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { CountedRow } from '../../src/evidence/rows.ts'
import { groupableFields } from '../../src/query/inputs.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory, RATES_CSV } from '../support/data/histories/generated-history.ts'
import { type Dice, dice } from '../support/data/histories/seeded-dice.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { PROPERTY_FACTOR, seedFor } from '../support/data/property-runs.ts'
import { firstEngineAndOneOther, oneEngineInRotation } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { type CountedCache, cachedEngineOver } from '../support/product/counted-cache.ts'
import { cellsOf } from '../support/product/number-cells.ts'
import { type OfferedRequest, offeredRequests } from '../support/product/offered-requests.ts'
import { OPTION_SETS } from '../support/product/option-sets.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { keptStore } from '../support/product/store-with-segments.ts'

/** Numbers asked for in one run: of the cache, and of each database directly, where a statement takes longer. */
const FROM_CACHE = 250 * PROPERTY_FACTOR
const STRAIGHT = 12 * PROPERTY_FACTOR
const CELLS_OF_ANSWER = 3

/** Days of generated histories with many changes. */
const GENERATED = { start: '2023-11-17', end: '2024-05-08' }

/** Half of the numbers are those of the default set. */
const SETS = Object.keys(OPTION_SETS).flatMap((name) => ['default', name])

const SEGMENTS = ['US', 'DE'].map((country) =>
  JSON.stringify({ root: { op: 'and', conditions: [{ field: 'customer_country', op: '=', value: country }] } }),
)

/** A request of any query under any definition set, with one or two dimensions or a comparison of segments in place of those offered. */
function drawn(draw: Dice, requests: readonly OfferedRequest[], engine: Engine): OfferedRequest {
  const request = draw.pick(requests)
  const definitions = draw.pick(SETS)
  const asked = { ...request, name: `${request.name} under ${definitions}`, params: { ...request.params, definitions } }
  const { inputs } = engine.metric(request.metric)?.queries[request.params['query_type'] ?? ''] ?? {}
  const known = inputs === undefined ? [] : groupableFields(inputs, false).map(({ key }) => key)
  if (known.length === 0 || draw.chance(40)) return asked
  const dimensions = [...new Set([draw.pick(known), draw.pick(known)])].slice(0, draw.pick([1, 2]))
  const compare = draw.chance(25) ? { compare: SEGMENTS } : {}
  const spec = { ...request.spec, dimensions, ...compare }
  return { ...asked, name: `${asked.name}, but by ${dimensions}`, spec }
}

/** The numbers whose rows add up to something else, and how many were asked for. */
async function compared(engine: Engine, draw: Dice, most: number, range?: { readonly start: string; readonly end: string }) {
  const requests = (await offeredRequests(engine, range)).filter(
    ({ metric, params }) => metric !== 'expenses' && params['format'] === undefined && params['query_type'] !== 'why',
  )
  const wrong: string[] = []
  const measures = new Set<string>()
  for (let asked = 0; asked < most; ) {
    const request = drawn(draw, requests, engine)
    const cells = await cellsOf(engine, request)
    for (let index = 0; index < CELLS_OF_ANSWER && cells.length > 0; index++) {
      const cell = draw.pick(cells)
      asked += 1
      measures.add(`${cell.metric} ${String(cell.params['measure'])}`)
      const { data } = await engine.metricRows(cell.metric, cell.params, cell.spec, { isWhole: true })
      const { sum, rows } = data as { readonly sum: number; readonly rows: readonly CountedRow[] }
      const added = rows.reduce((total, row) => total + (row.amount_base_cents ?? row.amount_cents ?? row.count), 0)
      if (sum !== cell.value || added !== cell.value)
        wrong.push(`${cell.name}: the rows add up to ${added}, their sum is ${sum}, the number is ${cell.value}`)
    }
  }
  return { wrong, measures }
}

oneEngineInRotation('rows behind numbers from the cache', (target) => {
  let database: TestDatabase
  let engine: Engine
  let cache: CountedCache
  beforeAll(async () => {
    database = await sharedReal(target)
    ;({ engine, cache } = await cachedEngineOver(database, { tenant: ['all'], sets: OPTION_SETS }))
    await cache.ready()
  })
  afterAll(async () => {
    await engine.close()
    await database.drop()
  })

  it(`add up to ${FROM_CACHE} numbers exactly`, { timeout: 600_000 * PROPERTY_FACTOR }, async () => {
    const seed = inject('turn') + 1
    const { wrong, measures } = await compared(engine, dice(seed), FROM_CACHE)
    expect(wrong, `seed ${seed}`).toEqual([])
    expect(measures.size).toBeGreaterThan(20)
    expect(cache.answered()).toBeGreaterThan(FROM_CACHE)
    expect(cache.failures()).toEqual([])
  })
})

oneEngineInRotation('rows behind numbers of generated histories', (target) => {
  it(`add up to ${FROM_CACHE / 2} numbers exactly`, { timeout: 600_000 * PROPERTY_FACTOR }, async () => {
    const seed = seedFor(target, 20_261_128)
    const { database } = await fillDatabase(target, generatedHistory(seed, 40))
    const clock: Clock = { now: () => new Date('2024-05-20T12:00:00Z') }
    const store = await keptStore({}, RATES_CSV)
    const options = { tenant: ['all'], sets: OPTION_SETS, clock, store, definitions: { allow_unpriced: true } }
    const { engine, cache } = await cachedEngineOver(database, options)
    try {
      const { wrong, measures } = await compared(engine, dice(seed), FROM_CACHE / 2, GENERATED)
      expect(wrong, `seed ${seed}`).toEqual([])
      expect(measures.size).toBeGreaterThan(15)
      expect(cache.failures()).toEqual([])
    } finally {
      await engine.close()
    }
  })
})

firstEngineAndOneOther('rows behind numbers from the database', (target) => {
  it(`add up to ${STRAIGHT} numbers exactly`, { timeout: 600_000 * PROPERTY_FACTOR }, async () => {
    const database = await sharedReal(target)
    const engine = await engineOver(database, { tenant: ['all'], sets: OPTION_SETS })
    const seed = 101 + inject('turn')
    try {
      const { wrong } = await compared(engine, dice(seed), STRAIGHT)
      expect(wrong, `seed ${seed}`).toEqual([])
    } finally {
      await engine.close()
      await database.drop()
    }
  })
})
