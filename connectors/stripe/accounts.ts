import type { SourceRow } from '../../src/connector-kit/connector.ts'
import { type QueryRunner, sql, text } from '../../src/connector-kit/query-runner.ts'
import { chooseSources } from '../../src/connector-kit/source-choice.ts'
import { type Family, ONLY_ACCOUNT } from './documents.ts'

/** An account of a mirror. `first_synced_at` is the instant at which its mirror began, UTC; null if it is not known. */
export interface Account {
  readonly id: string
  readonly name: string
  readonly first_synced_at: string | null
}

/** All accounts, the oldest first. Typed columns name no account, so there is one. */
export async function readAccounts(run: QueryRunner, family: Family): Promise<readonly Account[]> {
  if (family === 'columns') return [{ id: ONLY_ACCOUNT, name: 'Stripe', first_synced_at: null }]
  const rows = await run(
    'stripe.accounts',
    sql`select account.id, coalesce(nullif(account._raw_data -> 'settings' -> 'dashboard' ->> 'display_name', ''),
        nullif(account._raw_data -> 'business_profile' ->> 'name', ''), account.id) as name,
        cast(date_trunc('second', account.first_synced_at at time zone 'UTC') as text) as first_synced_at
      from accounts as account order by account.first_synced_at, account.id`,
  )
  return rows.map((row) => {
    const began = row['first_synced_at'] ?? null
    return { id: text(row['id']), name: text(row['name']), first_synced_at: began === null ? null : text(began) }
  })
}

/** The words for an account. */
export const ACCOUNT_WORDS = {
  noun: 'account',
  nameOf: ({ name }: Account) => name,
  idOf: ({ id }: Account) => id,
} as const

/**
 * Accounts that the configuration names, by id or name. `all` is every one, and no word means the only one. ConfigurationError lists the names if the
 * choice is not clear.
 */
export function chooseAccounts(all: readonly Account[], wanted: readonly string[]): readonly Account[] {
  return chooseSources(all, wanted, {
    ...ACCOUNT_WORDS,
    find: (word) => all.filter(({ id, name }) => id === word || name === word),
  })
}

/** The sources of the product. A name that an earlier account has is followed by the id. */
export function sourcesOf(chosen: readonly Account[]): readonly SourceRow[] {
  return chosen.map(({ id, name }, index) => ({
    source_id: id,
    external_key: null,
    name: chosen.slice(0, index).some((earlier) => earlier.name === name) ? `${name} (${id})` : name,
  }))
}
