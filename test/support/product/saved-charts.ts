import { FIGURES } from '../../../docs/openapi/figures.ts'

/** The configuration of a chart as the page saves it. */
export interface KeptConfig {
  readonly version: 1
  readonly path: string
  readonly query: Readonly<Record<string, string | number | boolean | readonly string[]>>
  readonly form: 'line' | 'area' | 'bars' | 'table' | 'number'
  readonly measure: string
  readonly groups: readonly string[]
  readonly step?: string
  readonly isLevel?: boolean
  readonly explore: Readonly<Record<string, unknown>>
}

export interface KeptChart {
  readonly name: string
  readonly config: KeptConfig
}

type Figure = (typeof FIGURES)[number]

/** Every figure over time, in total and by group, as Explore saves them. */
export function chartsOfAllFigures(range = 'last-12-months', group = 'currency'): readonly KeptChart[] {
  return FIGURES.flatMap((figure) => [...overTime(figure, range, group), ...inTotal(figure, range, group)])
}

function overTime({ id, label, measure, path, query, step, chart }: Figure, range: string, group: string): readonly KeptChart[] {
  if (step === null) return []
  const explore = { range, metric: id }
  const asked = { range, [step]: 'month', ...query }
  const kept = { version: 1, path, measure, step: 'month', explore } as const
  const grouped = { ...asked, dimensions: [group] }
  const own = id === 'movements' ? ['movement_type'] : []
  return [
    { name: `${label} by month`, config: { ...kept, query: asked, form: chart as 'area', groups: own } },
    { name: `${label} by ${group}`, config: { ...kept, query: grouped, form: 'line', groups: [...own, group] } },
  ]
}

function inTotal(
  { id, label, measure, path, query, alone, is_level }: Figure,
  range: string,
  group: string,
): readonly KeptChart[] {
  const kept = { version: 1, measure, isLevel: is_level, explore: { range, metric: id, view: 'total' } } as const
  const asked = { ...(is_level ? {} : { range }), ...query }
  const grouped = { ...asked, dimensions: [group], order: `-${measure}`, limit: 100 }
  const table = { ...kept, path, query: grouped, form: 'table', groups: [group] } as const
  const number =
    alone === null || id === 'movements'
      ? []
      : [{ name: label, config: { ...kept, path: alone, query: asked, form: 'number' as const, groups: [] } }]
  return [...number, { name: `${label} in total by ${group}`, config: table }]
}

/** A dashboard with these charts. */
export function dashboardOf(charts: readonly { readonly name: string; readonly config: unknown }[], title = 'All') {
  const placed = charts.map((chart, position) => ({
    id: `place-${position}`,
    saved_chart_id: `chart-${position}`,
    position,
    chart,
  }))
  const dates = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' }
  const own = { owner: null, is_own: true, visibility: 'private', description: null, revision: 1 } as const
  return { id: 'board', name: 'Monday', ...own, ...dates, sections: [{ id: 'one', title, position: 0, charts: placed }] } as never
}
