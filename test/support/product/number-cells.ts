import type { Engine } from '../../../src/engine/engine.ts'
import type { OfferedRequest } from './offered-requests.ts'

/** One number of an answer, and the request for the rows behind it. */
export interface NumberCell {
  readonly name: string
  readonly metric: string
  readonly params: Readonly<Record<string, string | readonly string[]>>
  readonly spec: Readonly<Record<string, unknown>>
  readonly value: number
}

const NAMED = ['movement_type', 'cohort_month', 'active_month', 'recognized_month'] as const

/** The numbers of an answer that have rows, as a reader of the answer would ask for them. */
export async function cellsOf(engine: Engine, request: OfferedRequest): Promise<readonly NumberCell[]> {
  const { metric, params, spec } = request
  const definition = engine.metric(metric)
  const name = params['query_type'] ?? ''
  const query = definition?.queries[name === 'current' && 'start' in params ? 'series' : name]
  const { format: _, ...asked } = params
  const { data, kind, columns } = await engine.query(metric, asked, spec)
  const listed = kind === 'rows' ? (data as readonly Record<string, unknown>[]) : undefined
  const rows = listed ?? [kind === 'scalar' ? { [columns[0] ?? '']: data } : (data as Record<string, unknown>)]
  return rows.flatMap((row) => {
    const keys = query?.keys ?? []
    const named = Object.fromEntries(NAMED.filter((key) => keys.includes(key)).map((key) => [key, String(row[key])]))
    const period = typeof row['period'] === 'string' ? { period: row['period'] } : {}
    const groups = [...dimensionsIn(spec), ...['customer_id', 'segment_id'].filter((key) => keys.includes(key) || key in row)]
      .filter((key) => key in row && !NAMED.some((one) => one in named && one === key))
      .map((key) => (row[key] === null ? key : `${key}=${row[key]}`))
    const group = groups.length === 0 ? {} : { group: [...new Set(groups)] }
    return Object.keys(query?.rows ?? {}).flatMap((measure) => {
      const value = row[measure]
      if (typeof value !== 'number') return []
      const cell = { ...asked, ...named, ...period, ...group, measure }
      return [
        {
          name: `${request.name} ${JSON.stringify({ ...named, ...period, ...group })} ${measure}`,
          metric,
          params: cell,
          spec,
          value,
        },
      ]
    })
  })
}

function dimensionsIn({ dimensions }: Readonly<Record<string, unknown>>): readonly string[] {
  return Array.isArray(dimensions) ? dimensions : []
}
