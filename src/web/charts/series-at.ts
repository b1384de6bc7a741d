import type { ChartSpec } from './spec.ts'

/** The series that a point of a chart of lines or areas belongs to: the band that holds it, else the nearest line. */
export function seriesAt({ kind, series }: ChartSpec, place: number, value: number): string | undefined {
  if (kind === 'area') {
    let top = 0
    return series.find(({ values }) => {
      top += values[place] ?? 0
      return value <= top
    })?.name
  }
  const distances = series.flatMap(({ name, values }) => {
    const at = values[place]
    return at === null || at === undefined ? [] : [{ name, distance: Math.abs(at - value) }]
  })
  return distances.sort((one, other) => one.distance - other.distance)[0]?.name
}
