import { DASHBOARD_LIMITS, type SavedChart } from '../../../core/workspace.ts'
import type { DashboardStore } from '../../../ports/dashboard-store.ts'
import type { Row } from '../../../ports/rows.ts'
import type { OwnedAccess } from './owned-tables.ts'
import { addTo, changeIn, type Kind, recordIn, removeFrom } from './records.ts'
import { chartOf, chartRow } from './rows.ts'

/** Saved charts. */
export const CHART: Kind<SavedChart> = { name: 'chart', plural: 'charts', limit: DASHBOARD_LIMITS.charts, read: chartOf }

type Charts = Pick<DashboardStore, 'charts' | 'chart' | 'addChart' | 'changeChart' | 'removeChart'>

/** The charts that a user has saved. */
export function createCharts(access: OwnedAccess): Charts {
  return {
    charts: () =>
      access.read(async ({ charts }) => {
        const rows: Row[] = await charts.find().orderBy([{ column: 'updated_at', order: 'desc' }, 'id'])
        return rows.map(chartOf)
      }),
    chart: (id) => access.read(({ charts }) => recordIn(charts, CHART, id)),
    addChart: (chart) => access.change(({ charts }) => addTo(charts, CHART, chartRow(chart))),
    changeChart: (id, change, at) =>
      access.change(async ({ charts }) => {
        await changeIn(charts, CHART, id, change, (chart) => chartRow({ ...chart, updated_at: at }))
      }),
    removeChart: (id) => access.change(({ charts }) => removeFrom(charts, CHART, id)),
  }
}
