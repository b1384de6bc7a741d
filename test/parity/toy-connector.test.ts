import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { groupableFields } from '../../src/query/inputs.ts'
import { EXAMPLE_BOOKS } from '../support/data/example-books.ts'
import { readExample } from '../support/data/example-tables.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { fillToy, toyId } from '../support/data/toy-data.ts'
import { NOW } from '../support/data/worked-example.ts'
import { firstEngineAndOneOther, sampleOf } from '../support/databases/rotation.ts'
import { mainMetrics } from '../support/product/billing-metrics.ts'
import { groupedBy } from '../support/product/grouped-by.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { BOOKS, storeWithBooks } from '../support/product/store-with-books.ts'
import { toyEngine } from '../support/product/toy-engine.ts'

const RATES = join(packageRoot(), 'fixtures', 'killbill', 'worked-example', 'fx.csv')
const RANGE = { start: '2025-01-01', end: '2025-05-31' }

/** Ids that mean the same in both engines. */
const NAMES = new Map([
  ...['A', 'B', 'C', 'D', 'E', 'F'].flatMap(
    (name, index) =>
      [
        [toyId(name), name],
        [`00000002-0000-4000-8000-00000000000${index + 1}`, name],
      ] as const,
  ),
  ...[1, 2, 3, 4, 5, 6, 7].flatMap(
    (number) =>
      [
        [toyId(`S${number}`), `S${number}`],
        [`00000004-0000-4000-8000-00000000000${number}`, `S${number}`],
      ] as const,
  ),
])

/** An answer with names for ids. */
function named(data: unknown): unknown {
  return JSON.parse([...NAMES].reduce((text, [id, name]) => text.replaceAll(id, name), JSON.stringify(data)))
}

/** The columns that both engines have for their plans and customers; the toy has no products, price lists or bundles. */
const SHARED = [
  'currency',
  'customer_name',
  'plan_id',
  'billing_period',
  'plan_interval',
  'usage_type',
  'phase_type',
  'collection_method',
  'movement_type',
  'movement_source',
  'cohort_month',
  'mrr_band',
  'arr_band',
  'pending_cancellation',
]

/** The metrics that the relations of the toy supply. */
const METRICS = mainMetrics()

const QUERIES = METRICS.flatMap(({ name: metric, queries }) =>
  Object.entries(queries).map(([name, { inputs }]) => ({ metric, name, inputs })),
)

firstEngineAndOneOther('a second engine', (target) => {
  let toy: Engine
  let killbill: Engine
  let books: Awaited<ReturnType<typeof storeWithBooks>>
  beforeAll(async () => {
    const database = await target.createDatabase()
    await fillToy(database)
    books = await storeWithBooks(EXAMPLE_BOOKS, readFileSync(RATES, 'utf8'))
    const place = { store: books.store, workspace: BOOKS }
    toy = await toyEngine(database, {}, place)
    const { database: recorded } = await fillDatabase(target, readExample('worked-example').given)
    killbill = await engineOver(recorded, { now: NOW, ...place })
  })
  afterAll(async () => {
    await toy.close()
    await killbill.close()
    await books.remove()
  })

  it.each(METRICS.map((definition) => [definition.name, definition] as const))(
    'answers the example in the documentation of %s',
    async (name, { docs }) => {
      const { params, spec, answer } = docs.example
      expect((await toy.query(name, params, spec ?? {})).data).toEqual(answer)
    },
  )

  it('refuses the ledger, whose relations it lacks', async () => {
    await expect(toy.query('ledger', { query_type: 'cash', ...RANGE })).rejects.toMatchObject({
      code: 'unsupported_by_connector',
      context: { connector: 'toy' },
    })
  })

  describe('answers like Kill Bill, whose history is the same', () => {
    const queries = QUERIES.map((query, shift) => ({ ...query, shift }))
    it.each(sampleOf(target, queries, { first: 1, others: 3 }))('$metric $name', async ({ metric, name, inputs, shift }) => {
      const dates = inputs.dates === 'point_or_range' ? [{ at: '2025-04-15' }, RANGE] : [RANGE]
      const cuts = dates.map((range) =>
        'start' in range && inputs.step !== 'none' ? { ...range, [inputs.step]: 'month' } : range,
      )
      const isCut = (params: object) => Object.hasOwn(params, inputs.step)
      for (const [index, params] of [...dates, ...cuts.filter(isCut)].entries()) {
        const shared = groupableFields(inputs, 'start' in params).flatMap(({ key }) => (SHARED.includes(key) ? [key] : []))
        for (const spec of shared.length === 0
          ? [{}]
          : sampleOf(target, [{}, groupedBy(shared)], { first: 2, others: 2, shift: shift + index })) {
          const asked = { query_type: name, ...params }
          const [own, other] = [await toy.query(metric, asked, spec), await killbill.query(metric, asked, spec)]
          expect(named(own.data)).toEqual(named(other.data))
        }
      }
    })
  })
})
