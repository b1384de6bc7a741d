import { useSegments } from '../api/resources.ts'
import { formatDay } from '../format/days.ts'
import { labelOf, valueLabel } from '../format/labels.ts'
import { rangeLabel } from './ranges.ts'
import { useNow, usePage } from './use-page.ts'

/** The choices of a page in words, for pictures and for paper: days, interval, segment, comparison, group, filters. */
export function useChoices(): string {
  const { search, days, step } = usePage()
  const { zone } = useNow()
  const { data = [] } = useSegments()
  const nameOf = (id: string) => data.find((segment) => segment.id === id)?.name ?? id
  const dates = `${days.start === undefined ? 'Beginning' : formatDay(days.start)} – ${formatDay(days.end)} (${zone})`
  const label = rangeLabel(search)
  const { segment, compare_segments, compare_to, dimensions, filter = [] } = search
  const parts = [
    label === undefined ? dates : `${label}: ${dates}`,
    `by ${labelOf(step).toLowerCase()}`,
    segment === undefined ? undefined : `Segment: ${nameOf(segment)}`,
    compare_segments === undefined ? undefined : `Compared: ${compare_segments.map(nameOf).join(', ')}`,
    compare_to === undefined ? undefined : `Compared with the ${compare_to === 'year' ? 'year before' : 'previous period'}`,
    dimensions === undefined ? undefined : `Grouped by ${dimensions.split(',').map(labelOf).join(', ')}`,
    ...filter.map((entry) => {
      const at = entry.indexOf('=')
      const key = entry.slice(0, at)
      return `${labelOf(key)}: ${valueLabel(entry.slice(at + 1), key)}`
    }),
  ]
  return parts.filter((part) => part !== undefined).join(' · ')
}
