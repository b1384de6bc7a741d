import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { schemasOf } from '../../src/facades/http/openapi/metric-schemas.ts'
import { builtInRegistry } from '../../src/metrics/built-in.ts'
import { cents, PERIOD } from '../../src/metrics/columns.ts'
import { defineMetric } from '../../src/metrics/define-metric.ts'
import { defineFigure, defineList } from '../../src/metrics/define-query.ts'
import { RANGE_INPUTS } from '../../src/query/inputs.ts'

/** Names of the shapes of a query; what is a plain number has none. */
function namesOf(schemas: ReturnType<typeof schemasOf>, query: string): (string | undefined)[] {
  const { plain, lists = [] } = schemas.get(query) ?? {}
  return [plain, ...lists].map((schema) => (schema instanceof z.ZodArray ? (schema.element as z.ZodType) : schema)?.meta()?.id)
}

describe('names of what metrics answer', () => {
  const { metrics } = builtInRegistry()

  it('are metric, query and form; the first query of a metric is the metric', () => {
    const mrr = metrics.get('mrr')
    const trials = metrics.get('trials')
    if (mrr === undefined || trials === undefined) throw new Error('metrics are missing')
    expect(namesOf(schemasOf(mrr), 'current')).toEqual([undefined, 'ComparedFigure', 'MrrPoint', 'MrrSeriesRow'])
    expect(namesOf(schemasOf(mrr), 'series')).toEqual(['MrrSeriesRow'])
    expect(namesOf(schemasOf(mrr), 'components')).toEqual(['MrrComponents', 'MrrComponentsPoint', 'MrrComponentsSeriesRow'])
    expect(namesOf(schemasOf(mrr), 'waterfall')).toEqual(['MrrWaterfallRow'])
    expect(namesOf(schemasOf(trials), 'series')).toEqual(['TrialsSeriesRow'])
  })

  it('are there for every row, and one name is one shape', () => {
    const named = [...metrics.values()].flatMap((definition) =>
      [...schemasOf(definition).values()].flatMap(({ plain, lists }) => [plain, ...lists]),
    )
    const rows = named.flatMap((schema) => (schema instanceof z.ZodArray ? [schema.element as z.ZodType] : []))
    expect(rows.map((row) => row.meta()?.id)).not.toContain(undefined)
    const shapes = new Map(rows.map((row) => [row.meta()?.id, JSON.stringify(z.toJSONSchema(row))]))
    for (const row of rows) expect(JSON.stringify(z.toJSONSchema(row))).toBe(shapes.get(row.meta()?.id))
    expect(shapes.size).toBeGreaterThan(20)
  })

  it('are told apart where two queries would have one', () => {
    const inputs = { ...RANGE_INPUTS, dates: 'point_or_range', step: 'interval' } as const
    const read = async () => []
    const metric = defineMetric({
      name: 'units',
      summary: 'Units',
      depends_on: [],
      reads: [],
      time_fields: [],
      queries: {
        now: defineFigure({ summary: 'Now', inputs, measures: { units: cents('Units') }, plain: 'units', read }),
        series: defineList({
          summary: 'Series',
          inputs: { ...inputs, dates: 'range' as const },
          keys: { period: PERIOD },
          measures: { sold: cents('Sold') },
          read,
        }),
      },
      routes: [],
      docs: { formula: '', assumptions: [], edge_cases: [], example: { text: '', params: {}, answer: [] } },
    })
    const [, , , series] = namesOf(schemasOf(metric), 'now')
    const [own] = namesOf(schemasOf(metric), 'series')
    expect(series).toBe('UnitsSeriesRow')
    expect(own).toBe('UnitsSeriesRow2')
  })
})
