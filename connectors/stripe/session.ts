import { join } from 'node:path'
import type { ConnectorSession, InlineRelation, Snapshot } from '../../src/connector-kit/connector.ts'
import type { QueryRunner } from '../../src/connector-kit/query-runner.ts'
import { createRowMemory } from '../../src/connector-kit/row-memory.ts'
import { keepLast } from '../../src/core/keep-last.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { sqlNow } from '../../src/core/periods.ts'
import { type Account, chooseAccounts, readAccounts, sourcesOf } from './accounts.ts'
import type { Mode, Scope } from './documents.ts'
import { expandedRelations } from './expanded/index.ts'
import { type AccountFacts, readAccountFacts } from './price-facts.ts'
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
  readonly facts: AccountFacts
  /** The expanded tables. They are the same objects as long as scope and facts are the same. */
  readonly relations: readonly InlineRelation[]
}

/** Statements of an opener whose rows are remembered, with their stage. The columns come first, because they show what the role may read. */
const STAGES: Readonly<Record<string, 0 | 1>> = {
  'stripe.columns': 0,
  'stripe.accounts': 1,
}

/** Reads the facts about all documents, with a runner that remembers unchanged rows. */
type ReadFacts = (run: QueryRunner, scope: Scope) => Promise<AccountFacts>

/** Opens the database for a request. A cache, which knows which documents have changed, reads the facts itself. */
export type Opener = (snapshot: Snapshot, readFacts?: ReadFacts) => Promise<Opened>

/** An opener. Rows that have not changed since an earlier request come from memory. */
export function createOpener(settings: StripeSettings): Opener {
  const memory = createRowMemory('stripe.unchanged', (label) => STAGES[label])
  const known = keepLast<readonly InlineRelation[]>(2)
  return async (snapshot, readFacts = readAccountFacts) => {
    const { run, remember } = memory.begin(snapshot, readFacts === readAccountFacts ? 'straight' : 'look')
    const family = await checkSchema(run, snapshot.dialect.name)
    const chosen = chooseAccounts(await readAccounts(run, family), settings.account)
    const scope: Scope = { family, accounts: chosen.map(({ id }) => id), mode: settings.mode }
    const facts = await readFacts(run, scope)
    const key = JSON.stringify([scope, facts])
    const relations = (await known.get(key)) ?? expandedRelations(scope, facts)
    void known.keep(key, Promise.resolve(relations))
    remember()
    return { settings, chosen, scope, facts, relations }
  }
}

/** The session of one request over an opened database. */
export function sessionOf({ settings, chosen, facts, relations }: Opened, { now }: { readonly now: Date }): ConnectorSession {
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
    currencies: facts.currencies,
    rates: () => Promise.resolve([]),
  }
}
