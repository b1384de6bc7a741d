import type { ConnectorSession } from '../../src/connector-kit/connector.ts'
import { causeOf, unreadable, unseenIn } from '../../src/connector-kit/optional-columns.ts'
import type { Sight } from '../../src/connector-kit/rights.ts'

/** Columns that only notices of billing health read. Without those of a table, the list that needs them is not known. */
export const OF_NOTICES: Readonly<Record<string, readonly string[]>> = {
  accounts: ['payment_method_id', 'parent_account_id', 'is_payment_delegated_to_parent'],
  rolled_up_usage: ['subscription_id', 'record_date', 'amount', 'created_date', 'account_record_id', 'tenant_record_id'],
}

/** Columns that only the forecast of billings reads. Without them it is not known. */
export const OF_BILLINGS: Readonly<Record<string, readonly string[]>> = {
  accounts: ['billing_cycle_day_local'],
  subscription_events: ['billing_cycle_day_local'],
  catalog_override_phase_definition: ['fixed_price'],
}

/** Columns that only the ledger reads. Without them it is not known. */
export const OF_LEDGER: Readonly<Record<string, readonly string[]>> = {
  invoice_payments: ['type'],
  tags: ['updated_date'],
}

/** History of payments, which shows reversed chargebacks of the ledger (R19). Kill Bill 0.22 shows none. */
export const PAYMENT_HISTORY: Readonly<Record<string, readonly string[]>> = {
  invoice_payment_history: ['target_record_id', 'invoice_id', 'amount', 'status', 'created_date', 'tenant_record_id'],
}

/** Columns that only collections read. Without them, attempts to collect an invoice are not known. */
export const OF_ATTEMPTS: Readonly<Record<string, readonly string[]>> = {
  invoice_payments: ['type', 'payment_id'],
  payments: ['id', 'payment_method_id'],
  payment_methods: ['id', 'plugin_name'],
  payment_transactions: [
    'record_id',
    'payment_id',
    'transaction_type',
    'transaction_status',
    'effective_date',
    'amount',
    'gateway_error_code',
    'tenant_record_id',
  ],
}

/** The list of notices that needs the columns of a table. */
const NOTICE_LIST_OF: Readonly<Record<string, string>> = {
  accounts: 'child_not_on_parent',
  rolled_up_usage: 'usage_not_invoiced',
}

/**
 * The lists of notices that are not known, because a role does not see columns of `OF_NOTICES`, and why. Undefined if it sees them all. A table
 * without any readable column is named as a whole. MySQL and MariaDB do not show whether such parts exist.
 */
export function unknownNotices(
  { columns, denied }: Pick<Sight, 'columns' | 'denied'>,
  dialect: string,
): ConnectorSession['notices_unknown'] {
  const unseen = unseenIn(columns, OF_NOTICES)
  if (unseen.length === 0) return undefined
  const isOf = (table: string) => unseen.some((name) => name === table || name.startsWith(`${table}.`))
  const kinds = Object.entries(NOTICE_LIST_OF).flatMap(([table, kind]) => (isOf(table) ? [kind] : []))
  const subject = kinds.length === 1 ? `The list ${kinds.join()} is` : `The lists ${kinds.join(' and ')} are`
  return { kinds, reason: `${causeOf(unseen, denied, dialect)} ${subject} therefore not known.` }
}

/** Why the forecast of billings is not known, because a role does not see columns of `OF_BILLINGS`. Undefined if it sees them all. */
export function unknownBillings(sight: Pick<Sight, 'columns' | 'denied'>, dialect: string): string | undefined {
  const cause = unreadable(sight, dialect, OF_BILLINGS)
  return cause === undefined ? undefined : `${cause} What will be billed is therefore not known.`
}

/** Why the ledger is not known, because a role does not see columns of `OF_LEDGER` or `PAYMENT_HISTORY`. Undefined if it sees them all. */
export function unknownLedger(sight: Pick<Sight, 'columns' | 'denied'>, dialect: string): string | undefined {
  const hasStatus = sight.columns.get('invoice_payments')?.has('status') === true
  const cause = unreadable(sight, dialect, hasStatus ? { ...OF_LEDGER, ...PAYMENT_HISTORY } : OF_LEDGER)
  return cause === undefined ? undefined : `${cause} The ledger is therefore not known.`
}

/** Why attempts to collect invoices are not known, because a role does not see columns of `OF_ATTEMPTS`. Undefined if it sees them all. */
export function unknownAttempts(sight: Pick<Sight, 'columns' | 'denied'>, dialect: string): string | undefined {
  const cause = unreadable(sight, dialect, OF_ATTEMPTS)
  return cause === undefined ? undefined : `${cause} Attempts to collect invoices are therefore not known.`
}
