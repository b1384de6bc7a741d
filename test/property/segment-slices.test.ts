import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { builtInRegistry } from '../../src/metrics/built-in.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory, RATES_CSV } from '../support/data/histories/generated-history.ts'
import { HISTORIES, HISTORY_NOW } from '../support/data/histories/history-seeds.ts'
import { PROPERTY_FACTOR, seedFor } from '../support/data/property-runs.ts'
import { isInTurn, oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import { expectSlice, type SliceRequest, sliceRequests } from '../support/oracles/segment-slices.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { keptStore, segmentId } from '../support/product/store-with-segments.ts'
import { drawnSegments, type SegmentValues } from './drawn-segments.ts'

const SEED = HISTORIES.segments[0]
const RANGE = { start: '2024-03-10', end: '2024-11-20' }
const TIERS = ['gold', 'silver', 'Gold ', '😀']
const [ONE, ANOTHER] = [segmentId(1), segmentId(2)]

/** How much there was to be wrong about. */
const seen = { rows: 0, amounts: 0, narrowed: 0, compared: 0 }

function nameOf({ metric, params }: SliceRequest): string {
  return [metric, ...Object.values(params)].join(' ')
}

oneEngineInRotation('a filter under a drawn segment is the row of its group', (target) => {
  let engine: Engine
  let definitions: fc.Arbitrary<unknown>
  const segments: Record<string, unknown> = {}

  beforeAll(async () => {
    const { database } = await fillDatabase(target, generatedHistory(...HISTORIES.segments))
    const now = new Date(`${HISTORY_NOW.replace(' ', 'T')}Z`)
    const options = { tenant: ['all'], now, definitions: { allow_unpriced: true } }
    const plain = await engineOver(database, { ...options, store: await keptStore({}, RATES_CSV) })
    const { rows } = (await plain.list('customers', { limit: 1000 })).data as {
      rows: readonly { readonly id: string; readonly source_id: string; readonly country: string | null }[]
    }
    const held = (index: number, values: readonly string[]) => values[index % values.length] ?? ''
    const attribute = (type: 'string' | 'number', every: number, values: readonly string[]) => ({
      type,
      values: rows
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .flatMap(({ id, source_id }, index) =>
          index % every === 0 ? [] : [{ source_id, customer_id: id, value: held(index, values) }],
        ),
    })
    const attributes = { tier: attribute('string', 4, TIERS), seats: attribute('number', 5, ['1', '12.5', '50', '59', '8']) }
    engine = await engineOver(database, { ...options, store: await keptStore({ attributes, segments }, RATES_CSV) })
    const plans = (await plain.query('mrr', { query_type: 'breakdown', ...RANGE }, { dimensions: ['plan_id'] }))
      .data as readonly {
      readonly plan_id: string
    }[]
    const values: SegmentValues = {
      countries: [...new Set(rows.map(({ country }) => country))],
      plans: [...new Set(plans.map(({ plan_id }) => plan_id))],
      tiers: TIERS,
    }
    definitions = drawnSegments(values)
  })

  const requests = sliceRequests(
    { metrics: () => [...builtInRegistry().metrics.keys()], metric: (name) => builtInRegistry().metrics.get(name) },
    RANGE,
  )
  it.each(
    sampleOf(
      target,
      requests.map((request, index) => ({ request, index, name: nameOf(request) })),
      { first: 3 },
    ),
  )('$name (I6)', async ({ request, index }) => {
    const draws = fc.record({ definition: definitions, other: definitions, dimension: fc.nat(999), value: fc.nat(999) })
    const isUnion = engine.metric(request.metric)?.queries[request.params['query_type'] ?? '']?.inputs.compare === 'union'
    await fc.assert(
      fc.asyncProperty(draws, async ({ definition, other, ...draw }) => {
        Object.assign(segments, { [ONE]: definition, [ANOTHER]: other })
        // Every second request is narrowed and the others compare, in another turn the other way round.
        if (isInTurn(index, 2)) {
          const narrowed = await expectSlice(engine, request, draw, { segment: ONE })
          seen.rows += narrowed.rows
          seen.amounts += narrowed.amounts
          seen.narrowed += narrowed.amounts > 0 ? 1 : 0
        } else {
          const compared = await expectSlice(engine, request, draw, { compare: [ANOTHER, ONE] })
          seen.compared += !isUnion && compared.amounts > 0 ? 1 : 0
        }
      }),
      { seed: seedFor(target, SEED + index), numRuns: PROPERTY_FACTOR },
    )
  })
})

it('no kind of comparison lacked data', () => {
  expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([])
})
