import type { Knex } from 'knex'
import { AppError } from '../../core/errors.ts'
import { isStorable } from '../../core/text.ts'
import type { Workspace } from '../../core/workspace.ts'
import { textOf } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import type { SourceStore } from '../../ports/source-store.ts'
import { type Access, changeBeside, type Database, table } from './database.ts'
import { exchangeSecrets, secretsOf } from './exchange-secrets.ts'
import { instantForStore, instantFromStore } from './instants.ts'
import { sourceOf, sourceRow } from './source-rows.ts'
import { createRuns } from './sync-runs.ts'

/** The sources of books that one workspace has in the store. */
export function createSources(access: Access, { name: workspace }: Workspace): SourceStore {
  const owned = (database: Database, scope?: Knex) => table(database, 'source', scope).where({ workspace })
  const consents = (database: Database, scope?: Knex) => table(database, 'pending_consent', scope)
  return {
    list: () =>
      access.read(async (database) => {
        const rows: Row[] = await owned(database).orderBy('id')
        return rows.map(sourceOf)
      }),
    get: async (id) =>
      isStorable(id) ? access.read(async (database) => firstOf(await owned(database).where({ id }))) : undefined,
    create: ({ id, type, created_at, ...source }) =>
      changeBeside(access, async (database, transaction) => {
        const taken: Row[] = await owned(database, transaction).where({ id }).select('id').forUpdate()
        if (taken.length > 0) throw new AppError('conflict', `There is a source "${id}" already.`)
        const row = { workspace, id, type, created_at: instantForStore(created_at), ...sourceRow(source) }
        await table(database, 'source', transaction).insert(row)
      }),
    update: (id, change) =>
      changeBeside(access, async (database, transaction) => {
        const row = sourceRow(change)
        if (Object.keys(row).length > 0) await owned(database, transaction).where({ id }).update(row)
        return firstOf(await owned(database, transaction).where({ id }))
      }),
    remove: (id) => access.writeBeside(async (database) => void (await owned(database).where({ id }).delete())),
    secrets: (id) => access.read((database) => secretsOf(owned(database).where({ id }))),
    exchangeSecrets: (id, work) => exchangeSecrets(access, workspace, id, work),
    ...createRuns(access, workspace),
    keepConsent: ({ expires_at, ...consent }, now) =>
      changeBeside(access, async (database, transaction) => {
        // Most of those that are never ended were begun by nobody who meant it.
        await consents(database, transaction).where({ workspace }).andWhere('expires_at', '<=', instantForStore(now)).delete()
        const row = { workspace, ...consent, expires_at: instantForStore(expires_at) }
        await consents(database, transaction).insert(row)
      }),
    takeConsent: (state, now) =>
      changeBeside(access, async (database, transaction) => {
        const [row]: Row[] = await consents(database, transaction).where({ workspace, state }).forUpdate()
        await consents(database, transaction).where({ workspace, state }).delete()
        if (row === undefined) return undefined
        const expires_at = instantFromStore(textOf(row, 'expires_at'))
        const consent = { state, browser: textOf(row, 'browser'), type: textOf(row, 'type'), expires_at }
        return expires_at <= now ? undefined : consent
      }),
  }
}

function firstOf(rows: readonly Row[]) {
  const [row] = rows
  return row === undefined ? undefined : sourceOf(row)
}
