import type { Engine, MetricDefinition, MetricFields } from '../../../src/engine/engine.ts'
import { filterableFields, groupableFields, paramsForDays } from '../../../src/query/inputs.ts'

/** A question to a metric, with a name for messages. */
export interface OfferedRequest {
  readonly name: string
  readonly metric: string
  readonly params: Readonly<Record<string, string>>
  readonly spec: Readonly<Record<string, unknown>>
}

/** A filter that a metric offers. */
export type Filter = MetricFields['filters'][number]

const RANGE = { start: '2025-10-17', end: '2026-03-08' }
const INTERVALS = ['day', 'week', 'month', 'quarter', 'year']
const INTERVALS_EACH = 2
const DIMENSIONS_TOGETHER = 7
const FILTERS_TOGETHER = 3

/**
 * Requests made from the inputs of each metric, so that a new metric, query, dimension or filter joins by itself. Each query comes
 * plainly, as CSV, with intervals in turn, and with all its dimensions, a few at a time. Each filter comes once for each metric.
 */
export async function offeredRequests(
  engine: Engine,
  range = RANGE,
  metrics = engine.metrics(),
): Promise<readonly OfferedRequest[]> {
  const requests: OfferedRequest[] = []
  for (const metric of metrics) {
    const definition = engine.metric(metric)
    if (definition === undefined) continue
    const fields = (await engine.fields(metric)).data
    for (const [turn, [query_type, { inputs }]] of Object.entries(definition.queries).entries()) {
      const dates = paramsForDays(inputs, range)
      const series = 'at' in dates ? range : dates
      const add = (what: string, params: Readonly<Record<string, string>>, spec: Readonly<Record<string, unknown>> = {}) =>
        requests.push({ name: `${metric}.${query_type} ${what}`, metric, params: { query_type, ...params }, spec })

      add('plain', dates)
      add('as CSV', { ...dates, format: 'csv' })
      for (const interval of inputs.step === 'none' ? [] : inTurn(INTERVALS, turn, INTERVALS_EACH)) {
        add(`by ${interval}`, { ...series, [inputs.step]: interval })
      }
      const dimensions = groupableFields(inputs, true).map(({ key }) => key)
      for (const chunk of chunks(dimensions, DIMENSIONS_TOGETHER)) add(`by ${chunk}`, series, { dimensions: chunk })
      const filters = fields.filters.filter((filter, index) => askedBy(filter, index, definition) === query_type)
      for (const chunk of chunks(filters, FILTERS_TOGETHER)) {
        const conditions = Object.fromEntries(chunk.map((filter) => [filter.key, mildFor(filter)]))
        add(`where ${chunk.map(({ key }) => key)}`, dates, { filters: conditions })
      }
    }
  }
  return requests
}

/** Several operators at once, by the type of the field, that leave most rows, so that what is compared is no empty answer. */
const MILD: Readonly<Record<Filter['type'], unknown>> = {
  string: { '!=': 'GBP', 'not in': ['Pro', 'pro-annual'], not_contains: '%' },
  number: { '>=': 1, '<': '900', '!=': 7 },
  boolean: { is_not_empty: true },
  date: { '>': '2024-12-01', '<=': '9999-12-31' },
  timestamp: { between: ['2024-12-01', '2026-03-01T12:30:00Z'] },
}

/** Operators that leave most rows of a field. A whole name of a tenant is refused if there is no such tenant. */
export function mildFor({ key, type }: Pick<Filter, 'key' | 'type'>): unknown {
  return key === 'tenant' ? { not_contains: '%', is_not_empty: true } : MILD[type]
}

// The queries of a metric that offer the filter take turns.
function askedBy({ key }: Filter, index: number, { queries }: MetricDefinition): string | undefined {
  const offering = Object.entries(queries).filter(([, { inputs }]) =>
    filterableFields(inputs, false).some((field) => field.key === key),
  )
  return offering[index % offering.length]?.[0]
}

function inTurn<T>(items: readonly T[], turn: number, count: number): readonly T[] {
  const first = (turn * count) % items.length
  return [...items, ...items].slice(first, first + count)
}

function chunks<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))
}
