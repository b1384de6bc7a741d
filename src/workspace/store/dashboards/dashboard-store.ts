import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import { AppError } from '../../../core/errors.ts'
import {
  DASHBOARD_LIMITS,
  type DashboardDocument,
  type DashboardRecord,
  type SavedChart,
  type Workspace,
} from '../../../core/workspace.ts'
import { integerCell, textCell, textOf } from '../../../ports/cells.ts'
import type { DashboardStore } from '../../../ports/dashboard-store.ts'
import type { Row } from '../../../ports/rows.ts'
import { datesOf } from '../attribute-rows.ts'
import { type Access, changeConcurrently, table } from '../database.ts'
import { instantForStore } from '../instants.ts'

/** The rows of a user in a table. The caller adds conditions. */
type RowsIn = (name: 'dashboard' | 'saved_chart') => Knex.QueryBuilder

/** The dashboards and charts of a user in a workspace. */
export function createDashboardStore(access: Access, { name: workspace }: Workspace, user: string): DashboardStore {
  // User ids from an identity provider may have any length, and may end in blanks, which MySQL ignores.
  const owned = { workspace, owner: createHash('sha256').update(user).digest('hex') }
  const read = <T>(work: (rows: RowsIn) => Promise<T>) =>
    access.read((database) => work((name) => table(database, name).where(owned)))
  /** Runs `work` in one transaction, after earlier transactions of the same user. Rows that it has read do not change until it ends. */
  const change = <T>(work: (rows: RowsIn) => Promise<T>) =>
    changeConcurrently(access, async (database, transaction) => {
      await table(database, 'dashboard_owner', transaction).insert(owned).onConflict(['workspace', 'owner']).merge()
      return work((name) => table(database, name, transaction).where(owned))
    })
  const newestFirst = (rows: Knex.QueryBuilder) => rows.orderBy([{ column: 'updated_at', order: 'desc' }, 'id'])

  return {
    dashboards: () =>
      read(async (rows) => {
        const found: Row[] = await newestFirst(rows('dashboard'))
        return found.map(recordOf)
      }),
    dashboard: (id) => read(async (rows) => documentOf(await rowIn(rows('dashboard'), 'dashboard', id))),
    addDashboard: (document) =>
      change((rows) => addTo(rows('dashboard'), 'dashboards', DASHBOARD_LIMITS.dashboards, { ...owned, ...rowOf(document) })),
    changeDashboard: (id, edit, at, revision) =>
      change(async (rows) => {
        const document = documentOf(await rowIn(rows('dashboard'), 'dashboard', id))
        const edited = await edit(document, (chart) => hasRow(rows('saved_chart').where({ id: chart })))
        if (JSON.stringify(edited) === JSON.stringify(document)) return
        if (revision !== undefined && revision !== document.revision) throw staleRevision(document, revision)
        await store(rows, { ...edited, revision: document.revision + 1, updated_at: at })
      }),
    removeDashboard: (id) => change((rows) => removeFrom(rows('dashboard'), 'dashboard', id)),

    charts: () =>
      read(async (rows) => {
        const found: Row[] = await newestFirst(rows('saved_chart'))
        return found.map(chartOf)
      }),
    chart: (id) => read(async (rows) => chartOf(await rowIn(rows('saved_chart'), 'chart', id))),
    addChart: (chart) =>
      change((rows) => addTo(rows('saved_chart'), 'charts', DASHBOARD_LIMITS.charts, { ...owned, ...chartRow(chart) })),
    changeChart: (id, fields, at) =>
      change(async (rows) => {
        const chart = chartOf(await rowIn(rows('saved_chart'), 'chart', id))
        const changed = { ...chart, ...fields }
        if (JSON.stringify(changed) === JSON.stringify(chart)) return
        await rows('saved_chart')
          .where({ id })
          .update(chartRow({ ...changed, updated_at: at }))
      }),
    removeChart: (id) =>
      change(async (rows) => {
        await removeFrom(rows('saved_chart'), 'chart', id)
        const found: Row[] = await rows('dashboard')
        for (const document of found.map(documentOf)) {
          const charts = document.charts.filter(({ saved_chart_id }) => saved_chart_id !== id)
          if (charts.length < document.charts.length) await store(rows, { ...document, charts, revision: document.revision + 1 })
        }
      }),
  }
}

function staleRevision({ revision: current }: DashboardDocument, revision: number): AppError {
  return new AppError(
    'conflict',
    `The dashboard is at revision ${current}, not ${revision}. Read it again, and repeat the change.`,
    { context: { revision: current } },
  )
}

async function store(rows: RowsIn, document: DashboardDocument): Promise<void> {
  await rows('dashboard').where({ id: document.id }).update(rowOf(document))
}

async function rowIn(rows: Knex.QueryBuilder, name: string, id: string): Promise<Row> {
  const [row]: Row[] = await rows.where({ id })
  if (row === undefined) throw new AppError('not_found', `No ${name} has this id.`)
  return row
}

// A row that exists stays unchanged, because an earlier attempt may have inserted it before its connection was cut.
async function addTo(
  rows: Knex.QueryBuilder,
  plural: string,
  limit: number,
  row: Readonly<Record<string, unknown>> & { readonly id: string },
): Promise<void> {
  if (await hasRow(rows.clone().where({ id: row.id }))) return
  const [counted]: Row[] = await rows.clone().count({ total: '*' })
  if (counted !== undefined && integerCell(counted, 'total') >= limit) {
    throw new AppError('validation_failed', `There are already ${limit} ${plural}, which is the limit.`, { context: { limit } })
  }
  await rows.clone().clearWhere().insert(row)
}

async function removeFrom(rows: Knex.QueryBuilder, name: string, id: string): Promise<void> {
  await rowIn(rows.clone(), name, id)
  await rows.clone().where({ id }).delete()
}

async function hasRow(query: Knex.QueryBuilder): Promise<boolean> {
  const found: Row[] = await query.select('id').limit(1)
  return found.length > 0
}

function recordOf(row: Row): DashboardRecord {
  return {
    id: textOf(row, 'id'),
    name: textOf(row, 'name'),
    description: textCell(row, 'description'),
    revision: integerCell(row, 'revision'),
    ...datesOf(row),
  }
}

type Contents = Pick<DashboardDocument, 'sections' | 'charts'>

function documentOf(row: Row): DashboardDocument {
  const { sections, charts } = JSON.parse(textOf(row, 'contents')) as Contents
  return { ...recordOf(row), sections, charts }
}

function rowOf({ sections, charts, ...record }: DashboardDocument) {
  const contents: Contents = { sections, charts }
  return { ...record, ...datesForStore(record), contents: JSON.stringify(contents) }
}

function chartOf(row: Row): SavedChart {
  const config = JSON.parse(textOf(row, 'config')) as SavedChart['config']
  return { id: textOf(row, 'id'), name: textOf(row, 'name'), config, ...datesOf(row) }
}

function chartRow(chart: SavedChart) {
  return { ...chart, ...datesForStore(chart), config: JSON.stringify(chart.config) }
}

function datesForStore({ created_at, updated_at }: Pick<SavedChart, 'created_at' | 'updated_at'>) {
  return { created_at: instantForStore(created_at), updated_at: instantForStore(updated_at) }
}
