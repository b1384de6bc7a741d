import type { Knex } from 'knex'
import { AppError } from '../../core/errors.ts'
import { isStorable, shortened } from '../../core/text.ts'
import type { Workspace } from '../../core/workspace.ts'
import type { Actor } from '../../ports/auth-store.ts'
import { instantCell, integerCell, isTrue, textCell, textOf } from '../../ports/cells.ts'
import type { LinkSecrets, LinkStore, StoredLink } from '../../ports/link-store.ts'
import type { Row } from '../../ports/rows.ts'
import { type Access, changeConcurrently, type Database, engineOf, table } from './database.ts'
import { instantForStore, instantFromStore } from './instants.ts'
import { instantOrNull } from './sources.ts'

const LONGEST_NAME = 199
/** All columns but the kept briefing. */
const COLUMNS = [
  ...['id', 'digest', 'kind', 'dashboard_id', 'chart_id', 'moment', 'names', 'creator_id', 'creator_kind', 'creator_name'],
  ...['created_at', 'expires_at', 'revoked_at', 'opened_at'],
]

/** The stored links of one workspace. */
export function createLinkStore(access: Access, { name: workspace }: Workspace): LinkStore {
  const owned = (database: Database, scope?: Knex) => table(database, 'link', scope).where({ workspace })
  return {
    list: () =>
      access.read(async (database) => {
        const rows: Row[] = await owned(database)
          .select(COLUMNS)
          .orderBy([{ column: 'created_at', order: 'desc' }, 'id'])
        return rows.map(linkOf)
      }),
    create: (link, secrets, most) =>
      changeConcurrently(access, async (database, transaction) => {
        const open = owned(database, transaction)
          .whereNull('revoked_at')
          .where('expires_at', '>', instantForStore(link.created_at))
        const [count]: Row[] = await open.count('id as total')
        if (count !== undefined && integerCell(count, 'total') >= most) {
          const detail = `There are already ${most} links, which is the limit. Revoke links that nobody needs.`
          throw new AppError('conflict', detail, { context: { limit: most } })
        }
        const row = { workspace, ...secrets, ...rowOf(link, database) }
        await table(database, 'link', transaction).insert(row).onConflict(['workspace', 'id']).ignore()
      }),
    find: (digest) =>
      access.read(async (database) => {
        const [row]: Row[] = await owned(database).where({ digest })
        return row === undefined ? undefined : { link: linkOf(row), digest: textOf(row, 'digest'), kept: textCell(row, 'kept') }
      }),
    revoke: async (id, at) =>
      isStorable(id) &&
      changeConcurrently(access, async (database, transaction) => {
        const live = owned(database, transaction).where({ id }).whereNull('revoked_at')
        return (await live.update({ revoked_at: instantForStore(at), kept: null })) > 0
      }),
    noteOpened: (id, at) =>
      access.writeConcurrently(async (database) => {
        const opened = instantForStore(at)
        await owned(database)
          .where({ id })
          .andWhere((earlier) => earlier.whereNull('opened_at').orWhere('opened_at', '<', opened))
          .update({ opened_at: opened })
      }),
  }
}

function linkOf(row: Row): StoredLink {
  return {
    id: textOf(row, 'id'),
    kind: textOf(row, 'kind') as StoredLink['kind'],
    dashboard_id: textCell(row, 'dashboard_id'),
    chart_id: textCell(row, 'chart_id'),
    moment: textOf(row, 'moment') as StoredLink['moment'],
    names: isTrue(row['names']),
    creator: {
      id: textOf(row, 'creator_id'),
      kind: textOf(row, 'creator_kind') as Actor['kind'],
      name: textCell(row, 'creator_name'),
    },
    created_at: instantFromStore(textOf(row, 'created_at')),
    expires_at: instantFromStore(textOf(row, 'expires_at')),
    revoked_at: instantCell(row, 'revoked_at'),
    opened_at: instantCell(row, 'opened_at'),
  }
}

function rowOf(link: StoredLink, { knex }: Database): Omit<Record<string, unknown>, keyof LinkSecrets> {
  const { creator, names, created_at, expires_at, revoked_at, opened_at, ...fields } = link
  return {
    ...fields,
    // SQLite has no booleans.
    names: engineOf(knex) === 'sqlite' ? Number(names) : names,
    creator_id: creator.id,
    creator_kind: creator.kind,
    creator_name: shortened(creator.name, LONGEST_NAME),
    created_at: instantForStore(created_at),
    expires_at: instantForStore(expires_at),
    revoked_at: instantOrNull(revoked_at),
    opened_at: instantOrNull(opened_at),
  }
}
