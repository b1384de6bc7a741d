import { answeredAt, recordsIn } from './answers.ts'
import type { Client } from './api/client.ts'
import type { Entity } from './entities.ts'
import { idOf } from './records.ts'

/** The most that Intuit gives at a time. */
export const PAGE_SIZE = 1000

/** How many records of the page before the next one begins with. */
const OVERLAP = 20

/** Where a reading of one kind of record stands: how many were read, and the last of them. */
export interface Position {
  readonly read: number
  readonly last: string | null
}

export const START: Position = { read: 0, last: null }

export interface Page {
  readonly natives: readonly unknown[]
  readonly answeredAt: string
  /** Where the next page begins; null after the last. */
  readonly next: Position | null
}

/**
 * The page after a position. Pages are counted by place, so each begins a little before, and the last record that was read is looked for in
 * it: records that have come or gone meanwhile have moved the others. Where it stands there no more, the kind is read again from its beginning.
 */
export async function readPage(
  client: Client,
  entity: Entity,
  { read, last }: Position,
  options: { readonly since: string | undefined; readonly signal: AbortSignal },
): Promise<Page> {
  const before = last === null ? 0 : Math.max(0, read - OVERLAP)
  const query = `select * from ${entity.name}${conditionOf(entity, options.since)} orderby Id startposition ${before + 1} maxresults ${PAGE_SIZE}`
  const answer = await client.get('query', { query }, options.signal)
  const found = recordsIn(answer, entity.name)
  const at = answeredAt(answer)
  const seen = last === null ? -1 : found.findIndex((native) => idOf(native) === last)
  if (last !== null && seen < 0) return { natives: [], answeredAt: at, next: START }
  const isLast = found.length < PAGE_SIZE
  const next = isLast ? null : { read: before + found.length, last: idOf(found.at(-1)) }
  return { natives: found.slice(seen + 1), answeredAt: at, next }
}

/** `since` is a day that was checked. */
function conditionOf(entity: Entity, since: string | undefined): string {
  if (entity.isList) return ' where Active in (true, false)'
  return since === undefined ? '' : ` where TxnDate >= '${since}'`
}
