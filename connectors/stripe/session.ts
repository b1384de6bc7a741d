import { join } from 'node:path'
import type { ConnectorSession, InlineRelation, Snapshot } from '../../src/connector-kit/connector.ts'
import { type QueryRunner, sql, text } from '../../src/connector-kit/query-runner.ts'
import { createRowMemory } from '../../src/connector-kit/row-memory.ts'
import { keepLast } from '../../src/core/keep-last.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { sqlNow } from '../../src/core/periods.ts'
import { type Account, chooseAccounts, readAccounts, sourcesOf } from './accounts.ts'
import { documents, type Mode, type Scope } from './documents.ts'
import { expandedRelations } from './expanded/index.ts'
import type { PriceFacts } from './expanded/prices.ts'
import { readPriceFacts } from './price-facts.ts'
import { checkSchema } from './schema.ts'

/** Folder of the connector's relations. It stays with the sources, because the build compiles only TypeScript. */
export const RELATIONS = join(packageRoot(), 'connectors', 'stripe', 'relations')

/** Settings of the connector (configuration section `connector`). */
export interface StripeSettings {
  readonly account: readonly string[]
  readonly mode: Mode
  /** What an unpaid subscription does (S9): it pauses, or pays until it ends. */
  readonly unpaid: 'pause' | 'keep'
}

/** Facts that a request needs before its statements. */
export interface Opened {
  readonly settings: StripeSettings
  readonly chosen: readonly Account[]
  readonly scope: Scope
  readonly facts: PriceFacts
  readonly currencies: readonly string[]
  /** The expanded tables. They are the same objects as long as scope and facts are the same. */
  readonly relations: readonly InlineRelation[]
}

/** Statements of an opener whose rows are remembered, with their stage. The columns come first, because they show what the role may read. */
const STAGES: Readonly<Record<string, 0 | 1>> = {
  'stripe.columns': 0,
  'stripe.accounts': 1,
  'stripe.currencies': 1,
  'stripe.rowless_prices': 1,
  'stripe.units': 1,
}

/** Opens the database for a request. */
export function createOpener(settings: StripeSettings): (snapshot: Snapshot) => Promise<Opened> {
  const memory = createRowMemory('stripe.unchanged', (label) => STAGES[label])
  const known = keepLast<readonly InlineRelation[]>(2)
  const relationsOf = async (scope: Scope, facts: PriceFacts) => {
    const key = JSON.stringify([scope, facts])
    const made = (await known.get(key)) ?? expandedRelations(scope, facts)
    known.keep(key, Promise.resolve(made))
    return made
  }
  return async (snapshot) => {
    const { run, remember } = memory.begin(snapshot, '')
    const family = await checkSchema(run, snapshot.dialect.name)
    const chosen = chooseAccounts(await readAccounts(run, family), settings.account)
    const scope: Scope = { family, accounts: chosen.map(({ id }) => id), mode: settings.mode }
    const facts = await readPriceFacts(run, scope)
    const opened: Opened = {
      settings,
      chosen,
      scope,
      facts,
      currencies: await readCurrencies(run, scope),
      relations: await relationsOf(scope, facts),
    }
    remember()
    return opened
  }
}

/** The session of one request over an opened database. */
export function sessionOf(
  { settings, chosen, currencies, relations }: Opened,
  { now }: { readonly now: Date },
): ConnectorSession {
  const accounts: InlineRelation = {
    name: 'stripe_account',
    columns: [
      { name: 'source_id', type: 'text' },
      { name: 'first_synced_at', type: 'timestamp' },
    ],
    rows: chosen.map(({ id, first_synced_at }) => [id, first_synced_at]),
  }
  return {
    sources: sourcesOf(chosen),
    params: { now: sqlNow(now), unpaid_pauses: settings.unpaid === 'pause' },
    inline: new Map([...relations, accounts].map((relation) => [relation.name, relation])),
    aliases: new Map(),
    currencies,
    rates: () => Promise.resolve([]),
  }
}

/** Currencies of invoices and of subscriptions, which may have no invoice. */
async function readCurrencies(run: QueryRunner, scope: Scope): Promise<readonly string[]> {
  const rows = await run(
    'stripe.currencies',
    sql`select upper(t.currency) as currency from ${documents('subscriptions', scope, { currency: 'text' })} as t where t.currency is not null
      union select upper(t.currency) from ${documents('invoices', scope, { currency: 'text' })} as t where t.currency is not null
      order by currency`,
  )
  return rows.map((row) => text(row['currency']))
}
