import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { packageRoot } from '../../src/core/package-root.ts'
import type { MetricDefinition } from '../../src/metrics/define-metric.ts'
import { createRegistry, discoverMetrics } from '../../src/metrics/registry.ts'
import { RELATION_CONTRACTS } from '../../src/relations/contracts.ts'

const { metrics } = await discoverMetrics()

function metricNamed(name: string, depends_on: readonly string[] = []): MetricDefinition {
  const docs = { formula: '', assumptions: [], edge_cases: [], example: { text: '', params: {}, answer: null } }
  return { name, summary: '', depends_on, reads: [], time_fields: [], queries: {}, choose: () => '', routes: [], docs }
}

describe('order', () => {
  it('a metric stands after what it depends on', () => {
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

describe.each([...metrics.values()].map((definition) => [definition.name, definition] as const))('%s', (name, definition) => {
  it('has its SQL folder, and reads canonical relations', () => {
    expect(readdirSync(join(packageRoot(), 'sql', 'metrics'))).toContain(name)
    const known = RELATION_CONTRACTS.map((contract) => contract.name)
    for (const relation of definition.reads) expect(known).toContain(relation)
  })

  it('routes point to its queries and describe every parameter', () => {
    for (const route of definition.routes) {
      if (route.query_type !== undefined) expect(Object.keys(definition.queries)).toContain(route.query_type)
      for (const parameter of route.params) {
        expect(parameter.description).not.toBe('')
        expect(z.toJSONSchema(parameter.schema, { io: 'input' })).toMatchObject({ type: 'string' })
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
    for (const { offer } of Object.values(definition.queries)) {
      for (const field of [...offer.dimensions, ...offer.series_dimensions, ...offer.filter_fields, ...offer.time_fields]) {
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
