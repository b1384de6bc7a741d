import type { Definitions } from '../../../src/core/definitions.ts'
import type { InUse, KillbillSettings } from '../session.ts'

/** Most names of phases that are stored. */
const MOST_PHASES = 20_000

/** Logs without whose rows the accounts in use, or the phases in use, do not change. */
const LOGS_OF = {
  accounts: ['tenants', 'account_history', 'subscription_history', 'tag_history'],
  phases: ['tenants', 'subscription_event_history'],
} as const

/** Facts that take whole tables to read, as JSON in the marks. */
export interface StoredInUse {
  /** The settings that they depend on. */
  readonly of: string
  readonly currencies?: readonly string[] | undefined
  readonly zones?: readonly { readonly time_zone: string; readonly first: string; readonly last: string }[] | undefined
  /** Names by tenant. */
  readonly phases?: readonly (readonly [number, readonly string[]])[] | undefined
}

/** The facts that no moved log can have changed. */
export function stillInUse({ accounts, phases }: InUse, moved: readonly string[]): InUse {
  const isSame = (logs: readonly string[]) => !logs.some((log) => moved.includes(log))
  return { accounts: isSame(LOGS_OF.accounts) ? accounts : undefined, phases: isSame(LOGS_OF.phases) ? phases : undefined }
}

/** The facts as the marks keep them for a later process. */
export function storedInUse({ accounts, phases }: InUse, of: string): StoredInUse {
  const names = phases && [...phases].map(([tenant, used]) => [tenant, [...used]] as const)
  const count = names?.reduce((sum, [, used]) => sum + used.length, 0) ?? 0
  return {
    of,
    currencies: accounts?.currencies,
    zones: accounts?.zones.map(({ time_zone, first, last }) => ({ time_zone, first: first.toJSON(), last: last.toJSON() })),
    phases: count > MOST_PHASES ? undefined : names,
  }
}

/** The facts of earlier marks. Undefined if there are none, or if they are those of other settings. */
export function inUseBefore(stored: StoredInUse | null | undefined, of: string): InUse | undefined {
  if (stored?.of !== of) return undefined
  const { currencies, zones, phases } = stored
  const dated = zones?.map(({ time_zone, first, last }) => ({ time_zone, first: new Date(first), last: new Date(last) }))
  return {
    accounts: currencies && dated && { currencies, zones: dated },
    phases: phases && new Map(phases.map(([tenant, used]) => [tenant, new Set(used)])),
  }
}

/** The settings that these facts depend on, apart from the rows of the logs. */
export function inUseOf({ tenant }: KillbillSettings, { test_accounts }: Definitions): string {
  return JSON.stringify([tenant, test_accounts])
}
