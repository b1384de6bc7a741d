import { join } from 'node:path'
import type { ConnectorSession, InlineRelation, Snapshot } from '../../src/connector-kit/connector.ts'
import { createRowMemory } from '../../src/connector-kit/row-memory.ts'
import { keepLast } from '../../src/core/keep-last.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { sqlNow } from '../../src/core/periods.ts'
import { type Account, chooseAccounts, readAccounts, sourcesOf } from './accounts.ts'
import type { Mode, Scope } from './documents.ts'
import { expandedRelations } from './expanded/index.ts'
import { readFreshness } from './freshness.ts'
import { type AccountFacts, readAccountFacts } from './price-facts.ts'
import { checkSchema } from './schema.ts'

/** Folder of the connector's relations. It stays with the sources, because the build compiles only TypeScript. */
export const RELATIONS = join(packageRoot(), 'connectors', 'stripe', 'relations')

/** Settings of the connector (configuration section `connector`). */
export interface StripeSettings {
  readonly account: readonly string[]
  readonly mode: Mode
  /** An unpaid subscription pauses, or pays until it ends (S9). */
  readonly unpaid: 'pause' | 'keep'
}

/** Facts that a request needs before its statements. */
export interface Opened {
  readonly settings: StripeSettings
  readonly chosen: readonly Account[]
  readonly scope: Scope
  readonly facts: AccountFacts
  /** Whether the runs of the engine that fills the mirror may be read. */
  readonly hasRuns: boolean
  readonly copied: ConnectorSession['copied']
  /** The expanded tables. They are the same objects as long as scope and facts are the same. */
  readonly relations: readonly InlineRelation[]
}

/** Statements of an opener whose rows are remembered, with their stage. The columns come first, because they show what the role may read. */
const STAGES: Readonly<Record<string, 0 | 1>> = {
  'stripe.columns': 0,
  'stripe.accounts': 1,
}

/** Facts that a cache knows, which need not be read again. */
export interface Known {
  readonly facts: AccountFacts
  readonly copied: ConnectorSession['copied']
}

/** Opens the database for a request. A cache, which sees which documents have changed, names what it knows. */
export type Opener = (snapshot: Snapshot, known?: Known) => Promise<Opened>

/** An opener. Rows that have not changed since an earlier request come from memory. */
export function createOpener(settings: StripeSettings): Opener {
  const memory = createRowMemory('stripe.unchanged', (label) => STAGES[label])
  const made = keepLast<readonly InlineRelation[]>(2)
  return async (snapshot, known) => {
    const { run, remember } = memory.begin(snapshot, '')
    const { family, hasRuns } = await checkSchema(run, snapshot.dialect.name)
    const chosen = chooseAccounts(await readAccounts(run, family), settings.account)
    const scope: Scope = { family, accounts: chosen.map(({ id }) => id), mode: settings.mode }
    const facts = known?.facts ?? (await readAccountFacts(run, scope))
    const copied = known === undefined ? await readFreshness(run, scope, hasRuns) : known.copied
    const key = JSON.stringify([scope, facts])
    const relations = (await made.get(key)) ?? expandedRelations(scope, facts)
    void made.keep(key, Promise.resolve(relations))
    remember()
    return { settings, chosen, scope, facts, hasRuns, copied, relations }
  }
}

/** The session of one request over an opened database. */
export function sessionOf(
  { settings, chosen, facts, copied, relations }: Opened,
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
    currencies: facts.currencies,
    copied,
    rates: () => Promise.resolve([]),
  }
}
