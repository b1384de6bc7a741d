import type { components } from '../../client/index.ts'

type Section = components['schemas']['SectionWithCharts']

/** Where a chart is put: before the chart of a place, else at the end of a section. */
export interface Spot {
  readonly section: string
  readonly index: number
}

/** Where the chart of a place stands. */
export function spotOf(sections: readonly Section[], place: string): Spot | undefined {
  for (const { id, charts } of sections) {
    const index = charts.findIndex((chart) => chart.id === place)
    if (index >= 0) return { section: id, index }
  }
  return undefined
}

/** The spot one further or back; past the end of a section it is in the next one. Undefined at the very end. */
export function neighbourOf(sections: readonly Section[], { section, index }: Spot, by: 1 | -1): Spot | undefined {
  const at = sections.findIndex(({ id }) => id === section)
  const within = index + by
  if (within >= 0 && within < (sections[at]?.charts.length ?? 0)) return { section, index: within }
  const next = sections[at + by]
  return next === undefined ? undefined : { section: next.id, index: by === 1 ? 0 : next.charts.length }
}

/** The sections with a chart at another spot; each chart has the position where it stands. */
export function withMoved(sections: readonly Section[], place: string, to: Spot): readonly Section[] {
  const moved = sections.flatMap(({ charts }) => charts).find(({ id }) => id === place)
  if (moved === undefined) return sections
  return sections.map((section) => {
    const rest = section.charts.filter(({ id }) => id !== place)
    const charts = section.id === to.section ? rest.toSpliced(to.index, 0, moved) : rest
    return { ...section, charts: charts.map((chart, position) => ({ ...chart, position })) }
  })
}

/** What has to be saved for one order to become another: the places that differ. */
export function changedPlaces(before: readonly Section[], after: readonly Section[]) {
  const old = new Map(before.flatMap(({ id, charts }) => charts.map((chart) => [chart.id, { id, at: chart.position }])))
  return after.flatMap(({ id, charts }) =>
    charts
      .filter((chart) => old.get(chart.id)?.id !== id || old.get(chart.id)?.at !== chart.position)
      .map((chart) => ({ cid: chart.id, body: { section_id: id, position: chart.position } })),
  )
}

/** The sections with one of them a place further or back, each with the position where it stands. */
export function withMovedSection(sections: readonly Section[], id: string, by: 1 | -1): readonly Section[] {
  const from = sections.findIndex((section) => section.id === id)
  const moved = sections[from]
  const to = from + by
  if (moved === undefined || to < 0 || to >= sections.length) return sections
  return sections
    .toSpliced(from, 1)
    .toSpliced(to, 0, moved)
    .map((section, position) => ({ ...section, position }))
}
