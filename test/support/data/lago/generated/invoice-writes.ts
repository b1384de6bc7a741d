import { DAY, HOUR, isPast, own, owned, pickOne, type Scene, where } from './lago-scene.ts'
import { type Cells, instantOf, instantText, type StoredRow } from './lago-store.ts'

const [DRAFT, FINAL, VOID, FAILED] = [0, 1, 2, 4] as const
const [UNPAID, PAID, REFUSED] = [0, 1, 2] as const
const [USAGE, RECURRING] = [0, 2] as const
const MONTH = 30 * DAY

/** A row of `subscriptions` that can be billed, with the currency of its plan. */
function billable(scene: Scene): { readonly row: StoredRow; readonly currency: string } | undefined {
  const rows = own(scene, 'subscriptions').filter(
    (one) => isPast(scene, one['started_at']) && [1, 2].includes(Number(one['status'])),
  )
  const row = pickOne(scene, rows)
  const plan = where(scene.store, 'plans', 'id', row?.['plan_id'])[0]
  return row === undefined || plan === undefined ? undefined : { row, currency: String(plan['amount_currency']) }
}

const entityOf = ({ customer }: Scene): Cells => ({ billing_entity_id: customer['billing_entity_id'] ?? null })

function addFee(scene: Scene, row: StoredRow, currency: string, cells: Cells): void {
  owned(scene, 'fees', {
    ...entityOf(scene),
    ...{ invoice_id: null, subscription_id: row['id'] ?? null, amount_cents: scene.dice.below(9_000), amount_currency: currency },
    ...{
      taxes_amount_cents: 0,
      properties: '{}',
      pay_in_advance: false,
      payment_status: UNPAID,
      succeeded_at: null,
      deleted_at: null,
    },
    ...cells,
  })
}

/** The month, or the year, before the call. Its bounds are local midnights of some zone. */
function usageProperties({ dice, at }: Scene): string {
  const begin = Math.floor(at / DAY) * DAY - dice.pick([MONTH, MONTH, 365 * DAY]) - dice.pick([0, 2, -5]) * HOUR
  const end = Math.floor(at / DAY) * DAY - 1
  return JSON.stringify({
    charges_from_datetime: new Date(begin).toISOString(),
    charges_to_datetime: new Date(end).toISOString(),
  })
}

function addFees(scene: Scene, invoice: StoredRow, row: StoredRow, currency: string): void {
  addFee(scene, row, currency, { invoice_id: invoice['id'] ?? null, fee_type: RECURRING })
  for (let count = scene.dice.below(3); count > 0; count -= 1)
    addFee(scene, row, currency, { invoice_id: invoice['id'] ?? null, fee_type: USAGE, properties: usageProperties(scene) })
}

function bill(scene: Scene): void {
  const { dice, at, customer } = scene
  const found = billable(scene)
  if (found === undefined) return
  const { row, currency } = found
  const status = dice.pick([DRAFT, FINAL, FINAL, FINAL, FINAL, FAILED])
  const total = dice.pick([0, 1_000, 4_444, 100_000])
  const invoice = owned(scene, 'invoices', {
    ...entityOf(scene),
    ...{ customer_id: customer['id'] ?? null, currency, status, number: `INV-${dice.below(10_000)}` },
    ...{ invoice_type: dice.pick([0, 0, 0, 0, 5, 4, 2]), payment_status: status === FINAL && total === 0 ? PAID : UNPAID },
    ...{ issuing_date: instantText(at).slice(0, 10), finalized_at: status === FINAL && dice.chance(80) ? instantText(at) : null },
    ...{
      self_billed: customer['account_type'] === 'partner',
      total_amount_cents: total,
      taxes_amount_cents: Math.floor(total / 6),
    },
    ...{ total_paid_amount_cents: 0, voided_at: null, payment_dispute_lost_at: null },
  })
  addFees(scene, invoice, row, currency)
  owned(scene, 'invoice_subscriptions', { invoice_id: invoice['id'] ?? null, subscription_id: row['id'] ?? null })
  const other = dice.chance(20) ? billable(scene)?.row : undefined
  if (other !== undefined && other !== row)
    owned(scene, 'invoice_subscriptions', { invoice_id: invoice['id'] ?? null, subscription_id: other['id'] ?? null })
}

/** Replaces the fees of a draft, and maybe commits it. */
function refreshDraft(scene: Scene): void {
  const { store, dice, at } = scene
  const invoice = pickOne(
    scene,
    own(scene, 'invoices').filter((one) => one['status'] === DRAFT),
  )
  const found = billable(scene)
  if (invoice === undefined || found === undefined) return
  for (const fee of [...where(store, 'fees', 'invoice_id', invoice['id'])])
    if (dice.chance(50)) store.remove('fees', fee)
    else store.update('fees', at, fee, { deleted_at: instantText(at) })
  addFees(scene, invoice, found.row, String(invoice['currency']))
  const committed: Cells = dice.chance(60) ? { status: FINAL, finalized_at: instantText(at) } : {}
  store.update('invoices', at, invoice, { total_amount_cents: 100 * dice.below(90), ...committed })
}

function openInvoice(scene: Scene): StoredRow | undefined {
  const invoices = own(scene, 'invoices').filter((one) => one['status'] === FINAL && one['payment_status'] !== PAID)
  return pickOne(scene, invoices)
}

function markPaid({ store, at }: Scene, invoice: StoredRow): void {
  const total_paid_amount_cents = invoice['total_amount_cents'] ?? null
  store.update('invoices', at, invoice, { payment_status: PAID, total_paid_amount_cents })
}

function addPayment(scene: Scene, invoice: StoredRow, cells: Cells): StoredRow {
  return owned(scene, 'payments', {
    ...{ customer_id: scene.customer['id'] ?? null, payable_type: 'Invoice', payable_id: invoice['id'] ?? null },
    ...{ amount_cents: invoice['total_amount_cents'] ?? null, amount_currency: invoice['currency'] ?? null },
    ...{ status: 'done', payable_payment_status: 'succeeded', payment_type: 'provider' },
    ...cells,
  })
}

/** Every way in which an invoice is paid, and a payment that fails. */
function pay(scene: Scene): void {
  const { store, dice, at, customer } = scene
  const invoice = openInvoice(scene)
  if (invoice === undefined) return
  const kind = dice.pick(['provider', 'manual', 'request', 'credit', 'told', 'failed'])
  if (kind === 'failed') {
    addPayment(scene, invoice, { payable_payment_status: 'failed' })
    store.update('invoices', at, invoice, { payment_status: REFUSED })
    return
  }
  if (kind === 'provider') {
    const payment = addPayment(scene, invoice, { payable_payment_status: 'pending' })
    store.update('payments', at + HOUR, payment, { payable_payment_status: 'succeeded' })
  }
  // The user gives the date: often midnight, and sometimes one before the invoice.
  if (kind === 'manual')
    addPayment(scene, invoice, {
      payment_type: 'manual',
      created_at: instantText(Math.floor(at / DAY) * DAY - dice.below(3) * DAY),
    })
  if (kind === 'request') {
    const request = owned(scene, 'payment_requests', { customer_id: customer['id'] ?? null, amount_currency: 'USD' })
    owned(scene, 'invoices_payment_requests', { invoice_id: invoice['id'] ?? null, payment_request_id: request['id'] ?? null })
    addPayment(scene, invoice, { payable_type: 'PaymentRequest', payable_id: request['id'] ?? null })
  }
  if (kind === 'credit' || dice.chance(10))
    owned(scene, 'invoice_settlements', {
      ...entityOf(scene),
      ...{
        target_invoice_id: invoice['id'] ?? null,
        settlement_type: 'credit_note',
        amount_currency: invoice['currency'] ?? null,
      },
      amount_cents: Math.floor(Number(invoice['total_amount_cents']) / 2),
    })
  markPaid(scene, invoice)
}

function voidInvoice(scene: Scene): void {
  const invoice = openInvoice(scene)
  if (invoice !== undefined) scene.store.update('invoices', scene.at, invoice, { status: VOID, voided_at: instantText(scene.at) })
}

function loseDispute(scene: Scene): void {
  const invoice = openInvoice(scene)
  if (invoice !== undefined) scene.store.update('invoices', scene.at, invoice, { payment_dispute_lost_at: instantText(scene.at) })
}

/** A fee that is paid in advance without an invoice. */
function chargeInAdvance(scene: Scene): void {
  const { dice, at } = scene
  const found = billable(scene)
  if (found === undefined) return
  const isPaid = dice.chance(50)
  addFee(scene, found.row, found.currency, {
    ...{ fee_type: USAGE, pay_in_advance: true, payment_status: isPaid ? PAID : UNPAID },
    succeeded_at: isPaid ? instantText(at) : null,
    properties: JSON.stringify({
      timestamp: new Date(Math.max(at - dice.below(4) * HOUR, instantOf(found.row['started_at']))).toISOString(),
    }),
  })
}

/** The integrator says that a fee without an invoice was paid. Only the fee is saved. */
function collectFee(scene: Scene): void {
  const { store, at } = scene
  const rows = new Set(own(scene, 'subscriptions').map(({ id }) => id))
  const fees = store.rows('fees').filter((fee) => fee['pay_in_advance'] === true && rows.has(fee['subscription_id'] ?? null))
  const fee = pickOne(
    scene,
    fees.filter((one) => one['payment_status'] === UNPAID),
  )
  if (fee !== undefined) store.update('fees', at, fee, { payment_status: PAID, succeeded_at: instantText(at) })
}

export const INVOICE_WRITES = {
  ...{ bill, billAgain: bill, billOnceMore: bill, refreshDraft, pay, payAgain: pay, payOnceMore: pay },
  ...{ voidInvoice, loseDispute, chargeInAdvance, collectFee },
}
