import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { chunksOf, groupCalls } from '../../core/batches.ts'
import { isStorable } from '../../core/text.ts'
import type { Workspace } from '../../core/workspace.ts'
import { instantCell, integerCell, textCell, textOf } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import type { Inbox, InboxEntry, Outcome, SourceNotification } from '../../ports/source-store.ts'
import { type Access, changeConcurrently, type Database, engineOf, table } from './database.ts'
import { instantForStore, instantFromStore } from './instants.ts'

/** Most calls that share a commit. */
const CALLS_AT_ONCE = 200

interface FinishedEntry {
  readonly entry: InboxEntry
  readonly outcome: Outcome
  readonly now: string
}

/**
 * The queue of notifications of one workspace.
 *
 *     add ──▶ waiting ──take──▶ taken ──finish (done)──▶ deleted
 *               ▲  ▲              │ └──finish (dead)──▶ dead letter ──drop──▶ deleted
 *               │  └──────────────┘                        │
 *               │   finish (later, released),              │
 *               │   or the hold ends                       │
 *               └──────────────────retry───────────────────┘
 *
 * `claim` names the process that took an entry. A dead letter has no `next_attempt_at`.
 */
export function createInbox(access: Access, { name: workspace }: Workspace): Inbox {
  const owned = (database: Database, scope?: Knex) => table(database, 'inbox', scope).where({ workspace })
  const connected = async (database: Database, types: readonly string[], scope?: Knex): Promise<readonly string[]> => {
    const sources = table(database, 'source', scope).where({ workspace, status: 'connected' }).whereIn('type', types)
    const rows: Row[] = await sources.select('id')
    return rows.map((row) => textOf(row, 'id'))
  }
  const add = groupCalls<Arrival>(
    (arrivals) => changeConcurrently(access, (database, transaction) => addArrivals(database, transaction, workspace, arrivals)),
    CALLS_AT_ONCE,
  )
  const finish = groupCalls<FinishedEntry>(
    (finished) =>
      changeConcurrently(access, async (database, transaction) => {
        for (const { entry, outcome, now } of finished) {
          const claimed = owned(database, transaction).where({ id: entry.id, claim: entry.claim })
          if (outcome.kind === 'done') await claimed.delete()
          else await claimed.update(afterwards(database, outcome, now))
        }
      }),
    CALLS_AT_ONCE,
  )
  return {
    add: async (notifications, now) => void (notifications.length > 0 && (await add({ notifications, now }))),
    take: (types, now, holdUntil, limit) =>
      changeConcurrently(access, async (database, transaction) => {
        const ids = await connected(database, types, transaction)
        const due = owned(database, transaction)
          .whereIn('source_id', ids)
          .where('next_attempt_at', '<=', instantForStore(now))
          .orderBy(['next_attempt_at', 'received_at', 'id'])
          .limit(limit)
        // SQLite has one writer at a time and no row locks.
        const rows: Row[] = await (engineOf(transaction) === 'sqlite' ? due : due.forUpdate().skipLocked())
        const claim = randomUUID()
        const taken = rows.map((row) => ({ ...entryOf(row), claim }))
        await owned(database, transaction)
          .whereIn(
            'id',
            taken.map(({ id }) => id),
          )
          .update({ claim, next_attempt_at: instantForStore(holdUntil) })
        return taken
      }),
    finish: (entry, outcome, now) => finish({ entry, outcome, now }),
    nextDue: (types) =>
      access.read(async (database) => {
        const waiting = owned(database).whereIn('source_id', await connected(database, types))
        const [row]: Row[] = await waiting.min('next_attempt_at as due')
        return row === undefined ? null : instantCell(row, 'due')
      }),
    deadLetters: (source_id, { limit, offset }) =>
      access.read(async (database) => {
        const dead = () => owned(database).where({ source_id }).whereNull('next_attempt_at')
        const [count]: Row[] = await dead().count('id as total')
        const rows: Row[] = await dead().orderBy(['received_at', 'id']).limit(limit).offset(offset)
        return { total: count === undefined ? 0 : integerCell(count, 'total'), rows: rows.map(entryOf) }
      }),
    counts: () =>
      access.read(async (database) => {
        const rows: Row[] = await owned(database)
          .groupBy('source_id')
          .select('source_id')
          .count({ total: 'id', waiting: 'next_attempt_at' })
        return new Map(
          rows.map((row) => {
            const waiting = integerCell(row, 'waiting')
            return [textOf(row, 'source_id'), { waiting, dead: integerCell(row, 'total') - waiting }]
          }),
        )
      }),
    oldestWaiting: () =>
      access.read(async (database) => {
        const [row]: Row[] = await owned(database).whereNotNull('next_attempt_at').min('received_at as oldest')
        return row === undefined ? null : instantCell(row, 'oldest')
      }),
    retry: (source_id, ids, now) =>
      access.writeConcurrently(async (database) => {
        const dead = owned(database).where({ source_id }).whereNull('next_attempt_at')
        const chosen = ids === 'all' ? dead : dead.whereIn('id', ids.filter(isStorable))
        return chosen.update({ next_attempt_at: instantForStore(now), attempts: 0, claim: null })
      }),
    drop: async (source_id, id) =>
      isStorable(id) &&
      access.writeConcurrently(
        async (database) => (await owned(database).where({ source_id, id }).whereNull('next_attempt_at').delete()) > 0,
      ),
  }
}

function afterwards({ knex }: Database, outcome: Exclude<Outcome, { kind: 'done' }>, now: string): Record<string, unknown> {
  if (outcome.kind === 'released') return { claim: null, next_attempt_at: instantForStore(now) }
  const next_attempt_at = outcome.kind === 'later' ? instantForStore(outcome.at) : null
  return { claim: null, next_attempt_at, error: outcome.error, attempts: knex.raw('attempts + 1') }
}

const ROWS_AT_ONCE = 500

/** Notifications that arrived together, and the instant: `YYYY-MM-DDTHH:MM:SS.sssZ`. */
interface Arrival {
  readonly notifications: readonly SourceNotification[]
  readonly now: string
}

/**
 * Stores arrivals. If an equal notification is already waiting and nobody has taken it, no entry is added. The waiting entry
 * becomes due now, and its attempts are reset.
 */
async function addArrivals(
  database: Database,
  transaction: Knex,
  workspace: string,
  arrivals: readonly Arrival[],
): Promise<void> {
  const notifications = arrivals.flatMap((arrival) => arrival.notifications)
  const at = instantForStore(arrivals[0]?.now ?? '')
  const owned = () => table(database, 'inbox', transaction).where({ workspace })
  const waiting = await waitingAmong(owned, notifications)
  const rows = different(notifications)
    .filter((each) => !waiting.has(nameOf(each)))
    .map(({ source_id, entity, entity_id, operation }) => ({
      ...{ workspace, id: randomUUID(), source_id, entity, entity_id, operation },
      ...{ received_at: at, attempts: 0, next_attempt_at: at },
    }))
  for (const chunk of chunksOf(rows, ROWS_AT_ONCE)) await table(database, 'inbox', transaction).insert(chunk)

  const wanted = new Set(notifications.map(nameOf))
  const late = [...waiting].flatMap(([name, { id, attempts }]) => (wanted.has(name) && attempts > 0 ? [id] : []))
  for (const chunk of chunksOf(late.sort(), ROWS_AT_ONCE)) await makeDue(owned, chunk, at)
}

type Owned = () => ReturnType<typeof table>

/**
 * The waiting entries that nobody has taken, by notification. Each entry will be fetched later, so it also covers a new
 * notification that equals it.
 */
async function waitingAmong(owned: Owned, notifications: readonly SourceNotification[]) {
  const waiting = new Map<string, ReturnType<typeof entryOf>>()
  for (const chunk of chunksOf(notifications, ROWS_AT_ONCE)) {
    const rows: Row[] = await owned()
      .whereIn('source_id', [...new Set(chunk.map(({ source_id }) => source_id))])
      .whereIn('entity_id', [...new Set(chunk.map(({ entity_id }) => entity_id))])
      .whereNull('claim')
      .whereNotNull('next_attempt_at')
    for (const entry of rows.map(entryOf)) waiting.set(nameOf(entry), entry)
  }
  return waiting
}

/**
 * Ends the back-off of entries, because the notified change may have fixed the earlier failure. Skips locked entries, because
 * another process is taking them or making them due.
 */
async function makeDue(owned: Owned, ids: readonly string[], at: string): Promise<void> {
  const backingOff = owned().whereIn('id', ids).whereNull('claim').select('id').orderBy('id')
  const rows: Row[] = await (engineOf(backingOff) === 'sqlite' ? backingOff : backingOff.forUpdate().skipLocked())
  const free = rows.map((row) => textOf(row, 'id'))
  await owned().whereIn('id', free).update({ next_attempt_at: at, attempts: 0 })
}

function different(notifications: readonly SourceNotification[]): readonly SourceNotification[] {
  return [...new Map(notifications.map((each) => [nameOf(each), each])).values()]
}

function nameOf({ source_id, entity, entity_id, operation }: SourceNotification): string {
  return JSON.stringify([source_id, entity, entity_id, operation])
}

/** A row of the inbox as an entry. */
function entryOf(row: Row): InboxEntry {
  return {
    id: textOf(row, 'id'),
    source_id: textOf(row, 'source_id'),
    entity: textOf(row, 'entity'),
    entity_id: textOf(row, 'entity_id'),
    operation: textOf(row, 'operation'),
    received_at: instantFromStore(textOf(row, 'received_at')),
    attempts: integerCell(row, 'attempts'),
    next_attempt_at: instantCell(row, 'next_attempt_at'),
    error: textCell(row, 'error'),
    claim: textCell(row, 'claim'),
  }
}
