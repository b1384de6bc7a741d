import { groupCalls } from '../../../core/batches.ts'
import { AppError } from '../../../core/errors.ts'
import { clipped } from '../../../core/text.ts'
import type { Workspace } from '../../../core/workspace.ts'
import type { AccountingPlatform } from '../../../ports/accounting.ts'
import type { ExpenseStore } from '../../../ports/expense-store.ts'
import type { SourceRow } from '../../../ports/session.ts'
import type { Inbox, SecretBox, SourceStore, StoredSource } from '../../../ports/source-store.ts'
import type { Store } from '../../../ports/store.ts'

/** What sources are made of. */
export interface SourcesDependencies {
  /** Null when the store is switched off. */
  readonly store: Store | null
  /** Type of the billing engine's connector, whose sources are databases. */
  readonly connectorType: string
  readonly workspace: () => Promise<Workspace>
  /** The sources of the billing engine. */
  readonly databaseSources: () => Promise<readonly SourceRow[]>
  readonly platforms: readonly AccountingPlatform[]
  /** Told of failures of ours in what nobody waits for. */
  readonly onFailure: (error: unknown) => void
}

/** Records of a source that a notification led to. */
interface Fetched {
  readonly source_id: string
  readonly records: Parameters<ExpenseStore['put']>[1]
}

/** What the store keeps for the sources of a workspace. */
export interface SourceStores {
  readonly workspace: string
  readonly sources: SourceStore
  readonly inbox: Inbox
  readonly expenses: ExpenseStore
  /** Writes what was fetched of a source, together with what others fetch at the time. */
  readonly write: (fetched: Fetched) => Promise<void>
  readonly secrets: SecretBox
}

/** An instant of the machine's clock, so many milliseconds from now: deadlines of platforms do not stand still where `clock.now` does. */
export function instantIn(milliseconds: number): string {
  return new Date(Date.now() + milliseconds).toISOString()
}

/** Notifications whose records are written by one commit. */
const WRITTEN_AT_ONCE = 50

/** Opens what the store keeps, once. AppError `unsupported_by_connector` where it is switched off. */
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

/** The source of an id. AppError `not_found`. */
export async function sourceNamed({ sources }: SourceStores, id: string): Promise<StoredSource> {
  const source = await sources.get(id)
  if (source === undefined) throw new AppError('not_found', 'There is no source of this id.')
  return source
}

const MOST_CHARACTERS = 1_000

/** What is kept of a failure, for people. Only errors that callers may see have words: others may quote what is secret. */
export function failureText(error: unknown): string {
  if (!(error instanceof AppError)) return 'internal: the log of the service says more'
  return clipped(`${error.code}: ${error.message}`, MOST_CHARACTERS)
}
