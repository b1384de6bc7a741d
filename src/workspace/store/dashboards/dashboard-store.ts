import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import { AppError } from '../../../core/errors.ts'
import {
  DASHBOARD_LIMITS,
  type DashboardDocument,
  type DashboardRecord,
  type SavedChart,
  VISIBILITIES,
  type Viewer,
  type Workspace,
} from '../../../core/workspace.ts'
import { integerCell, textCell, textOf } from '../../../ports/cells.ts'
import type { DashboardStore } from '../../../ports/dashboard-store.ts'
import type { Row } from '../../../ports/rows.ts'
import { datesOf } from '../attribute-rows.ts'
import { type Access, changeConcurrently, type Database, table } from '../database.ts'
import { instantForStore } from '../instants.ts'

/** The rows of an owner in a table. The caller adds conditions. */
type RowsIn = (name: 'dashboard' | 'saved_chart') => Knex.QueryBuilder

/** The dashboards that a viewer sees in a workspace, and the viewer's charts. */
export function createDashboardStore(access: Access, { name: workspace }: Workspace, viewer: Viewer): DashboardStore {
  // User ids from an identity provider may have any length, and may end in blanks, which MySQL ignores.
  const own = createHash('sha256').update(viewer.id).digest('hex')
  const recordOf = recordFor(own)
  const documentOf = (row: Row): DashboardDocument => ({ ...recordOf(row), ...contentsOf(row) })
  const rowsOf = (database: Database, owner: string, transaction?: Knex): RowsIn => {
    return (name) => table(database, name, transaction).where({ workspace, owner })
  }
  const read = <T>(work: (rows: RowsIn, database: Database) => Promise<T>) =>
    access.read((database) => work(rowsOf(database, own), database))
  /** Runs `work` in one transaction, after earlier transactions of the same owner. Rows that it has read do not change until it ends. */
  const change = <T>(work: (rows: RowsIn) => Promise<T>, owner = own) =>
    changeConcurrently(access, async (database, transaction) => {
      const turn = table(database, 'dashboard_owner', transaction)
      await turn.insert({ workspace, owner }).onConflict(['workspace', 'owner']).merge()
      return work(rowsOf(database, owner, transaction))
    })
  const newestFirst = (rows: Knex.QueryBuilder) => rows.orderBy([{ column: 'updated_at', order: 'desc' }, 'id'])
  /** The dashboards that the viewer sees. */
  const seen = (database: Database) => {
    const all = table(database, 'dashboard').where({ workspace })
    if (viewer.sees === 'all') return all
    if (viewer.sees === 'own') return all.where({ owner: own })
    return all.where((one) => one.where({ owner: own }).orWhere({ visibility: 'workspace' }))
  }
  const seenCharts = (database: Database) => {
    const all = table(database, 'saved_chart').where({ workspace })
    return viewer.sees === 'all' ? all : all.where({ owner: own })
  }
  const find = (database: Database, id: string) => rowIn(seen(database), 'dashboard', id)
  /** Runs `work` with a dashboard that the viewer may change. */
  const changeOne = async (id: string, work: (rows: RowsIn, row: Row) => Promise<void>) => {
    const owner = textOf(await access.read((database) => find(database, id)), 'owner')
    if (owner !== own && !viewer.isAdministrator) throw ofSomebodyElse()
    await change(async (rows) => {
      const row = await rowIn(rows('dashboard'), 'dashboard', id)
      // Its owner may have withdrawn it meanwhile.
      if (owner !== own && viewer.sees !== 'all' && visibilityOf(row) === 'private') throw unknownId('dashboard')
      await work(rows, row)
    }, owner)
  }

  return {
    dashboards: () =>
      read(async (_, database) => {
        const found: Row[] = await newestFirst(seen(database))
        return found.map(recordOf)
      }),
    dashboard: (id) => read(async (_, database) => documentOf(await find(database, id))),
    dashboardWithCharts: (id) =>
      read(async (_, database) => {
        const row = await find(database, id)
        const document = documentOf(row)
        const placed = document.charts.map(({ saved_chart_id }) => saved_chart_id)
        const charts: Row[] = await rowsOf(database, textOf(row, 'owner'))('saved_chart').whereIn('id', placed)
        return { document, charts: charts.map(chartOf) }
      }),
    addDashboard: (document) =>
      change((rows) => {
        const row = { workspace, owner: own, owner_name: viewer.name, ...rowOf(document) }
        return addTo(rows('dashboard'), 'dashboards', DASHBOARD_LIMITS.dashboards, row)
      }),
    changeDashboard: (id, edit, at, revision) =>
      changeOne(id, async (rows, row) => {
        const document = documentOf(row)
        const edited = await edit(document, (chart) => hasRow(rows('saved_chart').where({ id: chart })))
        if (JSON.stringify(edited) === JSON.stringify(document)) return
        if (revision !== undefined && revision !== document.revision) throw staleRevision(document, revision)
        await store(rows, { ...edited, revision: document.revision + 1, updated_at: at }, document.is_own ? viewer.name : null)
      }),
    removeDashboard: (id) => changeOne(id, (rows) => removeFrom(rows('dashboard'), 'dashboard', id)),

    charts: () =>
      read(async (_, database) => {
        const found: Row[] = await newestFirst(seenCharts(database))
        return found.map(chartOf)
      }),
    chart: (id) => read(async (_, database) => chartOf(await rowIn(seenCharts(database), 'chart', id))),
    addChart: (chart) =>
      change((rows) => {
        const row = { workspace, owner: own, ...chartRow(chart) }
        return addTo(rows('saved_chart'), 'charts', DASHBOARD_LIMITS.charts, row)
      }),
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

function ofSomebodyElse(): AppError {
  const detail = 'This dashboard belongs to somebody else: only its owner or an administrator changes or deletes it.'
  return new AppError('forbidden', detail, { context: { reason: 'not_owner' } })
}

/** Stores a dashboard. `owner`: the name of its owner, if it is known now. */
async function store(rows: RowsIn, document: DashboardDocument, owner: string | null = null): Promise<void> {
  const named = owner === null ? {} : { owner_name: owner }
  await rows('dashboard')
    .where({ id: document.id })
    .update({ ...rowOf(document), ...named })
}

async function rowIn(rows: Knex.QueryBuilder, name: string, id: string): Promise<Row> {
  const [row]: Row[] = await rows.where({ id })
  if (row === undefined) throw unknownId(name)
  return row
}

function unknownId(name: string): AppError {
  return new AppError('not_found', `No ${name} has this id.`)
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

function recordFor(owner: string): (row: Row) => DashboardRecord {
  return (row) => ({
    id: textOf(row, 'id'),
    name: textOf(row, 'name'),
    description: textCell(row, 'description'),
    visibility: visibilityOf(row),
    owner: textCell(row, 'owner_name'),
    is_own: textOf(row, 'owner') === owner,
    revision: integerCell(row, 'revision'),
    ...datesOf(row),
  })
}

// A word of a later version shows a dashboard to nobody else.
function visibilityOf(row: Row): DashboardRecord['visibility'] {
  return VISIBILITIES.find((one) => one === textOf(row, 'visibility')) ?? 'private'
}

type Contents = Pick<DashboardDocument, 'sections' | 'charts'>

function contentsOf(row: Row): Contents {
  const { sections, charts } = JSON.parse(textOf(row, 'contents')) as Contents
  return { sections, charts }
}

function rowOf({ sections, charts, owner: _, is_own: __, ...record }: DashboardDocument) {
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
