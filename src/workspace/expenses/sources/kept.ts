import { groupCalls } from '../../../core/batches.ts'
import { AppError } from '../../../core/errors.ts'
import type { StoredSource } from '../../../ports/source-store.ts'
import type { Fetched, Kept, SourcesDependencies } from './deps.ts'

/** Notifications whose records are written by one commit. */
const WRITTEN_AT_ONCE = 50

/** Opens what the store keeps, once. AppError `unsupported_by_connector` where it is switched off. */
export function keptOf(deps: SourcesDependencies): () => Promise<Kept> {
  let known: Kept | undefined
  return async () => {
    known ??= await open(deps)
    return known
  }
}

async function open({ store, connectorType, workspace }: SourcesDependencies): Promise<Kept> {
  if (store?.enabled !== true || store.inWorkspace === undefined || store.secrets === undefined) {
    const detail = 'Sources need the side store, which is switched off (store.url is none).'
    throw new AppError('unsupported_by_connector', detail, { context: { connector: connectorType, missing: ['store'] } })
  }
  const owner = await workspace()
  const { sources, inbox, expenses } = store.inWorkspace(owner)
  const write = groupCalls<Fetched>(async (all) => {
    for (const id of new Set(all.map(({ source_id }) => source_id))) {
      const own = all.filter(({ source_id }) => source_id === id)
      await expenses.put(
        id,
        own.flatMap(({ records }) => records),
      )
    }
  }, WRITTEN_AT_ONCE)
  return { workspace: owner.name, sources, inbox, expenses, write, secrets: store.secrets }
}

/** The source of an id. AppError `not_found`. */
export async function sourceNamed({ sources }: Kept, id: string): Promise<StoredSource> {
  const source = await sources.get(id)
  if (source === undefined) throw new AppError('not_found', 'There is no source of this id.')
  return source
}
