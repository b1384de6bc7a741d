import { chunksOf, type DeletedRecord, type DocumentKind } from '../../src/connector-kit/index.ts'
import { recordsIn } from './answers.ts'
import type { Client } from './api/client.ts'
import { GoneError } from './api/fault.ts'
import { ENTITIES, type Entity } from './entities.ts'
import { PAGE_SIZE } from './pages.ts'
import { idOf } from './records.ts'

/** Ids in one query. The query has to fit into an address. */
const IDS_AT_ONCE = 150
/** The form of ids of QuickBooks. A document with another id does not come from QuickBooks. */
const ID = /^[\w-]+$/

/**
 * Documents that no longer exist in the books. A document that a list lacks may still exist. So each is requested separately, and
 * only the fault 610 counts.
 */
export async function readMissing(
  client: Client,
  kind: DocumentKind,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<readonly DeletedRecord[]> {
  const entities = ENTITIES.filter((entity) => entity.kind === kind)
  const gone: DeletedRecord[] = []
  for (const chunk of chunksOf(ids, IDS_AT_ONCE)) {
    const present = new Set<string>()
    for (const entity of entities) for (const id of await idsPresent(client, entity, chunk, signal)) present.add(id)
    for (const id of chunk) {
      const at = present.has(id) ? undefined : await goneAt(client, entities, id, signal)
      if (at !== undefined) gone.push({ kind, external_id: id, updated_at: at })
    }
  }
  return gone
}

async function idsPresent(
  client: Client,
  { name }: Entity,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const listed = ids.filter((id) => ID.test(id)).map((id) => `'${id}'`)
  if (listed.length === 0) return []
  const query = `select Id from ${name} where Id in (${listed.join(', ')}) maxresults ${PAGE_SIZE}`
  return recordsIn(await client.get('query', { query }, signal), name).map(idOf)
}

/** The time at which QuickBooks reported that none of these entities has the record. Undefined if one of them has it. */
async function goneAt(client: Client, entities: readonly Entity[], id: string, signal: AbortSignal): Promise<string | undefined> {
  let at: string | undefined
  for (const { name } of entities) {
    try {
      await client.get(`${name.toLowerCase()}/${encodeURIComponent(id)}`, {}, signal)
      return undefined
    } catch (error) {
      if (!(error instanceof GoneError)) throw error
      at = new Date(error.at ?? Date.now()).toISOString()
    }
  }
  return at
}
