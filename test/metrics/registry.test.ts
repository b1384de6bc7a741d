import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { InternalError } from '../../src/core/errors.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { BUILT_IN_METRICS, builtInRegistry } from '../../src/metrics/built-in.ts'
import type { MetricDefinition } from '../../src/metrics/define-metric.ts'
import { createRegistry } from '../../src/metrics/registry.ts'
import { RELATION_CONTRACTS } from '../../src/relations/contracts.ts'
import { EXAMPLE_BOOKS } from '../support/data/example-books.ts'
import { readExample } from '../support/data/example-tables.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { NOW } from '../support/data/worked-example.ts'
import { everyEngine } from '../support/databases/rotation.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { BOOKS, storeWithBooks } from '../support/product/store-with-books.ts'

const { metrics } = builtInRegistry()

function metricNamed(name: string, depends_on: readonly string[] = []): MetricDefinition {
  const docs = { formula: '', assumptions: [], edge_cases: [], example: { text: '', params: {}, answer: null } }
  return { name, summary: '', depends_on, reads: [], time_fields: [], queries: {}, choose: () => '', routes: [], docs }
}

describe('order', () => {
  it('a metric follows the metrics it depends on', () => {
    const { metrics: ordered } = createRegistry([metricNamed('a', ['c']), metricNamed('b', ['a']), metricNamed('c')])
    expect([...ordered.keys()]).toEqual(['c', 'a', 'b'])
  })

  it('a cycle is reported as a path', () => {
    const cycle = [metricNamed('a', ['b']), metricNamed('b', ['c']), metricNamed('c', ['b'])]
    expect(() => createRegistry(cycle)).toThrow('b -> c -> b')
  })

  it('a missing dependency is named', () => {
    expect(() => createRegistry([metricNamed('a', ['ghost'])])).toThrow('metric "a" depends on "ghost"')
  })

  it('two metrics of one name are refused', () => {
    expect(() => createRegistry([metricNamed('a'), metricNamed('a')])).toThrow('same name')
  })
})

it('every folder of sql/metrics belongs to a metric that is built in', () => {
  expect(readdirSync(join(packageRoot(), 'sql', 'metrics'))).toEqual([...metrics.keys()].sort())
})

describe.each([...metrics.values()].map((definition) => [definition.name, definition] as const))('%s', (name, definition) => {
  it('has its SQL folder, and reads canonical relations', () => {
    expect(readdirSync(join(packageRoot(), 'sql', 'metrics'))).toContain(name)
    const known = RELATION_CONTRACTS.map((contract) => contract.name)
    const ofQueries = Object.values(definition.queries).flatMap((query) => [
      ...(query.reads ?? []),
      ...(query.reads_where_supplied ?? []),
    ])
    for (const relation of [...definition.reads, ...ofQueries]) expect(known).toContain(relation)
  })

  it('routes point to its queries and describe every parameter', () => {
    for (const route of definition.routes) {
      if (route.query_type !== undefined) expect(Object.keys(definition.queries)).toContain(route.query_type)
      for (const parameter of route.params) {
        expect(parameter.description).not.toBe('')
        const { type } = z.toJSONSchema(parameter.type.schema, { io: 'input' })
        expect(type, parameter.name).toBe(
          ['limit', 'offset', 'net_terms', 'recovery_window'].includes(parameter.name) ? 'integer' : 'string',
        )
      }
    }
  })

  it('every row field is described', () => {
    for (const query of Object.values(definition.queries)) {
      for (const [field, schema] of Object.entries({ ...query.row.shape, ...query.series_row?.shape })) {
        expect([field, JSON.stringify(z.toJSONSchema(schema))]).toEqual([field, expect.stringMatching(/"description":"\w/)])
      }
    }
  })

  it('every dimension reads columns of a contract', () => {
    for (const { inputs } of Object.values(definition.queries)) {
      for (const field of [...inputs.dimensions, ...inputs.series_dimensions, ...inputs.filter_fields, ...inputs.time_fields]) {
        for (const read of field.reads) {
          const [relation, column] = read.split('.')
          const contract = RELATION_CONTRACTS.find((candidate) => candidate.name === relation)
          expect([read, contract !== undefined]).toEqual([read, true])
          if (column !== undefined)
            expect([read, contract?.columns.some((candidate) => candidate.name === column)]).toEqual([read, true])
        }
      }
    }
  })
})

describe('paths that are no metric’s', () => {
  const withRoute = (path: string): MetricDefinition => {
    const [mrr] = BUILT_IN_METRICS
    const [route] = mrr?.routes ?? []
    if (mrr === undefined || route === undefined) throw new Error('there is no route')
    return { ...mrr, name: 'own', routes: [{ ...route, path }] }
  }

  it.each(['summary', 'own/fields'])('%s would never be asked, so that it is refused', (path) => {
    expect(() => builtInRegistry([withRoute(path)])).toThrow(
      new InternalError(`the path of the route "${path}" is the product's own`),
    )
  })

  it.each(['own/summary', 'fields', 'own/fields/all'])('%s is as good as any', (path) => {
    expect(() => builtInRegistry([withRoute(path)])).not.toThrow()
  })
})

const RATES = join(packageRoot(), 'fixtures', 'killbill', 'worked-example', 'fx.csv')

everyEngine('the documented examples, on the worked example (definitions.md 17)', (target) => {
  let engine: Engine
  let books: Awaited<ReturnType<typeof storeWithBooks>>
  beforeAll(async () => {
    const { database } = await fillDatabase(target, readExample('worked-example').given)
    books = await storeWithBooks(EXAMPLE_BOOKS, readFileSync(RATES, 'utf8'))
    engine = await engineOver(database, { now: NOW, store: books.store, workspace: BOOKS })
  })
  afterAll(() => books.remove())

  it.each([...metrics.values()].map(({ name, docs }) => [name, docs.example] as const))(
    'that of %s is what the engine answers',
    async (name, { params, spec, answer }) => {
      expect((await engine.query(name, params, spec)).data).toEqual(answer)
    },
  )
})
