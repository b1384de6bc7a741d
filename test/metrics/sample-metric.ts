import * as z from 'zod'
import { sql } from '../../src/compiler/fragment.ts'
import { ratio } from '../../src/core/money.ts'
import { defineMetric, type MetricContext, type MetricResult } from '../../src/metrics/define-metric.ts'
import { defineFigure } from '../../src/metrics/define-query.ts'
import { integerCell } from '../../src/ports/cells.ts'
import { dimensionValue } from '../../src/query/dimension-value.ts'
import { CURRENCY_DIMENSION, SOURCE_DIMENSIONS } from '../../src/query/dimensions/source.ts'
import { rangeTime } from '../../src/query/request.ts'
import { compileScope } from '../../src/query/scope.ts'

const INPUTS = {
  dates: 'range',
  step: 'none',
  dimensions: [...SOURCE_DIMENSIONS, CURRENCY_DIMENSION],
  series_dimensions: [],
  key_columns: [],
  can_group: true,
  time_fields: [],
  filter_fields: [],
  compare: 'union',
  own_parameters: [],
} as const

async function groupsOf(context: MetricContext) {
  const { dimensions, conditions } = context.request
  const { from, to } = rangeTime(context.request)
  const fact = {
    fact: 'level',
    instant: sql`fact.valid_from`,
    isBefore: sql`1 = 0`,
    connector: context.connector,
    allowUnpriced: false,
    isNarrowed: context.request.audience !== undefined,
  } as const
  const { slots } = compileScope(dimensions, conditions, fact)
  const rows = await context.run({ template: 'units/total', slots, params: { at: to }, window: { from, to } })
  return rows.map((row) => ({
    values: dimensions.map((field) => dimensionValue(row, field)),
    units: integerCell(row, 'unit_sum'),
  }))
}

async function readTotal(context: MetricContext) {
  const groups = await groupsOf(context)
  const all = [{ values: [], units: groups.reduce((sum, { units }) => sum + units, 0) }]
  const shown = context.request.dimensions.length === 0 ? all : groups
  return shown.map(({ values, units }) => ({ values, measures: [{ units }] }))
}

async function answerPrice(context: MetricContext): Promise<MetricResult> {
  const units = (await groupsOf(context)).reduce((sum, group) => sum + group.units, 0)
  const mrr = await context.ask('mrr', { query_type: 'current', at: rangeTime(context.request).end })
  return {
    kind: 'scalar',
    field: 'mrr_per_unit',
    value: mrr.kind === 'scalar' && mrr.value !== null ? ratio(mrr.value, units) : null,
  }
}

const answerBeside = (context: MetricContext): Promise<MetricResult> =>
  context.ask('mrr', { query_type: 'current', at: rangeTime(context.request).end })

/** A metric of an embedder: units, and two figures that ask MRR. */
export const units = defineMetric({
  name: 'units',
  summary: 'Units of live subscriptions at the end of a range',
  depends_on: ['mrr'],
  reads: ['mrr_span'],
  time_fields: [],
  queries: {
    total: defineFigure({
      summary: 'Units',
      inputs: INPUTS,
      measures: { units: z.number().describe('Units.') },
      plain: 'units',
      read: readTotal,
    }),
    price: {
      summary: 'MRR per unit',
      inputs: { ...INPUTS, can_group: false },
      plain: z.number().nullable(),
      row: z.object({ mrr_per_unit: z.number().nullable().describe('MRR per unit.') }),
      run: answerPrice,
    },
    beside: {
      summary: 'MRR',
      inputs: INPUTS,
      plain: z.number(),
      row: z.object({ mrr: z.number().describe('MRR.') }),
      run: answerBeside,
    },
  },
  routes: [{ path: 'units' }, { path: 'units/price', query_type: 'price' }],
  docs: { formula: 'sum of quantities', assumptions: [], edge_cases: [], example: { text: '', params: {}, answer: 11 } },
})
