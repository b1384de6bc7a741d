import type { ChartPlacement, DashboardRecord, DashboardSection, SavedChart } from '../../../core/workspace.ts'
import { integerCell, textCell, textOf } from '../../../ports/cells.ts'
import type { Row } from '../../../ports/rows.ts'
import { datesOf } from '../attribute-rows.ts'
import { instantForStore } from '../instants.ts'

/** The cells of a record. */
export type RecordRow = { readonly id: string } & Readonly<Record<string, unknown>>

export function dashboardOf(row: Row): DashboardRecord {
  return { id: textOf(row, 'id'), name: textOf(row, 'name'), description: textCell(row, 'description'), ...datesOf(row) }
}

export function sectionOf(row: Row): DashboardSection {
  return { id: textOf(row, 'id'), title: textOf(row, 'title'), position: integerCell(row, 'position') }
}

export function placementOf(row: Row): ChartPlacement {
  return {
    id: textOf(row, 'id'),
    saved_chart_id: textOf(row, 'saved_chart_id'),
    section_id: textOf(row, 'section_id'),
    position: integerCell(row, 'position'),
  }
}

export function chartOf(row: Row): SavedChart {
  const config = JSON.parse(textOf(row, 'config')) as SavedChart['config']
  return { id: textOf(row, 'id'), name: textOf(row, 'name'), config, ...datesOf(row) }
}

/** The row of a dashboard. */
export function dashboardRow({ created_at, updated_at, ...fields }: DashboardRecord): RecordRow {
  return { ...fields, created_at: instantForStore(created_at), updated_at: instantForStore(updated_at) }
}

/** The row of a chart. */
export function chartRow({ created_at, updated_at, config, ...fields }: SavedChart): RecordRow {
  const dates = { created_at: instantForStore(created_at), updated_at: instantForStore(updated_at) }
  return { ...fields, config: JSON.stringify(config), ...dates }
}
