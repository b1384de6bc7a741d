import { REVENUE_KINDS } from '../core/ledger-options.ts'
import { column, defineRelation, nullable } from './define-relation.ts'

/** Kinds of charges. Tax is never revenue (R4). */
export const CHARGE_KINDS = [...REVENUE_KINDS, 'tax'] as const

/** Columns that relations of the books share. */
export const OF_CUSTOMER = column('customer_key', 'key', 'Joins `customer`; the account of the invoice.')
const OF_INVOICE = column('invoice_id', 'text', 'Joins `ledger_invoice`.')
export const CURRENCY = column('currency', 'text', 'Currency of the invoice.')
const AMOUNT = column('amount_cents', 'integer', 'Amount in original cents; never 0.')
const POSTED = column('posted_on', 'date', 'Day on which it was posted (R3).')
const GONE = nullable('gone_on', 'date', 'Day of the void of its invoice, from which on it does not count (R3).')

/** Attributes that all relations of the books share. */
const BASE = { kind: 'base', has_window: false, may_be_absent: true, is_held: true } as const

/** Invoices of the books (R2, R3). */
export const ledgerInvoice = defineRelation({
  ...BASE,
  name: 'ledger_invoice',
  description: 'One row per invoice that was final at some time. Days are local to the account. Includes parent invoices.',
  grain: ['invoice_id'],
  columns: [
    OF_CUSTOMER,
    column('invoice_id', 'text', 'Id of the invoice.'),
    nullable('invoice_number', 'text', 'Number for display.'),
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
    nullable('subscription_id', 'text', 'Subscription of the charge.'),
    nullable('plan', 'text', 'Plan of the charge.'),
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
  'charge',
  'adjustment',
  'tax',
  'credit_granted',
  'credit_issued',
  'credit_applied',
  'transfer',
  'suspense',
  'payment',
  'refund',
  'chargeback',
  'write_off',
] as const

/** Everything that changes the balance of an invoice, by day (R13 to R16). */
export const ledgerEntry = defineRelation({
  name: 'ledger_entry',
  kind: 'derived',
  description:
    'One row per posting that `:known_on` knows. A void posts everything once more with the opposite sign. Postings on an invoice that is written off are also written off.',
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
    column('amount_cents', 'integer', 'Change of the balance of the invoice in original cents; for `write_off` of bad debt.'),
    column('is_void', 'integer', '1 for the posting of a void.'),
  ],
})

/** Balances of invoices at the ends of days (R13 to R18). */
export const openBalance = defineRelation({
  name: 'open_balance',
  kind: 'derived',
  description:
    'One row per invoice and day of `ledger_day` at whose end it is open or written off. Base cents of a balance have the rate of `rated_on` (R24).',
  grain: ['customer_key', 'invoice_id', 'currency', 'day_index'],
  has_window: false,
  columns: [
    OF_CUSTOMER,
    nullable(
      'invoice_id',
      'text',
      'Joins `ledger_invoice`; null for a part that a parent took over without an open invoice (R16).',
    ),
    nullable('invoice_number', 'text', 'Number for display.'),
    CURRENCY,
    column('day_index', 'integer', 'Day of `ledger_day`.'),
    column('balance_cents', 'integer', 'Open balance in original cents; 0 while it is written off.'),
    column('written_off_cents', 'integer', 'The same while it is written off.'),
    column('paid_cents', 'integer', 'Payments less refunds and chargebacks.'),
    column('issued_on', 'date', 'Day of the issue.'),
    column('days_past_due', 'integer', 'Days since the due day; negative before it (R17).'),
    column('reopened_cents', 'integer', 'Part of the balance that refunds and chargebacks opened again (R14).'),
    column(
      'rated_on',
      'date',
      'Day of the exchange rate of the balance: the issue, or the day with `:receivables_rate` = closing.',
    ),
    nullable('balance_base_cents', 'integer', 'Open balance in base cents.'),
    nullable('written_off_base_cents', 'integer', 'Bad debt in base cents, at the rate of the issue.'),
    nullable('reopened_base_cents', 'integer', 'Reopened part in base cents.'),
  ],
})

/** Relations without which there are no books. The others of them may be absent: nothing is then written off or taken over. */
export const BOOKS: readonly string[] = [ledgerInvoice, ledgerCharge, ledgerAdjustment, ledgerCredit, ledgerPayment].map(
  ({ name }) => name,
)
