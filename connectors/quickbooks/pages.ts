import { answeredAt, recordsIn } from './answers.ts'
import type { Client } from './api/client.ts'
import type { Entity } from './entities.ts'
import { idOf } from './records.ts'

/** Intuit's largest page. */
export const PAGE_SIZE = 1000

/** Number of records at the end of a page that the next page repeats. */
const OVERLAP = 20

/** The position in a reading of one kind of record: the number of records read, and the id of the last one. */
export interface Position {
  readonly read: number
  readonly last: string | null
}

export const START: Position = { read: 0, last: null }

export interface Page {
  readonly natives: readonly unknown[]
  readonly answeredAt: string
  /** Start of the next page. Null after the last one. */
  readonly next: Position | null
}

/**
 * The page after a position. A page begins at a number of records, and records that came or went in the meantime shift the
 * others. So each page begins a little earlier, and the last record that was read is looked up in it. If that record is not
 * there, the kind is read again from the start.
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

/** `since` has been checked: it is a day. */
function conditionOf(entity: Entity, since: string | undefined): string {
  if (entity.isList) return ' where Active in (true, false)'
  return since === undefined ? '' : ` where TxnDate >= '${since}'`
}
