import { groupCalls } from '../../../core/batches.ts'
import { AppError } from '../../../core/errors.ts'
import { clipped } from '../../../core/text.ts'
import type { Workspace } from '../../../core/workspace.ts'
import type { AccountingPlatform } from '../../../ports/accounting.ts'
import type { ExpenseStore } from '../../../ports/expense-store.ts'
import type { SourceRow } from '../../../ports/session.ts'
import type { Inbox, SecretBox, SourceStore, StoredSource } from '../../../ports/source-store.ts'
import type { Store } from '../../../ports/store.ts'

/** Dependencies of sources. */
export interface SourcesDependencies {
  /** Null if the store is switched off. */
  readonly store: Store | null
  /** Type of the billing engine's connector. The sources of this type are databases. */
  readonly connectorType: string
  readonly workspace: () => Promise<Workspace>
  /** The sources of the billing engine. */
  readonly databaseSources: () => Promise<readonly SourceRow[]>
  /** Names of the metrics and lists that they cannot supply. */
  readonly unsupported: readonly string[]
  readonly platforms: readonly AccountingPlatform[]
  /** Called with internal errors of background work. */
  readonly onFailure: (error: unknown) => void
}

/** Records that were fetched for a notification. */
interface Fetched {
  readonly source_id: string
  readonly records: Parameters<ExpenseStore['put']>[1]
}

/** The stores that hold the sources of a workspace. */
export interface SourceStores {
  readonly workspace: string
  readonly sources: SourceStore
  readonly inbox: Inbox
  readonly expenses: ExpenseStore
  /** Writes fetched records. Calls that arrive together share a commit. */
  readonly write: (fetched: Fetched) => Promise<void>
  readonly secrets: SecretBox
}

/**
 * The instant this many milliseconds from now on the machine's clock. It ignores a fixed `clock.now`, because deadlines of
 * platforms pass in real time.
 */
export function instantIn(milliseconds: number): string {
  return new Date(Date.now() + milliseconds).toISOString()
}

/** Most notifications whose records share a commit. */
const WRITTEN_AT_ONCE = 50

/** Opens the stores once. AppError `unsupported_by_connector` if the store is switched off. */
export function openSourceStores(deps: SourcesDependencies): () => Promise<SourceStores> {
  let known: SourceStores | undefined
  return async () => {
    known ??= await open(deps)
    return known
  }
}

async function open({ store, connectorType, workspace }: SourcesDependencies): Promise<SourceStores> {
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

/** The source with this id. AppError `not_found`. */
export async function sourceNamed({ sources }: SourceStores, id: string): Promise<StoredSource> {
  const source = await sources.get(id)
  if (source === undefined) throw new AppError('not_found', 'No source has this id.')
  return source
}

const MOST_CHARACTERS = 1_000

/** The text to store for a failure. It quotes only errors that callers may see, because other errors may contain secrets. */
export function failureText(error: unknown): string {
  if (!(error instanceof AppError)) return 'internal: see the log of the service'
  return clipped(`${error.code}: ${error.message}`, MOST_CHARACTERS)
}
