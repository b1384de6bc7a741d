import * as z from 'zod'
import { dayOf, dayStart, monthName } from '../../../../src/core/periods.ts'
import type { MetricDefinition, MetricRoute } from '../../../../src/engine/engine.ts'
import { groupableFields } from '../../../../src/engine/shapes.ts'
import { queriesOf } from '../../../../src/facades/http/openapi/metric-parameters.ts'
import { lastFullMonth } from '../../../../src/facades/http/openapi/show-examples.ts'
import type { Sent } from './recorder.ts'

/** Dimensions that show something, the best first. */
const TELLING = ['plan_id', 'customer_country', 'account_type', 'vendor_name']

/** Requests that show the shapes of a metric path's answers: alone, by a dimension, by month. */
export function metricExamples(definition: MetricDefinition, route: MetricRoute, now: Date): readonly Sent[] {
  const { start, end } = lastFullMonth(now)
  const takes = (name: string) => route.params.some((parameter) => parameter.name === name)
  const needsRange = route.command?.required.includes('start') === true
  const days = needsRange || !takes('at') ? { start, end } : { at: end }
  const first = takes('period') ? { period: monthName(start) } : days
  const before = dayStart(start)
  const quarter = { start: dayOf(new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth() - 2, 1))), end }
  const [query] = queriesOf(definition, route).flatMap((name) => definition.queries[name] ?? [])
  // A list shows its form by itself.
  if (query === undefined || query.plain instanceof z.ZodArray) return [{ query: first }]
  const { inputs } = query
  const names = groupableFields(inputs, false).map(({ key }) => key)
  const dimension = TELLING.find((name) => names.includes(name)) ?? names[0]
  return [
    { name: 'plain', query: first },
    ...(dimension === undefined ? [] : [{ name: 'grouped', query: { ...first, dimensions: dimension } }]),
    ...(inputs.dates === 'point_or_range' ? [{ name: 'series', query: quarter }] : []),
    ...(inputs.step === 'granularity' ? [{ name: 'by_month', query: { ...quarter, granularity: 'month' } }] : []),
  ]
}
