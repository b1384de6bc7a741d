import { describe, expect, it } from 'vitest'
import type { Row } from '../../src/connector-kit/connector.ts'
import { END_REASONS, MOVEMENT_SOURCES, MOVEMENT_TYPES, START_REASONS } from '../../src/core/enums.ts'
import { GENERATED_RATES, generatedHistory } from '../support/data/histories/generated-history.ts'
import { HISTORIES, HISTORY_NOW } from '../support/data/histories/history-seeds.ts'
import { completeRows } from '../support/data/killbill/insert-rows.ts'
import type { Tables } from '../support/data/killbill/tables.ts'
import { type FoldedCustomer, foldTables } from '../support/oracles/fold/fold-tables.ts'
import { planFacts } from '../support/oracles/fold/relation-differences.ts'
import type { Span } from '../support/oracles/killbill/fold/span.ts'
import { invoiceTraits, orderOfPayments } from './invoice-traits.ts'

interface History {
  readonly tables: Tables
  readonly customers: readonly FoldedCustomer[]
  readonly plans: ReturnType<typeof planFacts>
}

const NOW = HISTORY_NOW

const TEST = '00000000-0000-0000-0000-000000000006'

const histories: readonly History[] = Object.values(HISTORIES).map(([seed, accounts]) => {
  const rows = generatedHistory(seed, accounts)
  const stored = new Map(Object.entries(rows).map(([table, own]) => [table, completeRows(rows, table, own)]))
  const tables: Tables = (name) => stored.get(name) ?? []
  const customers = foldTables(tables, { now: NOW, base_currency: 'USD', rates: GENERATED_RATES })
  return { tables, customers, plans: planFacts(tables) }
})

const spansOf = ({ customers }: History) => customers.flatMap(({ spans }) => spans)
const movementsOf = ({ customers }: History) => customers.flatMap(({ movements }) => movements)
const eventsOf = ({ tables }: History) => tables('subscription_events').filter((row) => row['is_active'] === true)
const kindOf = (event: Row) => String(event['user_type'] ?? event['event_type'])

/** The cases that must occur, and those that occur in a history. */
const COVERAGE: Readonly<
  Record<string, { readonly wanted: readonly string[]; readonly of: (history: History) => readonly string[] }>
> = {
  'statuses (D22)': {
    wanted: ['pending', 'trialing', 'active', 'paused', 'canceled'],
    of: (history) => [
      ...spansOf(history).flatMap(({ status, end_reason }) => [status, ...(end_reason === null ? [] : ['canceled'])]),
      ...waiting(history),
    ],
  },
  'reasons at the begin of a span (D28)': {
    wanted: START_REASONS,
    of: (history) => spansOf(history).map(({ start_reason }) => start_reason),
  },
  'reasons of an end (D18)': {
    wanted: END_REASONS,
    of: (history) => spansOf(history).flatMap(({ end_reason }) => end_reason ?? []),
  },
  'reasons of movements (D31)': {
    wanted: [...START_REASONS, ...END_REASONS],
    of: (history) => movementsOf(history).map(({ reason }) => reason),
  },
  'movement types of both components (D31)': {
    wanted: MOVEMENT_SOURCES.flatMap((source) => MOVEMENT_TYPES.map((type) => `${type} ${source}`)),
    of: (history) => movementsOf(history).map((row) => `${row.movement_type} ${row.movement_source}`),
  },
  'what is special about a movement (D12, D33, D34)': {
    wanted: ['swap up', 'swap down', 'transfer', 'base against original'],
    of: (history) =>
      movementsOf(history).flatMap((row) => [
        ...(row.is_swap ? [row.movement_type === 'expansion' ? 'swap up' : 'swap down'] : []),
        ...(row.reason === 'bundle_transfer' ? ['transfer'] : []),
        ...(row.amount_cents * (row.amount_base_cents ?? 0) < 0 ? ['base against original'] : []),
      ]),
  },
  'billing periods that are paid for (D23)': {
    wanted: [
      ...['DAILY', 'WEEKLY', 'BIWEEKLY', 'THIRTY_DAYS', 'THIRTY_ONE_DAYS', 'SIXTY_DAYS', 'NINETY_DAYS', 'MONTHLY', 'BIMESTRIAL'],
      ...['QUARTERLY', 'TRIANNUAL', 'BIANNUAL', 'ANNUAL', 'SESQUIENNIAL', 'BIENNIAL', 'TRIENNIAL'],
    ],
    of: (history) =>
      spansOf(history).flatMap((span) => (span.subscription_mrr_cents > 0 ? periodOf(history, span.plan_key) : [])),
  },
  'billing periods that are not (D23, D26)': {
    wanted: ['NO_BILLING_PERIOD', 'FORTNIGHTLY'],
    of: (history) =>
      spansOf(history).flatMap((span) => (span.subscription_mrr_cents === 0 ? periodOf(history, span.plan_key) : [])),
  },
  'phases while active (D24)': {
    wanted: ['trial', 'discount', 'fixedterm', 'evergreen'],
    of: (history) => spansOf(history).flatMap((span) => (span.status === 'active' ? [span.phase_type ?? ''] : [])),
  },
  'events (KB 2.1)': {
    wanted: [
      ...[
        'CREATE',
        'TRANSFER',
        'CHANGE',
        'PHASE',
        'QUANTITY_UPDATE',
        'CANCEL',
        'UNCANCEL',
        'UNDO_CHANGE',
        'BCD_UPDATE',
        'EXPIRED',
      ],
      ...['RE_CREATE', 'MIGRATE_BILLING'],
    ],
    of: (history) => eventsOf(history).map(kindOf),
  },
  'events of one subscription at one instant (D28)': {
    wanted: [
      'CHANGE PHASE',
      'CHANGE QUANTITY_UPDATE',
      'CANCEL CHANGE',
      'CANCEL PHASE',
      'CANCEL EXPIRED',
      'CHANGE CHANGE',
      'CHANGE CREATE',
      'CREATE PHASE',
    ],
    of: sameInstants,
  },
  'blocks by level, service and effect (D20)': {
    wanted: [
      ...['ACCOUNT', 'SUBSCRIPTION_BUNDLE', 'SUBSCRIPTION'].flatMap((type) =>
        ['overdue-service', 'entitlement-service'].flatMap((service) => [
          `${type} ${service} blocks`,
          `${type} ${service} clears`,
        ]),
      ),
      'inactive',
      'blocks exactly at an end',
      'clears exactly at an end',
    ],
    of: blockTraits,
  },
  'prices (D25, D26, KB 3.6)': {
    wanted: [
      'override',
      'override of a trial plan',
      'list SPECIAL',
      'several pieces',
      'plan in no catalog',
      'no price in the currency',
      'plan of a later version',
      'only unpriced turns',
    ],
    of: (history) =>
      spansOf(history).flatMap((span, index, spans) => [
        ...(span.start_reason === 'price' && isSameAmount(span, spans[index - 1]) ? ['only unpriced turns'] : []),
        ...(span.plan === 'p-monthly-1' && span.subscription_mrr_cents > 0 ? ['override'] : []),
        ...(span.plan === 'phased-2' && span.subscription_mrr_cents > 0 ? ['override of a trial plan'] : []),
        ...(span.price_list === 'SPECIAL' ? ['list SPECIAL'] : []),
        ...(span.quantity > 1 && span.subscription_mrr_cents > 0 ? ['several pieces'] : []),
        ...(span.is_unpriced && span.plan === 'ghost' ? ['plan in no catalog'] : []),
        ...(span.is_unpriced && span.plan === 'dollars' && span.currency === 'EUR' ? ['no price in the currency'] : []),
        ...(span.plan === 'late' && span.subscription_mrr_cents > 0 ? ['plan of a later version'] : []),
      ]),
  },
  'trials (D56, D57)': {
    wanted: ['converted', 'expired', 'pending', 'taken over with a bundle'],
    of: (history) => {
      const moved = new Set(eventsOf(history).flatMap((row) => (kindOf(row) === 'TRANSFER' ? [row['subscription_id']] : [])))
      return history.customers.flatMap(({ trials }) =>
        trials.flatMap((trial) => [
          trial.converted_at !== null ? 'converted' : trial.expired_at !== null ? 'expired' : 'pending',
          ...(moved.has(trial.subscription_id) ? ['taken over with a bundle'] : []),
        ]),
      )
    },
  },
  'invoices (D52 to D55)': {
    wanted: [
      ...['paid', 'open', 'draft', 'void', 'migrated', 'drafted first', 'written off before', 'written off after'],
      ...[
        'paid by credit alone',
        'negative',
        'refunded',
        'failed payment',
        'usage',
        'usage adjusted',
        'usage over months',
        'usage over more than a year',
        'written off at the payment',
        'settled but for ten-thousandths, with three decimals',
        'open by thousandths, with three decimals',
        'usage without end',
      ],
    ],
    of: invoiceTraits,
  },
  'payments of usage (D29)': {
    wanted: ['in order', 'out of order over more than six payments'],
    of: ({ customers }) => customers.flatMap(({ usage_charges }) => orderOfPayments(usage_charges)),
  },
  'accounts (D9, D14, D16)': {
    wanted: [
      'in EUR',
      'in USD',
      'in KWD',
      'test',
      'no country',
      'of the second tenant',
      'logo churn',
      'back after it',
      'lapsed by transfer',
    ],
    of: accountTraits,
  },
}

describe('the generated histories of the property tests', () => {
  it.each(Object.entries(COVERAGE))('have all %s', (_, { wanted, of }) => {
    const occurring = new Set(histories.flatMap(of))
    expect(wanted.filter((one) => !occurring.has(one))).toEqual([])
  })
})

function periodOf({ plans }: History, key: number | null): string[] {
  const period = key === null ? undefined : plans.get(key)?.['billing_period']
  return period === undefined || period === null ? [] : [String(period)]
}

/** A subscription whose first span begins after its first event was blocked until then. */
function waiting(history: History): string[] {
  const begun = new Map<unknown, string>()
  for (const row of eventsOf(history)) {
    const at = String(row['effective_date'])
    const known = begun.get(row['subscription_id'])
    if (['CREATE', 'TRANSFER'].includes(kindOf(row)) && (known === undefined || at < known)) begun.set(row['subscription_id'], at)
  }
  const first = new Map<string, string>()
  for (const { subscription_id, valid_from } of spansOf(history))
    if (!first.has(subscription_id)) first.set(subscription_id, valid_from)
  return [...first].some(([id, at]) => at > (begun.get(id) ?? at)) ? ['pending'] : []
}

function sameInstants(history: History): string[] {
  const kinds = new Map<string, string[]>()
  for (const row of eventsOf(history)) {
    const key = `${row['subscription_id']} ${row['effective_date']}`
    kinds.set(key, [...(kinds.get(key) ?? []), kindOf(row)])
  }
  return [...kinds.values()].flatMap((own) =>
    own.flatMap((one, index) => own.slice(index + 1).map((other) => [one, other].sort().join(' '))),
  )
}

function isSameAmount(span: Span, before: Span | undefined): boolean {
  return before?.subscription_id === span.subscription_id && before.subscription_mrr_cents === span.subscription_mrr_cents
}

function blockTraits({ tables, customers }: History): string[] {
  const ends = new Set(
    customers.flatMap(({ account, spans }) =>
      spans.flatMap((span) => (span.end_reason === null ? [] : [`${account['record_id']} ${span.valid_to}`])),
    ),
  )
  return tables('blocking_states').flatMap((row) => {
    if (row['is_active'] !== true) return ['inactive']
    const effect = row['block_billing'] === true ? 'blocks' : 'clears'
    const isAtEnd = ends.has(`${row['account_record_id']} ${row['effective_date']}`)
    return [`${row['type']} ${row['service']} ${effect}`, ...(isAtEnd ? [`${effect} exactly at an end`] : [])]
  })
}

function accountTraits({ tables, customers }: History): string[] {
  const tests = new Set(tables('tags').flatMap((tag) => (tag['tag_definition_id'] === TEST ? [tag['object_id']] : [])))
  return customers.flatMap(({ account, spans, logo_churn }) => {
    const live = spans.filter((span) => span.is_live)
    const last = live
      .map(({ valid_to }) => valid_to ?? '9999')
      .sort()
      .at(-1)
    const traits: Readonly<Record<string, boolean>> = {
      [`in ${account['currency']}`]: true,
      test: tests.has(account['id'] ?? null),
      'no country': account['country'] === null,
      'of the second tenant': Number(account['tenant_record_id']) === 2,
      'logo churn': logo_churn.length > 0,
      'back after it': logo_churn.some((at) => live.some(({ valid_from }) => valid_from > at)),
      'lapsed by transfer': last !== undefined && last <= NOW && !logo_churn.includes(last),
    }
    return Object.keys(traits).filter((name) => traits[name])
  })
}
