import type { Knex } from 'knex'
import { scopesGranted } from '../../core/auth.ts'
import { AppError } from '../../core/errors.ts'
import { isStorable } from '../../core/text.ts'
import type { Workspace } from '../../core/workspace.ts'
import type { KeyStore, StoredKey } from '../../ports/auth-store.ts'
import { instantCell, integerCell, textOf } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { type Access, type Database, table, writeExclusively } from './database.ts'
import { instantForStore, instantFromStore } from './instants.ts'
import { instantOrNull } from './sources.ts'

/** The stored API keys of one workspace. */
export function createKeys(access: Access, { name: workspace }: Workspace): KeyStore {
  const owned = (database: Database, scope?: Knex) => table(database, 'api_key', scope).where({ workspace })
  return {
    list: () =>
      access.read(async (database) => {
        const rows: Row[] = await owned(database).orderBy([{ column: 'created_at', order: 'desc' }, 'id'])
        return rows.map(keyOf)
      }),
    create: (key, digest, most) =>
      writeExclusively(access, async (database, transaction) => {
        const [count]: Row[] = await owned(database, transaction).whereNull('revoked_at').count('id as total')
        if (count !== undefined && integerCell(count, 'total') >= most) {
          const detail = `There are already ${most} keys, which is the limit. Revoke keys that nobody needs.`
          throw new AppError('conflict', detail, { context: { limit: most } })
        }
        await table(database, 'api_key', transaction).insert({ workspace, digest, ...rowOf(key) })
      }),
    find: (digest) =>
      access.read(async (database) => {
        const [row]: Row[] = await owned(database).where({ digest })
        return row === undefined ? undefined : { key: keyOf(row), digest: textOf(row, 'digest') }
      }),
    revoke: async (id, at) =>
      isStorable(id) &&
      writeExclusively(access, async (database, transaction) => {
        const live = owned(database, transaction).where({ id }).whereNull('revoked_at')
        return (await live.update({ revoked_at: instantForStore(at) })) > 0
      }),
    noteUses: (uses) =>
      access.writeConcurrently(async (database) => {
        for (const [id, at] of uses) {
          const used = instantForStore(at)
          await owned(database)
            .where({ id })
            .andWhere((earlier) => earlier.whereNull('last_used_at').orWhere('last_used_at', '<', used))
            .update({ last_used_at: used })
        }
      }),
  }
}

function keyOf(row: Row): StoredKey {
  return {
    id: textOf(row, 'id'),
    name: textOf(row, 'name'),
    key_prefix: textOf(row, 'key_prefix'),
    scopes: scopesOf(textOf(row, 'scopes')),
    created_by: textOf(row, 'created_by'),
    created_at: instantFromStore(textOf(row, 'created_at')),
    last_used_at: instantCell(row, 'last_used_at'),
    expires_at: instantCell(row, 'expires_at'),
    revoked_at: instantCell(row, 'revoked_at'),
  }
}

// A later version may have added a scope that this version does not know. It is left out.
function scopesOf(text: string): StoredKey['scopes'] {
  const words: unknown = JSON.parse(text)
  const granted = Array.isArray(words) ? words : []
  return scopesGranted(granted).filter((scope) => granted.includes(scope))
}

function rowOf({ scopes, created_at, last_used_at, expires_at, revoked_at, ...fields }: StoredKey): Record<string, unknown> {
  return {
    ...fields,
    scopes: JSON.stringify(scopes),
    created_at: instantForStore(created_at),
    last_used_at: instantOrNull(last_used_at),
    expires_at: instantOrNull(expires_at),
    revoked_at: instantOrNull(revoked_at),
  }
}
