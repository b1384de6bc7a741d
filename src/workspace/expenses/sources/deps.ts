import type { Workspace } from '../../../core/workspace.ts'
import type { AccountingPlatform } from '../../../ports/accounting.ts'
import type { ExpenseStore } from '../../../ports/expense-store.ts'
import type { SourceRow } from '../../../ports/session.ts'
import type { Inbox, SecretBox, SourceStore } from '../../../ports/source-store.ts'
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
export interface Fetched {
  readonly source_id: string
  readonly records: Parameters<ExpenseStore['put']>[1]
}

/** What the store keeps for the sources of a workspace. */
export interface Kept {
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
