import { join } from 'node:path'
import type { ConnectorSession, InlineRelation, Snapshot } from '../../src/connector-kit/connector.ts'
import type { QueryRunner } from '../../src/connector-kit/query-runner.ts'
import { createRowMemory } from '../../src/connector-kit/row-memory.ts'
import { keepLast } from '../../src/core/keep-last.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { sqlNow } from '../../src/core/periods.ts'
import { type Account, chooseAccounts, readAccounts, sourcesOf } from './accounts.ts'
import { readTotals, readTracked } from './changes/digests.ts'
import type { Mode, Scope } from './documents.ts'
import { expandedRelations } from './expanded/index.ts'
import { readFreshness } from './freshness.ts'
import { warningsOf } from './gaps.ts'
import { type AccountFacts, readAccountFacts } from './price-facts.ts'
import { readUnplaced, unplacedWarnings } from './refunds.ts'
import { checkSchema, type Mirror } from './schema.ts'

/** The lists of notices that no mirror of Stripe can show (H6), and why. */
const NOTICES_UNKNOWN: NonNullable<ConnectorSession['notices_unknown']> = {
  kinds: [
    'addon_without_entitlement',
    'usage_not_invoiced',
    'child_not_on_parent',
    'child_credit_on_parent',
    'child_void_on_parent',
    'below_list_price',
  ],
  reason:
    'Stripe has no add-ons with an entitlement of their own, and no customers that pay for others. A mirror holds usage only once an invoice has it, and no list prices. The lists addon_without_entitlement, usage_not_invoiced, child_not_on_parent, child_credit_on_parent, child_void_on_parent and below_list_price are therefore not known.',
}

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
  readonly mirror: Mirror
  readonly copied: ConnectorSession['copied']
  /** The number of refunds whose invoice is not known. */
  readonly unplaced: number
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
  readonly unplaced: number
}

/** Opens the database for a request. A cache, which sees which documents have changed, gives what it knows. */
export type Opener = (snapshot: Snapshot, given?: Known) => Promise<Opened>

/** An opener. Rows that have not changed since an earlier request come from memory, and so do facts of documents that have not changed. */
export function createOpener(settings: StripeSettings): Opener {
  const memory = createRowMemory('stripe.unchanged', (label) => STAGES[label])
  const unchanged = keepLast<Known>(2)
  const made = keepLast<readonly InlineRelation[]>(2)
  const readKnown = async (run: QueryRunner, scope: Scope, hasRuns: boolean): Promise<Known> => {
    const state = JSON.stringify([scope, await readTotals(run, scope, await readTracked(run, scope), hasRuns)])
    const before = await unchanged.get(state)
    if (before !== undefined) return before
    const known = {
      facts: await readAccountFacts(run, scope),
      copied: await readFreshness(run, scope, hasRuns),
      unplaced: await readUnplaced(run, scope),
    }
    return unchanged.keep(state, Promise.resolve(known))
  }
  return async (snapshot, given) => {
    const { run, remember } = memory.begin(snapshot, '')
    const mirror = await checkSchema(run, snapshot.dialect.name)
    const { family, hasRuns, returns } = mirror
    const chosen = chooseAccounts(await readAccounts(run, family), settings.account)
    const scope: Scope = { family, accounts: chosen.map(({ id }) => id), mode: settings.mode, returns }
    const { facts, copied, unplaced } = given ?? (await readKnown(run, scope, hasRuns))
    const key = JSON.stringify([scope, facts.rowless, facts.units])
    const relations = (await made.get(key)) ?? expandedRelations(scope, facts)
    void made.keep(key, Promise.resolve(relations))
    remember()
    return { settings, chosen, scope, facts, mirror, copied, unplaced, relations }
  }
}

/** The session of one request over an opened database. */
export function sessionOf(
  { settings, chosen, facts, mirror, copied, unplaced, relations }: Opened,
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
    ...warningsOf(facts.gaps),
    relations_unknown: mirror.refunds_unknown === undefined ? [] : [{ reads: ['refund'], reason: mirror.refunds_unknown }],
    incomplete_relations: unplacedWarnings(unplaced),
    notices_unknown: NOTICES_UNKNOWN,
    rates: () => Promise.resolve([]),
  }
}
