import { CompareMenu } from './compare-menu.tsx'
import { Filters } from './filters.tsx'
import { GroupMenu } from './group-menu.tsx'
import { RangeMenu } from './range-menu.tsx'
import { SegmentMenu } from './segment-menu.tsx'
import { StepMenu } from './step-menu.tsx'

/** What of a page can be chosen. */
export interface Controls {
  /** Metric whose dimensions and filters are offered. */
  readonly metric: string
  /** Query type whose dimensions the page groups by; nothing is grouped where it is absent. */
  readonly groupsOf?: string
  readonly hasRange?: boolean
  readonly hasStep?: boolean
  readonly hasSegments?: boolean
  readonly hasCompare?: boolean
  readonly hasFilters?: boolean
}

/** The one bar of controls: days, step, whom the page is about, what is compared, what it is grouped by. All of it stands in the address. */
export function ControlBar({ metric, groupsOf, ...shown }: Controls) {
  const { hasRange = true, hasStep = true, hasSegments = true, hasCompare = hasSegments, hasFilters = true } = shown
  return (
    <section className="controls" aria-label="Filters and dates">
      {hasRange && <RangeMenu />}
      {hasStep && <StepMenu />}
      {hasSegments && <SegmentMenu />}
      {hasCompare && <CompareMenu />}
      {groupsOf !== undefined && <GroupMenu metric={metric} query={groupsOf} />}
      {hasFilters && <Filters metric={metric} />}
    </section>
  )
}
