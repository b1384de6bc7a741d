import { randomUUID } from 'node:crypto'
import type { DashboardRecord, DashboardSection, SavedChart } from '../../core/workspace.ts'
import type { DashboardWithCharts } from '../../ports/dashboard-store.ts'
import { DASHBOARD, PLACE, SECTION } from '../records/dashboard.ts'
import { bodyFor, checkIds, type DashboardAccess, sent } from './bodies.ts'
import {
  placementIn,
  sectionIn,
  withChangedSection,
  withFields,
  withMoved,
  withoutPlacement,
  withoutSection,
  withPlacement,
  withSection,
} from './document.ts'

/** A dashboard in an answer: sections and their charts in display order. */
export interface Dashboard extends DashboardRecord {
  readonly sections: readonly ShownSection[]
}

export interface ShownSection extends DashboardSection {
  readonly charts: readonly ShownChart[]
}

export interface ShownChart {
  /** Id of the placement, not of the chart. */
  readonly id: string
  readonly saved_chart_id: string
  readonly position: number
  readonly chart: Pick<SavedChart, 'name' | 'config'>
}

/**
 * The dashboards that a viewer sees (http-api.md 10). AppError `not_found` for ids that the viewer does not see, `forbidden` for a change of somebody else's
 * dashboard. `validation_failed` has every problem of a body, and `conflict` refuses a change with the revision of an earlier state.
 */
export interface DashboardResource {
  /** Last changed first. */
  list(): Promise<readonly DashboardRecord[]>
  get(id: string): Promise<Dashboard>
  create(body: unknown): Promise<DashboardRecord>
  /** Changes the given fields, like the other updates. */
  update(id: string, body: unknown): Promise<void>
  delete(id: string): Promise<void>
  addSection(id: string, body: unknown): Promise<DashboardSection>
  updateSection(id: string, sectionId: string, body: unknown): Promise<void>
  /** Also removes the placements in the section. */
  deleteSection(id: string, sectionId: string): Promise<void>
  /** Returns the id of the placement. AppError `conflict` if the chart is already on the dashboard. */
  place(id: string, body: unknown): Promise<string>
  move(id: string, placementId: string, body: unknown): Promise<void>
  removeChart(id: string, placementId: string): Promise<void>
}

/** A viewer's dashboards in the side store. `owner`: the name of the viewer. */
export function createDashboardResource(access: DashboardAccess, owner: string | null): DashboardResource {
  const storeFor = async (ids: Readonly<Record<string, string>>) => {
    const store = await access.store()
    checkIds(ids)
    return store
  }
  return {
    list: async () => (await access.store()).dashboards(),
    async get(id) {
      const store = await storeFor({ dashboard: id })
      return shown(await store.dashboardWithCharts(id))
    },
    async create(body) {
      const store = await access.store()
      const { name, description = null, visibility = 'private' } = DASHBOARD.body.parse(body)
      const at = access.now()
      const own = { owner, is_own: true, revision: 1, created_at: at, updated_at: at }
      const record = { id: randomUUID(), name, description, visibility, ...own }
      await store.addDashboard({ ...record, sections: [], charts: [] })
      return record
    },
    async update(id, body) {
      const store = await storeFor({ dashboard: id })
      const { revision, ...change } = await bodyFor(DASHBOARD.change, body, () => store.dashboard(id))
      await store.changeDashboard(id, withFields(sent(change)), access.now(), revision)
    },
    delete: async (id) => (await storeFor({ dashboard: id })).removeDashboard(id),

    async addSection(id, body) {
      const store = await storeFor({ dashboard: id })
      const { title, position = 0 } = await bodyFor(SECTION.body, body, () => store.dashboard(id))
      const section = { id: randomUUID(), title, position }
      await store.changeDashboard(id, withSection(section), access.now())
      return section
    },
    async updateSection(id, sectionId, body) {
      const store = await storeFor({ dashboard: id, section: sectionId })
      const find = async () => sectionIn(await store.dashboard(id), sectionId)
      const { revision, ...change } = await bodyFor(SECTION.change, body, find)
      await store.changeDashboard(id, withChangedSection(sectionId, sent(change)), access.now(), revision)
    },
    async deleteSection(id, sectionId) {
      const store = await storeFor({ dashboard: id, section: sectionId })
      await store.changeDashboard(id, withoutSection(sectionId), access.now())
    },

    async place(id, body) {
      const store = await storeFor({ dashboard: id })
      const { position = 0, ...named } = await bodyFor(PLACE.body, body, () => store.dashboard(id))
      checkIds({ chart: named.saved_chart_id, section: named.section_id })
      const placement = { id: randomUUID(), ...named, position }
      await store.changeDashboard(id, withPlacement(placement), access.now())
      return placement.id
    },
    async move(id, placementId, body) {
      const store = await storeFor({ dashboard: id, 'chart on this dashboard': placementId })
      const find = async () => placementIn(await store.dashboard(id), placementId)
      const { revision, ...change } = await bodyFor(PLACE.change, body, find)
      checkIds({ section: change.section_id })
      await store.changeDashboard(id, withMoved(placementId, sent(change)), access.now(), revision)
    },
    async removeChart(id, placementId) {
      const store = await storeFor({ dashboard: id, 'chart on this dashboard': placementId })
      await store.changeDashboard(id, withoutPlacement(placementId), access.now())
    },
  }
}

function shown({ document, charts }: DashboardWithCharts): Dashboard {
  const { sections, charts: placements, ...record } = document
  const known = new Map(charts.map((chart) => [chart.id, chart]))
  const chartsOf = (sectionId: string): readonly ShownChart[] =>
    inOrder(placements).flatMap(({ id, saved_chart_id, section_id, position }) => {
      const chart = known.get(saved_chart_id)
      if (section_id !== sectionId || chart === undefined) return []
      return [{ id, saved_chart_id, position, chart: { name: chart.name, config: chart.config } }]
    })
  return { ...record, sections: inOrder(sections).map((section) => ({ ...section, charts: chartsOf(section.id) })) }
}

/** Display order of sections, and of charts in a section. */
function inOrder<T extends Pick<DashboardSection, 'id' | 'position'>>(items: readonly T[]): readonly T[] {
  return items.toSorted((one, other) => one.position - other.position || (one.id < other.id ? -1 : 1))
}
