import type { Knex } from 'knex'
import { chunksOf } from '../../core/batches.ts'
import type { Workspace } from '../../core/workspace.ts'
import type { WorkspaceStore } from '../../ports/store.ts'
import { createAttributes } from './attributes.ts'
import { createAuditLog } from './audit-log.ts'
import { createDashboardStore } from './dashboards/dashboard-store.ts'
import { type Access, type Database, table, writeExclusively } from './database.ts'
import { createDeliveryStore } from './deliveries/delivery-store.ts'
import { createExpenses } from './expenses/expense-store.ts'
import { createGoals } from './goals.ts'
import { createInbox } from './inbox.ts'
import { createKeys } from './keys.ts'
import { createLinkStore } from './links.ts'
import { createMarks } from './marks.ts'
import { createNotes } from './notes.ts'
import { createSegments } from './segments.ts'
import { createSources } from './sources.ts'

/** Gives the store of one workspace. The first access also adopts rows that were stored before workspaces existed (`adopt`). */
export function createWorkspaces(access: Access): (workspace: Workspace) => WorkspaceStore {
  const adoptions = new Map<string, Promise<void>>()

  const adoptOnce = (workspace: Workspace): Promise<void> => {
    const key = JSON.stringify(workspace)
    const known = adoptions.get(key)
    if (known !== undefined) return known
    const adopting = adopt(access, workspace).catch((error: unknown) => {
      adoptions.delete(key)
      throw error
    })
    adoptions.set(key, adopting)
    return adopting
  }
  return (workspace) => {
    const adopted: Access = {
      read: async (work) => {
        await adoptOnce(workspace)
        return access.read(work)
      },
      write: async (work) => {
        await adoptOnce(workspace)
        return access.write(work)
      },
      writeConcurrently: access.writeConcurrently,
    }
    return {
      attributes: createAttributes(adopted, workspace),
      segments: createSegments(adopted, workspace),
      // Notes, goals, expenses, sources, keys dashboards and marks came after workspaces, so they have nothing to adopt.
      notes: createNotes(access, workspace),
      goals: createGoals(access, workspace),
      expenses: createExpenses(access, workspace),
      sources: createSources(access, workspace),
      inbox: createInbox(access, workspace),
      keys: createKeys(access, workspace),
      audit: createAuditLog(access, workspace),
      marks: createMarks(access, workspace),
      deliveries: createDeliveryStore(access, workspace),
      links: createLinkStore(access, workspace),
      dashboardsOf: (viewer) => createDashboardStore(access, workspace, viewer),
    }
  }
}

// Rows stored before workspaces existed have an empty workspace name until a service adopts them.
const UNOWNED = { workspace: '' }
const ROWS_AT_ONCE = 500
/** Tables whose rows name no source. Each has the column that identifies a row. */
const UNPLACED = { attribute_definition: 'attribute_key', attribute_note: 'attribute_key', segment: 'id' } as const

/**
 * Gives a workspace the rows that were stored before workspaces existed. These are the values of its own sources, and all
 * definitions, notes and segments, because they name no owner. If other services also have values here, each service with values
 * gets a copy of the definitions, notes and segments. A service without values gets nothing. The last service takes all remaining
 * rows.
 */
async function adopt(access: Access, workspace: Workspace): Promise<void> {
  const isUnowned = await access.read(async (database) => {
    for (const name of ['attribute_value', ...Object.keys(UNPLACED)]) {
      if (await hasRows(table(database, name).where(UNOWNED))) return true
    }
    return false
  })
  if (isUnowned) await writeExclusively(access, (database, transaction) => copyUnowned(database, transaction, workspace))
}

async function copyUnowned(database: Database, transaction: Knex, { name, source_ids }: Workspace): Promise<void> {
  const values = () => table(database, 'attribute_value', transaction).where(UNOWNED)
  const own = await keysOf(values().whereIn('source_id', source_ids))
  const others = await keysOf(values().whereNotIn('source_id', source_ids))
  const isShared = others.size > 0
  if (isShared && own.size === 0) return
  for (const [from, column] of Object.entries(UNPLACED)) {
    const rows: Record<string, unknown>[] = await table(database, from, transaction).where(UNOWNED)
    const isOwn = (key: unknown) => from === 'attribute_definition' && own.has(String(key))
    const isOthers = (key: unknown) => from === 'attribute_definition' && others.has(String(key))
    const wanted = rows.filter((row) => isOwn(row[column]) || !isOthers(row[column]))
    for (const chunk of chunksOf(wanted, ROWS_AT_ONCE)) {
      const copies = chunk.map((row) => ({ ...row, workspace: name }))
      await table(database, from, transaction).insert(copies).onConflict().ignore()
      const copied = chunk.map((row) => row[column]).filter((key) => !isShared || (isOwn(key) && !isOthers(key)))
      await deleteCopied(table(database, from, transaction), column, name, copied.map(String))
    }
  }
  await values().whereIn('source_id', source_ids).update({ workspace: name })
}

async function keysOf(values: Knex.QueryBuilder): Promise<ReadonlySet<string>> {
  const rows: { attribute_key: string }[] = await values.distinct('attribute_key')
  return new Set(rows.map((row) => row.attribute_key))
}

// If the workspace already has a segment of the same name, the segment is not adopted and remains without an owner.
async function deleteCopied(rows: Knex.QueryBuilder, key: string, workspace: string, keys: readonly string[]): Promise<void> {
  const taken: Record<string, unknown>[] = await rows.clone().where({ workspace }).whereIn(key, keys).select(key)
  const names = taken.map((row) => String(row[key]))
  await rows.where(UNOWNED).whereIn(key, names).delete()
}

async function hasRows(query: Knex.QueryBuilder): Promise<boolean> {
  const rows: unknown[] = await query.select('workspace').limit(1)
  return rows.length > 0
}
