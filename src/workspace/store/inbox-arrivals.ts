import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { chunksOf } from '../../core/batches.ts'
import { textOf } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import type { SourceNotification } from '../../ports/source-store.ts'
import { type Database, table } from './database.ts'
import { engineOf } from './engine-of.ts'
import { entryOf } from './inbox-rows.ts'
import { instantForStore } from './instants.ts'

const ROWS_AT_ONCE = 500

/** Notifications that came together, and when: `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface Arrival {
  readonly notifications: readonly SourceNotification[]
  readonly now: string
}

/** Keeps what has arrived: a new entry, unless an equal one waits untouched, which is then due now and as good as new. */
export async function keepArrivals(
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

/** The entries that wait untouched, by the notifications that they stand for: whatever fetches them later fetches what these are about. */
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
 * Ends the back-off of entries: what failed before may have been mended by the very change that is told of now. One that is locked is being taken, or made
 * due by another process.
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
