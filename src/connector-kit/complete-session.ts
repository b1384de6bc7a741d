import type { DialectName } from '../compiler/dialect.ts'
import type { Fragment } from '../compiler/fragment.ts'
import type { InlineRelation } from '../compiler/inline.ts'
import type { Definitions } from '../core/definitions.ts'
import { InternalError } from '../core/errors.ts'
import type { ConnectorSession, SourceRow } from '../ports/session.ts'
import { RELATION_CONTRACTS } from '../relations/contracts.ts'
import { emptyRelation, type RelationContract, withoutRows } from '../relations/define-relation.ts'

/** Adds to a session what every session has: parameters for all relations, and relations that need no engine. The session's own values win. */
export function completeSession(session: ConnectorSession, connector: Supplied, definitions: Definitions): ConnectorSession {
  return {
    ...session,
    params: {
      include_test_accounts: definitions.test_accounts === 'include',
      ...session.params,
      ...spanParams(definitions),
      usage_in_mrr: definitions.mrr_usage === 'mean3' && session.params['usage_in_mrr'] !== false,
      counts_tax: definitions.tax === 'include',
    },
    aliases: new Map([
      ...session.aliases,
      ...variantsOf(definitions),
      ...(mixesCurrencies(session) ? [] : [SEPARATE_CURRENCIES]),
    ]),
    inline: new Map([
      ...[monthStep, tenantNames(session.sources), ...lackingRelations(connector).map(withoutRows)].map(
        (own) => [own.name, own] as const,
      ),
      ...session.inline,
    ]),
  }
}

/** The relation that looks at each currency alone. It takes the place of the one over all currencies of a customer (D85). */
export const SEPARATE_CURRENCIES = ['mrr_movement', 'separate_movement'] as const

function mixesCurrencies({ currencies, one_currency_each }: ConnectorSession): boolean {
  return currencies.length > 1 && one_currency_each !== true
}

interface Supplied {
  readonly capabilities: Readonly<Record<string, unknown>>
}

/** Relations that a connector may lack, and this one does. */
function lackingRelations({ capabilities }: Supplied): readonly RelationContract[] {
  return RELATION_CONTRACTS.filter(
    ({ name, may_be_absent }) => may_be_absent === true && (capabilities[name] ?? 'absent') === 'absent',
  )
}

/**
 * Relations that the connector lacks, for PostgreSQL and Trino. They compare only keys of one type, and these have the type of the connector's
 * keys. The other databases compare any keys.
 */
export function lackingFragments(connector: Supplied, dialect: DialectName): readonly (readonly [string, Fragment])[] {
  if (dialect !== 'postgres' && dialect !== 'trino') return []
  return lackingRelations(connector).map((contract) => [contract.name, emptyRelation(contract)])
}

/** Relations that take the place of others under the definitions. Only a swap window replaces held relations, and the cache makes those without one. */
export function variantsOf({
  refunds,
  fx,
  grain,
  swap_window,
}: Definitions): readonly (readonly [name: string, variant: string])[] {
  const isRevalued = fx !== 'span_start'
  const all = [
    [swap_window > 0, 'subscription_span', 'swapped_span'],
    [swap_window > 0, 'own_span', 'subscription_span'],
    [swap_window > 0, 'bundle_line', 'customer_line'],
    [refunds === 'subtract', 'paid_amount', 'net_paid_amount'],
    [grain === 'customer', 'typed_movement', 'customer_movement'],
    [isRevalued, 'mrr_span', 'revalued_span'],
    [isRevalued, 'rated_movement', 'revalued_movement'],
  ] as const
  return all.filter(([isUsed]) => isUsed).map(([, name, variant]) => [name, variant] as const)
}

/** Longer than any stretch of time between two instants of the data. */
const ANY_DAYS = 100_000

/** The parameters of the options that decide spans and movements. SQL that reads one of them depends on the definition set. */
export function spanParams({ mrr_usage, pause, quantity, billing_periods, reactivation_window, swap_window }: Definitions) {
  return {
    counts_usage: mrr_usage === 'mean3',
    pause_step: pause === 'churn' ? 1 : 0,
    one_unit: quantity === 'one',
    counted_periods: billing_periods === 'all' ? '' : `,${billing_periods},`,
    swap_minutes: swap_window,
    reactivation_days: reactivation_window === 'none' ? ANY_DAYS : reactivation_window,
  }
}

/** Relation `tenant`: the name of each source, for the dimension `tenant` and the lists. */
function tenantNames(sources: readonly SourceRow[]): InlineRelation {
  if (new Set(sources.map(({ name }) => name)).size < sources.length)
    throw new InternalError('two sources of the connector have the same name')
  return {
    name: 'tenant',
    columns: [
      { name: 'source_id', type: 'text' },
      { name: 'tenant_name', type: 'text' },
    ],
    rows: sources.map(({ source_id, name }) => [source_id, name]),
  }
}

/** Longest span with separate steps. It is longer than any billing period in months. */
const MAX_SPAN = 60

/**
 * Number of steps of the span 0, which is used for every longer span. 2,000 steps of 60 months are more months than the calendar
 * has.
 */
const MAX_STEPS = 2_000

/**
 * Steps 0 … span - 1 for each span, joined by equality. They serve as the months of a usage item's service period, as the stretches of a
 * long period (D55), and as the payments whose mean carries a usage charge forward (D29).
 */
const monthStep: InlineRelation = {
  name: 'month_step',
  columns: [
    { name: 'span', type: 'integer' },
    { name: 'step', type: 'integer' },
  ],
  rows: [
    ...Array.from({ length: MAX_SPAN }, (_, index) => index + 1).flatMap((span) => stepsOf(span, span)),
    ...stepsOf(0, MAX_STEPS),
  ],
}

function stepsOf(span: number, count: number): number[][] {
  return Array.from({ length: count }, (_, step) => [span, step])
}

/** The session of an engine whose files need only the database: no inline relations, no variants and no exchange rates. */
export function plainSession(known: Pick<ConnectorSession, 'sources' | 'currencies'>): ConnectorSession {
  return { ...known, params: {}, inline: new Map(), aliases: new Map(), rates: () => Promise.resolve([]) }
}
