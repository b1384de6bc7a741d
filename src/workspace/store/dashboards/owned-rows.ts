import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import { AppError } from '../../../core/errors.ts'
import type { ChartPlacement, DashboardRecord, DashboardSection, SavedChart } from '../../../core/workspace.ts'
import { integerCell, textCell, textOf } from '../../../ports/cells.ts'
import type { Row } from '../../../ports/rows.ts'
import { datesOf } from '../attribute-rows.ts'
import { type Access, changeConcurrently, type Database, table } from '../database.ts'
import { instantForStore } from '../instants.ts'

/** The rows of one table that belong to one user or dashboard. */
interface OwnedRows {
  /** A query for the rows. The caller adds conditions. */
  find(): Knex.QueryBuilder
  insert(row: Readonly<Record<string, unknown>>): Promise<void>
}

/** The rows of one user. */
export interface OwnedTables {
  readonly dashboards: OwnedRows
  readonly charts: OwnedRows
  /** Sections of a dashboard. The caller has checked that the dashboard belongs to the user. */
  sections(dashboardId: string): OwnedRows
  /** Placements on a dashboard. The caller has checked that the dashboard belongs to the user. */
  placements(dashboardId: string): OwnedRows
}

export interface OwnedAccess {
  read<T>(work: (tables: OwnedTables) => Promise<T>): Promise<T>
  /**
   * Runs `work` in one transaction, after earlier transactions of the same user. Rows that `work` has read do not change until
   * the transaction ends.
   */
  change<T>(work: (tables: OwnedTables) => Promise<T>): Promise<T>
}

/** Access to the rows of a user in a workspace. */
export function ownedAccess(access: Access, workspace: string, user: string): OwnedAccess {
  // User ids from an identity provider may have any length, and may end in blanks, which MySQL ignores.
  const owned = { workspace, owner: createHash('sha256').update(user).digest('hex') }
  return {
    read: (work) => access.read((database) => work(tablesOf(database, owned))),
    change: (work) =>
      changeConcurrently(access, async (database, transaction) => {
        await table(database, 'dashboard_owner', transaction).insert(owned).onConflict(['workspace', 'owner']).merge()
        return work(tablesOf(database, owned, transaction))
      }),
  }
}

function tablesOf(database: Database, owned: Readonly<Record<string, string>>, scope?: Knex): OwnedTables {
  const rows = (name: string, common: Readonly<Record<string, string>>): OwnedRows => ({
    find: () => table(database, name, scope).where(common),
    insert: async (row) => void (await table(database, name, scope).insert({ ...common, ...row })),
  })
  return {
    dashboards: rows('dashboard', owned),
    charts: rows('saved_chart', owned),
    sections: (dashboard_id) => rows('dashboard_section', { dashboard_id }),
    placements: (dashboard_id) => rows('dashboard_chart', { dashboard_id }),
  }
}

/** A kind of records: their names in messages, their limit and their reader. */
export interface Kind<T> {
  readonly name: string
  readonly plural: string
  /** Most records of the kind. */
  readonly limit: number
  readonly read: (row: Row) => T
}

/** The record with this id. AppError `not_found`. */
export async function recordIn<T>(rows: OwnedRows, { name, read }: Kind<T>, id: string): Promise<T> {
  const [row]: Row[] = await rows.find().where({ id })
  if (row === undefined) throw new AppError('not_found', `No ${name} has this id.`)
  return read(row)
}

/**
 * Inserts a row. Does nothing if the row exists, because an earlier attempt may have inserted it before its connection was cut.
 * AppError `validation_failed` at the limit.
 */
export async function addTo<T>(rows: OwnedRows, kind: Kind<T>, row: RecordRow): Promise<void> {
  if (await hasRow(rows.find().where({ id: row.id }))) return
  await checkRoom(rows, kind)
  await rows.insert(row)
}

/** Changes a record. True if the change made a difference. AppError `not_found`. */
export async function changeIn<T extends object>(
  rows: OwnedRows,
  kind: Kind<T>,
  id: string,
  change: Partial<NoInfer<T>>,
  rowOf: (record: T) => Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const found = await recordIn(rows, kind, id)
  const changed = { ...found, ...change }
  if (JSON.stringify(changed) === JSON.stringify(found)) return false
  await rows.find().where({ id }).update(rowOf(changed))
  return true
}

/** Deletes a record and its dependent rows. AppError `not_found`. */
export async function removeFrom<T>(rows: OwnedRows, kind: Kind<T>, id: string): Promise<void> {
  await recordIn(rows, kind, id)
  await rows.find().where({ id }).delete()
}

/** Whether the query finds a row. */
export async function hasRow(query: Knex.QueryBuilder): Promise<boolean> {
  const found: Row[] = await query.select('id').limit(1)
  return found.length > 0
}

async function checkRoom<T>(rows: OwnedRows, { plural, limit }: Kind<T>): Promise<void> {
  const [counted]: Row[] = await rows.find().count({ total: '*' })
  if (counted === undefined || integerCell(counted, 'total') < limit) return
  throw new AppError('validation_failed', `There are already ${limit} ${plural}, which is the limit.`, { context: { limit } })
}

/** The cells of a record. */
type RecordRow = { readonly id: string } & Readonly<Record<string, unknown>>

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
