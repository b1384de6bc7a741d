import type { Snapshot } from '../../src/connector-kit/connector.ts'
import type { Discovery } from '../../src/connector-kit/definition.ts'
import { createQueryRunner, parseInteger, type QueryRunner, sql, text } from '../../src/connector-kit/query-runner.ts'
import { sourceWord } from '../../src/connector-kit/source-choice.ts'
import { ACCOUNT_WORDS, chooseAccounts, readAccounts, sourcesOf } from './accounts.ts'
import { documents, idIn, type Scope } from './documents.ts'
import { checkSchema } from './schema.ts'

const NAMED = { customer: 'jsonb', currency: 'text' } as const

/**
 * The contents of a mirror, for `init`, which has no configuration yet. Accounts have their customers if one has to be chosen. The currencies are those
 * of the accounts in `wanted`, or of the only one. AppError `unsupported_by_connector` names missing or unreadable parts.
 */
export async function discoverStripe(snapshot: Snapshot, wanted: readonly string[]): Promise<Discovery> {
  const run = createQueryRunner(snapshot)
  const { family } = await checkSchema(run, snapshot.dialect.name)
  const all = await readAccounts(run, family)
  const scopeOf = (accounts: readonly string[]): Scope => ({ family, accounts, mode: 'live', returns: [] })
  const isOpen = wanted.length === 0 && all.length !== 1
  const chosen = isOpen ? [] : chooseAccounts(all, wanted)
  const customers = isOpen ? await customersByAccount(run, scopeOf(all.map(({ id }) => id))) : new Map<string, number>()
  const names = sourcesOf(all).map(({ name }) => name)
  return {
    engine: `mirror of Stripe (${family})`,
    sources: all.map((account, index) => ({
      id: account.id,
      name: names[index] ?? account.name,
      word: sourceWord(account, all, ACCOUNT_WORDS),
      customers: customers.get(account.id) ?? 0,
    })),
    chosen: names.filter((_, index) => chosen.some(({ id }) => id === all[index]?.id)),
    currencies: chosen.length === 0 ? [] : await currencyCounts(run, scopeOf(chosen.map(({ id }) => id))),
  }
}

/** Customers that have or had a subscription, by account. */
async function customersByAccount(run: QueryRunner, scope: Scope): Promise<ReadonlyMap<string, number>> {
  const rows = await run(
    'stripe.customer_counts',
    sql`select t.account_id, count(distinct ${idIn(sql`t.customer`)}) as customers from ${documents('subscriptions', scope, NAMED)} as t group by t.account_id`,
  )
  return new Map(rows.map((row) => [text(row['account_id']), parseInteger(row['customers'])]))
}

/** Customers by the currencies of their subscriptions. A customer may have several. */
async function currencyCounts(run: QueryRunner, scope: Scope): Promise<Discovery['currencies']> {
  const rows = await run(
    'stripe.currency_counts',
    sql`select upper(t.currency) as currency, count(distinct ${idIn(sql`t.customer`)}) as customers
      from ${documents('invoices', scope, NAMED)} as t where t.currency is not null
      group by upper(t.currency) order by customers desc, currency`,
  )
  return rows.map((row) => ({ currency: text(row['currency']), customers: parseInteger(row['customers']) }))
}
