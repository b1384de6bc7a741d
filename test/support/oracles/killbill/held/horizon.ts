import type { FoldContext } from '../fold/context.ts'
import type { FoldedAccount } from '../fold/fold-account.ts'
import { addPeriod, type Instant } from '../fold/instant.ts'
import type { AccountRows } from '../fold/rows.ts'
import type { State } from '../fold/state.ts'

/** The rows of an account are right for every now in [from, to). A `to` of null means no end. */
export interface Horizon {
  readonly customer_key: number
  readonly valid_from: string
  readonly valid_to: string | null
}

/** Before every instant of a request. */
const ALWAYS: Instant = '0001-01-01 00:00:00'

/**
 * The interval in which a fold stays correct while no row changes. Every rule about now compares now with an instant of the rows
 * or the catalog (D2). The interval goes from the last such instant up to now to the next one.
 */
export function horizonOf(rows: AccountRows, { states }: Pick<FoldedAccount, 'states'>, context: FoldContext): Horizon {
  return { customer_key: rows.account.record_id, ...between(instantsOf(rows, states, context), context.now) }
}

/** The nearest of these instants before and after now. An instant equal to now counts as before. */
export function between(instants: Iterable<Instant>, now: Instant): Pick<Horizon, 'valid_from' | 'valid_to'> {
  let valid_from = ALWAYS
  let valid_to: Instant | null = null
  for (const at of instants) {
    if (at <= now) {
      if (at > valid_from) valid_from = at
    } else if (valid_to === null || at < valid_to) valid_to = at
  }
  return { valid_from, valid_to }
}

function* instantsOf(rows: AccountRows, states: FoldedAccount['states'], context: FoldContext): Generator<Instant> {
  for (const event of rows.events) yield event.effective_date
  for (const block of rows.blocking_states) yield block.effective_date
  for (const invoice of rows.invoices) yield invoice.created_date
  for (const entry of rows.invoice_history) yield entry.created_date
  for (const item of rows.invoice_items) yield item.created_date
  for (const payment of rows.invoice_payments) yield payment.payment_date
  for (const bundle of rows.bundles) {
    const moved = context.transfers.get(bundle.id)
    if (moved !== undefined) yield moved
  }
  for (const own of states) yield* catalogInstantsOf(own, rows.account, context)
}

/** Catalog dates that affect the states of a subscription, and the ends of its fixed terms. */
function* catalogInstantsOf(
  states: readonly State[],
  { tenant_record_id: tenant, currency }: AccountRows['account'],
  { prices }: FoldContext,
): Generator<Instant> {
  for (const state of states) {
    for (const price of prices.prices(tenant, state.phase, currency, state.entered)) yield price.from
    const term = prices.fixedTerm(tenant, state.phase, state.entered, state.at)
    if (term !== null) yield addPeriod(state.at, term.months, term.days)
  }
}
