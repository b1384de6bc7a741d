import {
  CURRENCY_DIMENSION,
  CUSTOMER_DIMENSIONS,
  compileScope,
  defineFigure,
  defineMetric,
  dimensionValue,
  factOf,
  integerCell,
  type MetricContext,
  PLAN_DIMENSIONS,
  type QueryInputs,
  RANGE_INPUTS,
  rangeTime,
  SOURCE_DIMENSIONS,
  sql,
} from 'plumbline'
import * as z from 'zod'

const INPUTS: QueryInputs = {
  ...RANGE_INPUTS,
  dimensions: [...SOURCE_DIMENSIONS, CURRENCY_DIMENSION, ...CUSTOMER_DIMENSIONS, ...PLAN_DIMENSIONS],
  can_group: true,
  compare: 'union',
}

async function readTotal(context: MetricContext) {
  const { dimensions, conditions } = context.request
  const { from, to } = rangeTime(context.request)
  const fact = factOf(context, { fact: 'level', instant: sql`fact.valid_from`, isBefore: sql`1 = 0` })
  const { slots } = compileScope(dimensions, conditions, fact)
  const rows = await context.run({ template: 'units/total', slots, params: { at: to }, window: { from, to } })
  const found = rows.map((row) => ({
    values: dimensions.map((field) => dimensionValue(row, field)),
    units: integerCell(row, 'unit_sum'),
  }))
  const all = [{ values: [], units: found.reduce((sum, { units }) => sum + units, 0) }]
  return (dimensions.length === 0 ? all : found).map(({ values, units }) => ({ values, measures: [{ units }] }))
}

/** Agreed quantities of the subscriptions that are live at the end of a range. */
export const units = defineMetric({
  name: 'units',
  summary: 'Units of live subscriptions at the end of a range',
  depends_on: [],
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
  },
  routes: [{ path: 'units' }],
  docs: {
    formula: 'Sum of the quantities',
    assumptions: [],
    edge_cases: [],
    example: { text: 'Four subscriptions of one unit each.', params: {}, answer: 4 },
  },
})
