import type { Knex } from 'knex'
import { chunksOf } from '../../core/batches.ts'
import { dayAfter, dayStart } from '../../core/periods.ts'
import { isStorable, shortened } from '../../core/text.ts'
import type { Workspace } from '../../core/workspace.ts'
import type { AuditEvent, AuditQuery, AuditStore, StoredEvent } from '../../ports/auth-store.ts'
import { integerCell, integerOrNull, textCell, textOf } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { type Access, changeConcurrently, type Database, table } from './database.ts'
import { instantForStore, instantFromStore } from './instants.ts'

const ROWS_AT_ONCE = 200
/** Lengths of the columns, with room for an ellipsis. */
const LONGEST_NAME = 199
const LONGEST_TEXT = 254

/** The audit log of one workspace. */
export function createAuditLog(access: Access, { name: workspace }: Workspace): AuditStore {
  const owned = (database: Database, scope?: Knex) => table(database, 'audit_event', scope).where({ workspace })
  return {
    add: (events) =>
      changeConcurrently(access, async (database, transaction) => {
        for (const chunk of chunksOf(events, ROWS_AT_ONCE)) {
          const rows = chunk.map((event) => ({ workspace, ...rowOf(event) }))
          await table(database, 'audit_event', transaction).insert(rows)
        }
      }),
    page: (query) =>
      access.read(async (database) => {
        const found = () => narrowed(owned(database), query)
        const [count]: Row[] = await found().count('event_id as total')
        const rows: Row[] = await found()
          .orderBy(['at', 'event_id'].map((column) => ({ column, order: 'desc' })))
          .limit(query.limit)
          .offset(query.offset)
        return { total: count === undefined ? 0 : integerCell(count, 'total'), rows: rows.map(eventOf) }
      }),
    removeBefore: (at) =>
      access.writeConcurrently(
        async (database) => void (await owned(database).andWhere('at', '<', instantForStore(at)).delete()),
      ),
  }
}

type Query = ReturnType<typeof table>

function narrowed(query: Query, { start, end, filters }: AuditQuery): Query {
  const since = start === undefined ? query : query.andWhere('at', '>=', instantForStore(dayStart(start).toISOString()))
  const ranged = end === undefined ? since : since.andWhere('at', '<', instantForStore(dayAfter(end).toISOString()))
  return [...filters].reduce((found, [column, values]) => found.whereIn(column, values.filter(isStorable)), ranged)
}

function rowOf({ at, actor, count, path, target, ...fields }: AuditEvent): Record<string, unknown> {
  return {
    ...fields,
    at: instantForStore(at),
    actor_id: shortened(actor.id, LONGEST_TEXT),
    actor_kind: actor.kind,
    actor_name: shortened(actor.name, LONGEST_NAME),
    // A path from a caller may contain characters that no database accepts. The event is stored nevertheless.
    path: shortened(path, LONGEST_TEXT),
    target: shortened(target, LONGEST_TEXT),
    alike: count,
  }
}

function eventOf(row: Row): StoredEvent {
  return {
    id: textOf(row, 'event_id'),
    at: instantFromStore(textOf(row, 'at')),
    actor: {
      id: textOf(row, 'actor_id'),
      kind: textOf(row, 'actor_kind') as StoredEvent['actor']['kind'],
      name: textCell(row, 'actor_name'),
    },
    action: textOf(row, 'action'),
    path: textCell(row, 'path'),
    target: textCell(row, 'target'),
    remote_address: textCell(row, 'remote_address'),
    request_id: textCell(row, 'request_id'),
    outcome: textOf(row, 'outcome') as StoredEvent['outcome'],
    status: integerOrNull(row, 'status'),
    count: integerCell(row, 'alike'),
  }
}
