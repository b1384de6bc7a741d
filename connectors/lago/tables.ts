/** Tables and columns that the connector reads, in the order in which a stranger meets them. */
export const TABLES: Readonly<Record<string, readonly string[]>> = {
  organizations: ['id', 'name', 'created_at'],
  billing_entities: ['id', 'organization_id', 'timezone', 'updated_at'],
  customers: [
    ...['id', 'organization_id', 'billing_entity_id', 'external_id', 'name', 'firstname', 'lastname', 'legal_name', 'email'],
    ...['country', 'city', 'state', 'zipcode', 'document_locale', 'timezone', 'currency', 'payment_provider', 'account_type'],
    ...['created_at', 'updated_at'],
  ],
  customer_metadata: ['id', 'customer_id', 'key', 'value', 'created_at', 'updated_at'],
  plans: [
    ...['id', 'organization_id', 'parent_id', 'code', 'name', 'interval', 'amount_cents', 'amount_currency', 'trial_period'],
    ...['bill_fixed_charges_monthly', 'pricing_type', 'updated_at'],
  ],
  charges: ['id', 'organization_id', 'plan_id', 'updated_at', 'deleted_at'],
  fixed_charges: [
    ...[
      'id',
      'organization_id',
      'plan_id',
      'parent_id',
      'code',
      'charge_model',
      'properties',
      'created_at',
      'updated_at',
      'deleted_at',
    ],
  ],
  fixed_charge_events: [
    ...['id', 'subscription_id', 'fixed_charge_id', 'units', 'timestamp', 'created_at', 'updated_at', 'deleted_at'],
  ],
  subscriptions: [
    ...['id', 'customer_id', 'plan_id', 'external_id', 'status', 'previous_subscription_id', 'subscription_at', 'started_at'],
    ...['ending_at', 'terminated_at', 'created_at', 'updated_at'],
  ],
  invoices: [
    ...['id', 'customer_id', 'invoice_type', 'status', 'payment_status', 'number', 'currency', 'issuing_date', 'finalized_at'],
    ...['voided_at', 'self_billed', 'taxes_amount_cents', 'total_amount_cents', 'total_paid_amount_cents'],
    ...['payment_dispute_lost_at', 'created_at', 'updated_at'],
  ],
  invoice_subscriptions: ['invoice_id', 'subscription_id', 'updated_at'],
  invoice_settlements: [
    ...['id', 'target_invoice_id', 'settlement_type', 'amount_cents', 'amount_currency', 'created_at', 'updated_at'],
  ],
  invoices_payment_requests: ['invoice_id', 'payment_request_id', 'updated_at'],
  fees: [
    ...['id', 'invoice_id', 'subscription_id', 'fee_type', 'amount_cents', 'amount_currency', 'properties', 'pay_in_advance'],
    ...['payment_status', 'succeeded_at', 'updated_at', 'deleted_at'],
  ],
  credit_notes: [
    ...['id', 'customer_id', 'invoice_id', 'status', 'refund_amount_cents', 'refund_status', 'refunded_at', 'updated_at'],
  ],
  payments: [
    ...['id', 'customer_id', 'payable_type', 'payable_id', 'payable_payment_status', 'payment_type', 'amount_cents'],
    ...['amount_currency', 'created_at', 'updated_at'],
  ],
  versions: ['id', 'item_type', 'item_id', 'event', 'object_changes', 'created_at'],
}

/** Columns that only the ledger reads. Without them it is not known. */
export const OF_LEDGER: Readonly<Record<string, readonly string[]>> = {
  invoices: ['payment_due_date', 'credit_notes_amount_cents', 'prepaid_credit_amount_cents'],
  fees: ['precise_coupons_amount_cents'],
  credit_notes: ['created_at', 'credit_amount_cents', 'offset_amount_cents'],
}

/** Columns that only the ledger reads and that a database may lack. All fees of an invoice then share its credit notes. */
export const NOTE_ITEMS: Readonly<Record<string, readonly string[]>> = {
  credit_note_items: ['credit_note_id', 'fee_id', 'amount_cents'],
  credit_notes: ['taxes_amount_cents'],
}

/** Columns that only the ledger reads and that a database may lack. All wallet credits that an invoice used then count as bought. */
export const GRANTED_CREDITS: Readonly<Record<string, readonly string[]>> = {
  invoices: ['prepaid_granted_credit_amount_cents'],
}

/** Tables that a database may lack. */
export const OPTIONAL: readonly string[] = ['credit_note_items']

/** Columns of several lists, by table. */
export function merged(
  lists: readonly Readonly<Record<string, readonly string[]>>[],
): Readonly<Record<string, readonly string[]>> {
  const tables = new Set(lists.flatMap((columns) => Object.keys(columns)))
  return Object.fromEntries([...tables].map((table) => [table, lists.flatMap((columns) => columns[table] ?? [])]))
}

/** Every column that the connector reads if it is there, by table. */
export const READ = merged([TABLES, OF_LEDGER, NOTE_ITEMS, GRANTED_CREDITS])

/** Tables of which only the columns above are granted: the others hold secrets or personal data. */
export const GRANTED_BY_COLUMN: readonly string[] = ['organizations', 'customers', 'payments']
