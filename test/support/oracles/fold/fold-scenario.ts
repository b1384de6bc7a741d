import { instant, type Scenario, scenarioTables } from '../../data/scenario-tables.ts'
import type { Movement } from '../killbill/fold/movements.ts'
import { type FoldedCustomer, foldTables } from './fold-tables.ts'

/** Folds a few hand-made rows: one tenant, accounts in USD unless said otherwise, base USD. */
export function foldScenario(scenario: Scenario): FoldedCustomer[] {
  const tables = scenarioTables(scenario)
  return foldTables((name) => tables[name] ?? [], {
    now: instant(scenario.now ?? '2026-01-01'),
    base_currency: 'USD',
    rates: scenario.rates ?? [],
    definitions: scenario.definitions ?? {},
  })
}

/** Spans of a subscription, one line each: stretch, status, phase, quantity, cents of both components, reasons. */
export function spanLines(customers: readonly Pick<FoldedCustomer, 'spans'>[], subscription = 'S'): string[] {
  return customers
    .flatMap((customer) => customer.spans)
    .filter((span) => span.subscription_id === subscription)
    .map((span) => {
      const cents = span.is_unpriced ? 'unpriced' : `${span.subscription_mrr_cents}+${span.usage_mrr_cents}`
      const reasons = [span.start_reason, ...(span.end_reason === null ? [] : [`/${span.end_reason}`])].join(' ')
      return `${short(span.valid_from)}..${short(span.valid_to)} ${span.status} ${span.plan}-${span.phase_type} x${span.quantity} ${cents} ${reasons}`
    })
}

/** Movements, one line each: day, subscription, type, cents, reason. */
export function movementLines(customers: readonly FoldedCustomer[]): string[] {
  return customers.flatMap((customer) => customer.movements).map(movementLine)
}

function movementLine(row: Movement): string {
  const swap = row.is_swap ? ' swap' : ''
  return `${short(row.occurred_at)} ${row.subscription_id} ${row.movement_type} ${row.amount_cents} ${row.reason}${swap}`
}

function short(at: string | null): string {
  return at === null ? '' : at.replace(' 00:00:00', '')
}
