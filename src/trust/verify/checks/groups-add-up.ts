import * as z from 'zod'
import { measuresOf } from '../../../metrics/answer-schema.ts'
import type { MetricDefinition, MetricQuery } from '../../../metrics/define-metric.ts'
import { paramsForDays } from '../../../query/inputs.ts'
import { type Ask, type Check, compare, DETAILED, type Found, type VerifyContext } from '../check.ts'
import { ifSupplied, inSnapshots } from '../parts.ts'
import { total } from '../rows.ts'

/** The dimension whose groups are the whole of an answer. */
const WHOLE = 'source'

/** A query, the whole of its answer, and one dimension to group it by. */
interface Grouping {
  readonly name: string
  readonly metric: MetricDefinition
  readonly query: MetricQuery
  readonly dimension: string
}

/** I5: the groups of every dimension add up to the total. */
export const groupsAddUp: Check = {
  name: 'groups_add_up',
  description: 'In each query and for each dimension, the sums and counts of the groups add up to the total.',
  identities: ['I5'],
  unit: 'sums',
  // The metrics of the product have several hundred groupings.
  share: 5,
  run: (context) =>
    inSnapshots(groupingsOf(context), context, (ask) => {
      const totals = new Map<string, ReturnType<Ask['rows']>>()
      return (grouping) => ifSupplied(compareGroups(grouping, context, ask, totals))
    }),
}

/** All groupings, so that each dimension has its first turn before any has its second. */
function groupingsOf(context: VerifyContext): readonly Grouping[] {
  const queries = context.metrics.flatMap((metric) =>
    metric.is_overview === true
      ? []
      : Object.entries(metric.queries).map(([type, query]) => ({ name: `${metric.name}.${type}`, metric, query })),
  )
  const byQuery = queries
    .filter(({ name, query }) => query.inputs.can_group && !hasPeriods(query) && context.isSupplied(name))
    .map(({ name, metric, query }) =>
      context
        .dimensionsOf([name])
        .filter((key) => ![...DETAILED, WHOLE].includes(key))
        .map((dimension) => ({ name, metric, query, dimension })),
    )
  const most = Math.max(0, ...byQuery.map((groupings) => groupings.length))
  return Array.from({ length: most }, (_, place) => byQuery.flatMap((groupings) => groupings.slice(place, place + 1))).flat()
}

// Other checks cover answers over periods.
function hasPeriods({ inputs, keys = [] }: MetricQuery): boolean {
  return inputs.step === 'interval' && inputs.dates !== 'point_or_range'
    ? true
    : keys.some((key) => key.endsWith('month') || key === 'period')
}

async function compareGroups(
  { name, query, dimension }: Grouping,
  context: VerifyContext,
  ask: Ask,
  totals: Map<string, ReturnType<Ask['rows']>>,
): Promise<Found> {
  const params = paramsForDays(query.inputs, context.range)
  const [source = dimension] = context.dimensionsOf([name]).filter((key) => key === WHOLE)
  const whole = totals.get(name) ?? ask.rows(name, params, { dimensions: [source] })
  totals.set(name, whole)
  const [all, groups] = [await whole, await ask.rows(name, params, { dimensions: [dimension] })]
  return compare(
    additiveBy(query, dimension).map((measure) => ({
      id: `${name} by ${dimension}`,
      what: `${measure} of ${name}, all groups of ${dimension}`,
      expected: total(all, measure),
      actual: total(groups, measure),
    })),
  )
}

/**
 * The measures of a query whose groups by this dimension add up. Amounts by currency are in different currencies, and a customer counts in
 * each of its currencies.
 */
function additiveBy(query: MetricQuery, dimension: string): readonly string[] {
  const columns: Readonly<Record<string, z.ZodType>> = query.row.shape
  return [...measuresOf({ ...query, series_row: query.row })]
    .filter(([name, measure]) => {
      if (measure.kind !== 'sum' || measure.shared_by?.includes(dimension) === true) return false
      if (measure.only_by !== undefined && !measure.only_by.includes(dimension)) return false
      const schema = columns[name]
      if (schema === undefined || schema instanceof z.ZodOptional) return false
      return dimension !== 'currency' || name.endsWith('_base_cents')
    })
    .map(([name]) => name)
}
