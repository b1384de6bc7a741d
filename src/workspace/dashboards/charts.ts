import { randomUUID } from 'node:crypto'
import type { SavedChart } from '../../core/workspace.ts'
import { CHART } from '../records/dashboard.ts'
import { bodyFor, checkIds, type DashboardAccess, sent } from './bodies.ts'

/** The saved charts of a user (http-api.md 10). AppError `not_found` for unknown ids and for charts of other users. */
export interface ChartResource {
  /** Last changed first. */
  list(): Promise<readonly SavedChart[]>
  /** AppError `validation_failed` with every problem. */
  create(body: unknown): Promise<SavedChart>
  /** Changes the given fields. */
  update(id: string, body: unknown): Promise<void>
  /** Also removes its placements on dashboards. */
  delete(id: string): Promise<void>
}

/** A user's charts in the side store. */
export function createChartResource(access: DashboardAccess): ChartResource {
  return {
    list: async () => (await access.store()).charts(),
    async create(body) {
      const store = await access.store()
      const at = access.now()
      const chart = { id: randomUUID(), ...CHART.body.parse(body), created_at: at, updated_at: at }
      await store.addChart(chart)
      return chart
    },
    async update(id, body) {
      const store = await access.store()
      checkIds({ chart: id })
      const change = await bodyFor(CHART.change, body, () => store.chart(id))
      await store.changeChart(id, sent(change), access.now())
    },
    async delete(id) {
      const store = await access.store()
      checkIds({ chart: id })
      await store.removeChart(id)
    },
  }
}
