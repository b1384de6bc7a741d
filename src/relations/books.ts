import { column, defineRelation, nullable } from './define-relation.ts'

/** Kinds of charges. Tax is never revenue (R4). */
export const CHARGE_KINDS = ['recurring', 'usage', 'fixed', 'one_off', 'tax'] as const

const OF_CUSTOMER = column('customer_key', 'key', 'Joins `customer`; the account of the invoice.')
const OF_INVOICE = column('invoice_id', 'text', 'Joins `ledger_invoice`.')
const CURRENCY = column('currency', 'text', 'Currency of the invoice.')
const AMOUNT = column('amount_cents', 'integer', 'Amount in original cents; never 0.')
const POSTED = column('posted_on', 'date', 'Day on which it was posted (R3).')
const GONE = nullable('gone_on', 'date', 'Day of the void of its invoice, from which on it does not count (R3).')

/** What all relations of the books have in common. */
const BASE = { kind: 'base', has_window: false, may_be_absent: true } as const

/** Invoices of the books (R2, R3). */
export const ledgerInvoice = defineRelation({
  ...BASE,
  name: 'ledger_invoice',
  description: 'One row per invoice that was final at some time. Days are local to the account. Includes parent invoices.',
  grain: ['invoice_id'],
  columns: [
    OF_CUSTOMER,
    column('invoice_id', 'text', 'Id of the invoice.'),
    CURRENCY,
    column('issued_on', 'date', 'The later of the day of the invoice and the day on which it became final.'),
    nullable('gone_on', 'date', 'Day of its void.'),
    nullable('due_on', 'date', 'Due day, if the billing engine has one (R17).'),
  ],
})

/** Charges of the books (R4 to R7). */
export const ledgerCharge = defineRelation({
  ...BASE,
  name: 'ledger_charge',
  description: 'One row per charge and tax of an invoice of the books. A charge of 0 has no row.',
  grain: ['charge_id'],
  columns: [
    OF_CUSTOMER,
    column('charge_id', 'text', 'Key of the item.'),
    OF_INVOICE,
    nullable('subscription_id', 'text', 'Joins `subscription`.'),
    nullable('plan', 'text', 'Plan of the item, named as in spans.'),
    column('kind', 'text', 'Kind of the charge.', CHARGE_KINDS),
    CURRENCY,
    AMOUNT,
    POSTED,
    GONE,
    nullable('starts_on', 'date', 'First service day.'),
    nullable('ends_on', 'date', 'Day after the last service day; null if the charge has one day.'),
  ],
})

/** Adjustments of charges (R5, R8). */
export const ledgerAdjustment = defineRelation({
  ...BASE,
  name: 'ledger_adjustment',
  description: 'One row per repair or other adjustment of an invoice of the books.',
  grain: ['adjustment_id'],
  columns: [
    OF_CUSTOMER,
    column('adjustment_id', 'text', 'Key of the item.'),
    OF_INVOICE,
    nullable('charge_id', 'text', 'Joins `ledger_charge`; null if the charge is not in the books.'),
    column('kind', 'text', 'Kind of the charge, or credit.', [...CHARGE_KINDS, 'credit']),
    CURRENCY,
    AMOUNT,
    POSTED,
    GONE,
    column('is_repair', 'boolean', 'True if it takes away service days.'),
    nullable('starts_on', 'date', 'First day that it takes away.'),
    nullable('ends_on', 'date', 'Day after the last one.'),
  ],
})

/** Credit that was granted, and customer credit that was issued and applied (R4, R20). */
export const ledgerCredit = defineRelation({
  ...BASE,
  name: 'ledger_credit',
  description: 'One row per movement of credit on an invoice of the books.',
  grain: ['credit_id'],
  columns: [
    OF_CUSTOMER,
    column('credit_id', 'text', 'Key of the item.'),
    OF_INVOICE,
    column('kind', 'text', 'Granted lowers revenue; issued and applied change the credit of the customer.', [
      'granted',
      'issued',
      'applied',
    ]),
    CURRENCY,
    AMOUNT,
    POSTED,
    GONE,
  ],
})

/** Payments of invoices (R14, R19). */
export const ledgerPayment = defineRelation({
  ...BASE,
  name: 'ledger_payment',
  description: 'One row per successful payment, refund, chargeback, and reversal of a chargeback.',
  grain: ['payment_id'],
  columns: [
    OF_CUSTOMER,
    column('payment_id', 'text', 'Key of the payment.'),
    OF_INVOICE,
    column('kind', 'text', 'What it is; a reversal of a chargeback is a positive chargeback.', [
      'payment',
      'refund',
      'chargeback',
    ]),
    CURRENCY,
    column('amount_cents', 'integer', 'Amount in original cents; negative if it went back to the customer.'),
    column('posted_on', 'date', 'Its day.'),
  ],
})

/** Days on which invoices are written off (R15). */
export const ledgerWriteOff = defineRelation({
  ...BASE,
  name: 'ledger_write_off',
  description: 'One row per invoice and stretch of days [from_on, to_on) on which it is bad debt.',
  grain: ['invoice_id', 'from_on'],
  columns: [OF_CUSTOMER, OF_INVOICE, column('from_on', 'date', 'First day.'), nullable('to_on', 'date', 'Day of the removal.')],
})

/** Receivables that move between accounts (R16). */
export const ledgerTransfer = defineRelation({
  ...BASE,
  name: 'ledger_transfer',
  description: 'One row per amount that a parent takes over, on the side of the child and on that of the parent.',
  grain: ['transfer_id', 'invoice_id', 'kind'],
  columns: [
    OF_CUSTOMER,
    column('transfer_id', 'text', 'Key of the summary on the invoice of the parent.'),
    nullable('invoice_id', 'text', 'Joins `ledger_invoice`; null if no invoice of the child was open.'),
    column('kind', 'text', 'Side; suspense is the side of a parent whose child does not count.', ['child', 'parent', 'suspense']),
    CURRENCY,
    column('amount_cents', 'integer', 'Change of the balance in original cents.'),
    column('posted_on', 'date', 'Day on which the invoice of the parent became final.'),
  ],
})

/** Terms of the movement of receivables (J5), and what was written off. */
export const LEDGER_TERMS = [
  'billed',
  'adjusted',
  'tax',
  'credits_granted',
  'credits_issued',
  'credits_applied',
  'transferred',
  'suspense',
  'collected',
  'refunded',
  'charged_back',
  'written_off',
] as const

/** Everything that changes the balance of an invoice, by day (R13 to R16). */
export const ledgerEntry = defineRelation({
  name: 'ledger_entry',
  kind: 'derived',
  description:
    'One row per posting that `:known_on` knows. A void posts everything once more with the opposite sign. What is posted on an invoice that is written off is also written off.',
  grain: ['document_id', 'term', 'posted_on', 'amount_cents'],
  has_window: false,
  columns: [
    OF_CUSTOMER,
    nullable('invoice_id', 'text', 'Joins `ledger_invoice`.'),
    column('document_id', 'text', 'Key of the item or payment.'),
    nullable('subscription_id', 'text', 'Joins `subscription`.'),
    nullable('plan', 'text', 'Plan of the charge.'),
    nullable('charge_id', 'text', 'Joins `ledger_charge`.'),
    column('charge_kind', 'text', 'Kind of the charge; empty for other rows.'),
    CURRENCY,
    column('term', 'text', 'Term of the movement.', LEDGER_TERMS),
    column('posted_on', 'date', 'Day of the posting.'),
    column('rated_on', 'date', 'Day of its exchange rate (R24).'),
    column('amount_cents', 'integer', 'Change of the balance of the invoice in original cents; for `written_off` of bad debt.'),
  ],
})

/** Recognition of charges (R5 to R9). */
export const keptStretch = defineRelation({
  name: 'kept_stretch',
  kind: 'derived',
  description:
    'One row per charge, version [known_from, known_to) and stretch of kept days. On day D, the stretch with begins_on <= D < next_on has recognized net * done / whole, where done is days_before and the days of the stretch up to D. Days are numbers since 1970-01-01.',
  grain: ['charge_id', 'known_from', 'begins_on'],
  has_window: false,
  columns: [
    OF_CUSTOMER,
    column('charge_id', 'text', 'Key of the charge, or of an adjustment without one.'),
    nullable('invoice_id', 'text', 'Invoice of the charge.'),
    nullable('subscription_id', 'text', 'Joins `subscription`.'),
    nullable('plan', 'text', 'Plan of the charge.'),
    column('charge_kind', 'text', 'Kind of the charge.'),
    CURRENCY,
    column('posted_on', 'date', 'Day on which the charge was posted.'),
    column('posted_day', 'integer', 'The same as a number.'),
    column('charged_cents', 'integer', 'The charge itself, in original cents; 0 for an adjustment without one.'),
    nullable('charged_base_cents', 'integer', 'The same in base cents.'),
    column('known_from', 'integer', 'First day of the version.'),
    column('known_to', 'integer', 'Day after its last.'),
    column('net_cents', 'integer', 'Charge with the adjustments that the version knows, in original cents.'),
    nullable('net_base_cents', 'integer', 'The same in base cents, each at its own rate (R24).'),
    column('unrated', 'integer', '1 if a rate is missing.'),
    column('whole', 'integer', 'Kept days; 0 if everything is recognized at once.'),
    column('begins_on', 'integer', 'First day of the row.'),
    column('next_on', 'integer', 'Day after its last.'),
    column('starts_on', 'integer', 'First kept day of the stretch.'),
    column('days', 'integer', 'Its kept days.'),
    column('days_before', 'integer', 'Kept days before the stretch.'),
  ],
})

/** Revenue of charges on days (R9, R10, R12). */
export const ledgerState = defineRelation({
  name: 'ledger_state',
  kind: 'derived',
  description:
    'One row per charge and day of `ledger_day` that has to do with it: its state at the end of the day, and what it had recognized before the period.',
  grain: ['charge_id', 'day_index', 'is_at', 'at_cents', 'before_cents'],
  has_window: false,
  columns: [
    OF_CUSTOMER,
    column('charge_id', 'text', 'Key of the charge, or of an adjustment without one.'),
    nullable('invoice_id', 'text', 'Invoice of the charge.'),
    nullable('subscription_id', 'text', 'Joins `subscription`.'),
    nullable('plan', 'text', 'Plan of the charge.'),
    column('charge_kind', 'text', 'Kind of the charge.'),
    CURRENCY,
    column('posted_on', 'date', 'Day on which the charge was posted.'),
    column('posted_day', 'integer', 'The same as a number.'),
    column('day_index', 'integer', 'Day of `ledger_day`.'),
    column('unrated', 'integer', '1 if a rate is missing.'),
    column('whole', 'integer', 'Kept days; 0 if everything is recognized at once.'),
    column('done_at', 'integer', 'Kept days up to the day.'),
    column('net_cents', 'integer', 'Charge with its adjustments.'),
    column('is_at', 'integer', '1 if the row has the state at the end of the day.'),
    column('is_posted', 'integer', '1 if the charge is posted by the day.'),
    column('charged_cents', 'integer', 'The charge itself once it is posted.'),
    nullable('charged_base_cents', 'integer', 'The same in base cents.'),
    column('at_cents', 'integer', 'Recognized by the end of the day.'),
    nullable('at_base_cents', 'integer', 'The same in base cents.'),
    column('before_cents', 'integer', 'Recognized before the period, as known at the end of the day.'),
    nullable('before_base_cents', 'integer', 'The same in base cents.'),
    column('deferred_cents', 'integer', 'Posted and not recognized.'),
    nullable('deferred_base_cents', 'integer', 'The same in base cents.'),
    column('unbilled_cents', 'integer', 'Recognized and not posted.'),
    nullable('unbilled_base_cents', 'integer', 'The same in base cents.'),
  ],
})
