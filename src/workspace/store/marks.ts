import { createHash } from 'node:crypto'
import { AppError } from '../../core/errors.ts'
import { type FindingMark, MARK_STATES, MOST_MARKS, markedKey } from '../../core/finding-mark.ts'
import type { Workspace } from '../../core/workspace.ts'
import { integerCell, integerOrNull, textCell, textOf } from '../../ports/cells.ts'
import type { MarkStore } from '../../ports/mark-store.ts'
import type { Row } from '../../ports/rows.ts'
import { type Access, type Database, table, writeExclusively } from './database.ts'
import { instantForStore, instantFromStore } from './instants.ts'

const TABLE = 'finding_mark'

/** The stored marks of one workspace. */
export function createMarks(access: Access, { name: workspace }: Workspace): MarkStore {
  const owned = (database: Database, scope = database.knex) => table(database, TABLE, scope).where({ workspace })
  return {
    list: () =>
      access.read(async (database) => {
        const rows: Row[] = await owned(database).orderBy([{ column: 'created_at', order: 'desc' }, 'id'])
        return rows.map(markOf)
      }),
    put: (mark) =>
      writeExclusively(access, async (database, transaction) => {
        const subject = digestOf(mark)
        const [known]: Row[] = await owned(database, transaction).where({ subject }).select('id')
        if (known !== undefined) {
          const changed = { ...mark, id: textOf(known, 'id') }
          await owned(database, transaction).where({ subject }).update(rowOf(changed))
          return changed
        }
        const [counted = { count: 0 }]: Row[] = await owned(database, transaction).count({ count: '*' })
        if (integerCell(counted, 'count') >= MOST_MARKS) throw tooMany()
        await table(database, TABLE, transaction).insert({ workspace, subject, ...rowOf(mark) })
        return mark
      }),
    delete: (id) =>
      writeExclusively(access, async (database, transaction) => (await owned(database, transaction).where({ id }).delete()) > 0),
  }
}

/** The key of a finding or notice at a fixed length, because ids of billing engines can be longer than an index holds. */
function digestOf(mark: FindingMark): string {
  return createHash('sha256').update(markedKey(mark)).digest('hex')
}

function tooMany(): AppError {
  const detail = `The store holds ${MOST_MARKS} marks, which is the limit: a new one is refused. Remove marks that no longer count.`
  return new AppError('validation_failed', detail, { context: { limit: MOST_MARKS } })
}

function markOf(row: Row): FindingMark {
  const state = textOf(row, 'state')
  return {
    id: textOf(row, 'id'),
    source_id: textOf(row, 'source_id'),
    kind: textOf(row, 'kind'),
    customer_id: textOf(row, 'customer_id'),
    subscription_id: textCell(row, 'subscription_id'),
    invoice_id: textCell(row, 'invoice_id'),
    state: MARK_STATES.find((known) => known === state) ?? 'seen',
    note: textCell(row, 'note'),
    author: textCell(row, 'author'),
    created_at: instantFromStore(textOf(row, 'created_at')),
    base_currency: textOf(row, 'base_currency'),
    monthly_base_cents: integerOrNull(row, 'monthly_base_cents'),
    amount_base_cents: integerOrNull(row, 'amount_base_cents'),
  }
}

function rowOf({ created_at, ...mark }: FindingMark): Record<string, unknown> {
  return { ...mark, created_at: instantForStore(created_at) }
}
