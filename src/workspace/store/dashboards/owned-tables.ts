import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import { type Access, changeBeside, type Database, table } from '../database.ts'

/** The rows of one table that belong together. */
export interface OwnedRows {
  /** Those there are, to be narrowed. */
  find(): Knex.QueryBuilder
  insert(row: Readonly<Record<string, unknown>>): Promise<void>
}

/** What one user has. */
export interface OwnedTables {
  readonly dashboards: OwnedRows
  readonly charts: OwnedRows
  /** Of a dashboard that is known to be the user's. */
  sections(dashboardId: string): OwnedRows
  /** Likewise. */
  placements(dashboardId: string): OwnedRows
}

export interface OwnedAccess {
  read<T>(work: (tables: OwnedTables) => Promise<T>): Promise<T>
  /** Runs `work` in one transaction, after those of the same user that have begun before: what it has looked up stays as it is until it ends. */
  change<T>(work: (tables: OwnedTables) => Promise<T>): Promise<T>
}

/** The way to what a user has in a workspace. */
export function ownedAccess(access: Access, workspace: string, user: string): OwnedAccess {
  // A provider's names of users may be of any length and end in blanks, which MySQL takes for nothing.
  const owned = { workspace, owner: createHash('sha256').update(user).digest('hex') }
  return {
    read: (work) => access.read((database) => work(tablesOf(database, owned))),
    change: (work) =>
      changeBeside(access, async (database, transaction) => {
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
