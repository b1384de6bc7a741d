import { CURRENCY, OF_CUSTOMER } from './books.ts'
import { column, defineRelation, nullable } from './define-relation.ts'

/** Attributes that these relations share with those of the books. */
const BASE = { kind: 'base', has_window: false, may_be_absent: true } as const

/** Attempts to collect invoices of the books (R27). */
export const ledgerAttempt = defineRelation({
  ...BASE,
  name: 'ledger_attempt',
  description:
    'One row per attempt to collect an invoice of the books that reached the payment provider. A payment that the billing engine gave up by itself is no attempt.',
  grain: ['attempt_id'],
  columns: [
    OF_CUSTOMER,
    column('attempt_id', 'text', 'Key of the attempt.'),
    column('invoice_id', 'text', 'Joins `ledger_invoice`.'),
    CURRENCY,
    column('amount_cents', 'integer', 'Amount that was asked for, in original cents.'),
    column('attempted_at', 'timestamp', 'Its instant.'),
    column('attempted_on', 'date', 'Its day.'),
    column('place', 'integer', 'Its number among the attempts of the invoice, from 1.'),
    column('outcome', 'text', 'Pending if the provider has not answered yet.', ['success', 'failure', 'pending']),
    nullable('gateway_error', 'text', 'Code of the provider for a failure, if it is known.'),
    nullable('payment_method', 'text', 'How it was paid, as the billing engine names it.'),
  ],
})

/** Why nobody tries to collect the invoices of a customer. */
export const PAYMENT_OBSTACLES = ['auto_pay_off', 'no_payment_method'] as const

/** How customers pay (R27). */
export const ledgerPayer = defineRelation({
  ...BASE,
  name: 'ledger_payer',
  description: 'One row per customer that pays its own invoices, without a parent that pays them. The obstacle is that of now.',
  grain: ['customer_key'],
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    nullable('obstacle', 'text', 'Why the billing engine tries no payment; null if nothing is known.', PAYMENT_OBSTACLES),
  ],
})

/** Stretches in which the billing engine counts a customer as overdue (R28). */
export const overdueStretch = defineRelation({
  ...BASE,
  name: 'overdue_stretch',
  description: 'One row per customer and stretch [valid_from, valid_to) in an overdue state.',
  grain: ['customer_key', 'valid_from'],
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('valid_from', 'timestamp', 'Its first instant.'),
    nullable('valid_to', 'timestamp', 'The instant of the next state; null if it is the last one.'),
    column('state', 'text', 'Name of the state.'),
  ],
})

/** Stretches in which a customer does not pay (R28). */
export const paymentTrouble = defineRelation({
  name: 'payment_trouble',
  kind: 'derived',
  description:
    'One row per customer and stretch [valid_from, valid_to) in which it is overdue, or has an invoice past due whose last attempt failed. Stretches of a customer never overlap.',
  grain: ['customer_key', 'valid_from'],
  has_window: false,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('valid_from', 'timestamp', 'Its first instant.'),
    column('valid_to', 'timestamp', 'Its end; a day in 9999 if it has none.'),
    column('cause', 'text', 'Overdue, if both hold.', ['overdue', 'failed_payment']),
  ],
})
