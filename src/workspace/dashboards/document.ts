import { AppError } from '../../core/errors.ts'
import {
  type ChartPlacement,
  DASHBOARD_LIMITS,
  type DashboardChange,
  type DashboardDocument,
  type DashboardSection,
  type PlacementChange,
  type SectionChange,
} from '../../core/workspace.ts'
import type { DashboardEdit } from '../../ports/dashboard-store.ts'

// Each operation on a dashboard is a function from its document to its document. An addition that is there already changes nothing, because
// an edit may run again.

/** Changes the fields of the dashboard itself. */
export function withFields(change: DashboardChange): DashboardEdit {
  return (document) => ({ ...document, ...change })
}

/** Adds a section. AppError `validation_failed` at the limit. */
export function withSection(section: DashboardSection): DashboardEdit {
  return (document) => ({ ...document, sections: added(document.sections, section, 'sections', DASHBOARD_LIMITS.sections) })
}

/** The section with this id. AppError `not_found`. */
export function sectionIn({ sections }: DashboardDocument, id: string): DashboardSection {
  return found(sections, id, 'section')
}

/** Changes a section. AppError `not_found`. */
export function withChangedSection(id: string, change: SectionChange): DashboardEdit {
  return (document) => {
    const changed = { ...sectionIn(document, id), ...change }
    return { ...document, sections: replaced(document.sections, changed) }
  }
}

/** Removes a section and the charts in it. AppError `not_found`. */
export function withoutSection(id: string): DashboardEdit {
  return (document) => {
    sectionIn(document, id)
    return {
      ...document,
      sections: document.sections.filter((section) => section.id !== id),
      charts: document.charts.filter(({ section_id }) => section_id !== id),
    }
  }
}

/** Places a chart in a section. AppError `not_found`; `conflict` if the chart is there already; `validation_failed` at the limit. */
export function withPlacement(placement: ChartPlacement): DashboardEdit {
  return async (document, hasChart) => {
    const { id, saved_chart_id, section_id } = placement
    if (!(await hasChart(saved_chart_id))) throw new AppError('not_found', 'No chart has this id.')
    sectionIn(document, section_id)
    if (document.charts.some((other) => other.saved_chart_id === saved_chart_id && other.id !== id)) {
      throw new AppError('conflict', 'The chart is already on this dashboard.')
    }
    const charts = added(document.charts, placement, 'charts on this dashboard', DASHBOARD_LIMITS.placements)
    return { ...document, charts }
  }
}

/** The placement with this id. AppError `not_found`. */
export function placementIn({ charts }: DashboardDocument, id: string): ChartPlacement {
  return found(charts, id, 'chart on this dashboard')
}

/** Moves a chart to another position or section. AppError `not_found`. */
export function withMoved(id: string, change: PlacementChange): DashboardEdit {
  return (document) => {
    const changed = { ...placementIn(document, id), ...change }
    if (change.section_id !== undefined) sectionIn(document, change.section_id)
    return { ...document, charts: replaced(document.charts, changed) }
  }
}

/** Removes a chart from the dashboard. AppError `not_found`. */
export function withoutPlacement(id: string): DashboardEdit {
  return (document) => {
    placementIn(document, id)
    return { ...document, charts: document.charts.filter((placement) => placement.id !== id) }
  }
}

interface Item {
  readonly id: string
}

function found<T extends Item>(items: readonly T[], id: string, name: string): T {
  const item = items.find((one) => one.id === id)
  if (item === undefined) throw new AppError('not_found', `No ${name} has this id.`)
  return item
}

function replaced<T extends Item>(items: readonly T[], item: T): readonly T[] {
  return items.map((one) => (one.id === item.id ? item : one))
}

function added<T extends Item>(items: readonly T[], item: T, plural: string, limit: number): readonly T[] {
  if (items.some(({ id }) => id === item.id)) return items
  if (items.length < limit) return [...items, item]
  throw new AppError('validation_failed', `There are already ${limit} ${plural}, which is the limit.`, { context: { limit } })
}
