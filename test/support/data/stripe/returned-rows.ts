import { at, type Document, type HandMade, stamp } from './hand-made.ts'

/** A customer of January that paid one invoice. Its subscription and its invoice have the id in their names. */
async function payer({ subscription, invoice }: HandMade, id: string, more: Document = {}, owner = 'acct_a') {
  const { livemode = true, currency = 'usd' } = more
  const price = livemode === true ? `p_${String(currency)}` : 'p_test'
  await subscription(id, '01-10', [{ id: `si_${id}`, price: { id: price } }], { livemode, currency }, '06-20', owner)
  const line = { price, item: `si_${id}`, span: ['01-10', '02-10'] as const, amount: 1_000, more: { currency } }
  await invoice(id, '01-10', [line], more, owner)
}

/** Documents about money that went back, as Stripe sends them. */
export function returns({ insert }: HandMade, owner = 'acct_a') {
  const refund = (id: string, on: string, amount: number, more: Document = {}) =>
    insert('refunds', owner, stamp(on), {
      ...{ livemode: undefined, id: `re_${id}`, object: 'refund', amount, currency: 'usd', created: at(on), status: 'succeeded' },
      ...{ charge: `ch_${id}`, payment_intent: `pi_${id}`, ...more },
    })
  const dispute = (id: string, on: string, amount: number, more: Document = {}) =>
    insert('disputes', owner, stamp(on), {
      ...{
        id: `du_${id}`,
        object: 'dispute',
        amount,
        currency: 'usd',
        created: at(on),
        status: 'lost',
      },
      ...{ charge: `ch_${id}`, payment_intent: `pi_${id}`, ...more },
    })
  /** A charge of the older shape names its invoice, or has none. One of the newer shape has no such field. */
  const charge = (id: string, more: Document = { invoice: `in_${id}_01-10` }) =>
    insert('charges', owner, stamp('01-10'), {
      ...{ id: `ch_${id}`, object: 'charge', customer: `cus_${id}`, payment_intent: `pi_${id}`, status: 'succeeded', ...more },
    })
  const payment = (id: string, more: Document = {}) =>
    insert('invoice_payments', owner, stamp('01-10'), {
      ...{ id: `inpay_${id}`, object: 'invoice_payment', invoice: `in_${id}_01-10`, status: 'paid' },
      ...{ payment: { type: 'payment_intent', payment_intent: `pi_${id}` }, ...more },
    })
  return { refund, dispute, charge, payment }
}

export async function fillReturns(mirror: HandMade) {
  const [own, other] = [returns(mirror), returns(mirror, 'acct_b')]
  for (const currency of ['usd', 'eur', 'jpy', 'kwd']) await mirror.price(`p_${currency}`, '1000', { currency })
  await mirror.price('p_test', '1000', { livemode: false })
  for (const id of ['old', 'new', 'lost', 'won', 'failed', 'twice', 'bare', 'both', 'dollar']) await payer(mirror, id)
  // The charge of the older shape.
  await own.charge('old')
  await own.refund('old', '02-05', 300, { charge: { id: 'ch_old', object: 'charge' } })
  // The newer shape: an invoice payment names the payment intent, or a charge that has none.
  await own.charge('new', {})
  await own.payment('new')
  await own.refund('new', '02-06', 400)
  await own.payment('bare', { payment: { type: 'charge', charge: 'ch_bare' } })
  await own.refund('bare', '02-06', 150, { payment_intent: null })
  // An event of the newer shape has replaced the charge. The invoice of the older shape still names it.
  await payer(mirror, 'again', { charge: 'ch_again', payment_intent: 'pi_again', parent: undefined, subscription: 'again' })
  await own.charge('again', {})
  await own.refund('again', '02-07', 250)
  // The money of a dispute went a day after its creation. Those that are won or open took nothing.
  await own.charge('lost')
  await own.dispute('lost', '02-08', 1_000, { balance_transactions: [{ amount: -1_000, created: at('02-09') }] })
  await own.charge('won')
  await own.dispute('won', '02-08', 1_000, {
    ...{ status: 'won', balance_transactions: [{ amount: -1_000, created: at('02-09') }] },
  })
  await own.dispute('won_2', '02-08', 1_000, { charge: 'ch_won', status: 'under_review' })
  await own.charge('failed')
  for (const status of ['failed', 'pending', 'canceled', 'requires_action'])
    await own.refund(`failed_${status}`, '02-10', 100, { charge: 'ch_failed', status })
  // A credit note without a refund.
  await payer(mirror, 'note', { post_payment_credit_notes_amount: 300 })
  // Two at one instant, and a dispute that does not say when the money went.
  await own.charge('twice')
  for (const part of ['a', 'b']) await own.refund(`twice_${part}`, '02-11', 100, { charge: 'ch_twice' })
  await own.dispute('twice', '02-12', 70)
  // Stripe takes no money for a dispute of a charge that was refunded before.
  await payer(mirror, 'whole')
  await own.charge('whole')
  await own.refund('whole', '02-11', 1_000)
  await own.dispute('whole', '02-12', 1_000, { balance_transactions: [] })
  // A part went back before the rest was paid.
  await payer(mirror, 'early', { status_transitions: { paid_at: at('03-10') } })
  await own.charge('early')
  await own.refund('early', '03-05', 200)
  // A charge of the older shape that names its invoice counts before an invoice payment that names another one.
  await own.charge('both')
  await own.payment('both', { invoice: 'in_old_01-10' })
  await own.refund('both', '02-13', 60)
  // Currencies without a minor unit, and with thousandths.
  for (const [currency, total, back] of [
    ['jpy', 1_000, 500],
    ['kwd', 12_000, 1_255],
  ] as const) {
    await payer(mirror, currency, { currency, total })
    await own.charge(currency)
    await own.refund(currency, '02-14', back, { currency })
  }
  // Nothing names the invoice of these: no charge; a payment of two invoices; another currency; an invoice without a row; a canceled payment.
  await own.refund('nowhere', '02-15', 11)
  for (const id of ['two_a', 'two_b']) await payer(mirror, id)
  for (const id of ['two_a', 'two_b']) await own.payment(id, { payment: { type: 'payment_intent', payment_intent: 'pi_two' } })
  await own.refund('two', '02-15', 12)
  await own.charge('dollar')
  await own.refund('dollar', '02-15', 13, { currency: 'eur' })
  await own.charge('gone')
  await own.refund('gone', '02-15', 14)
  await payer(mirror, 'undone')
  await own.charge('undone', {})
  await own.payment('undone', { status: 'canceled' })
  await own.refund('undone', '02-15', 15)
  // No invoice at all, test mode, and another account.
  await own.charge('single', { invoice: null })
  await own.refund('single', '02-16', 21)
  await payer(mirror, 'test', { livemode: false })
  await own.charge('test', { livemode: false, invoice: 'in_test_01-10' })
  await own.refund('test', '02-16', 22)
  await own.charge('test_2', { livemode: false })
  await own.refund('test_2', '02-16', 23)
  await payer(mirror, 'other', {}, 'acct_b')
  await other.charge('other')
  await other.refund('other', '02-16', 24)
}

/** The money that went back, as `invoice instant currency cents`, in order. */
export const RETURNED = [
  'again 2026-02-07T12:00:00 USD -250',
  'bare 2026-02-06T12:00:00 USD -150',
  'both 2026-02-13T12:00:00 USD -60',
  'early 2026-03-10T12:00:01 USD -200',
  'jpy 2026-02-14T12:00:00 JPY -50000',
  'kwd 2026-02-14T12:00:00 KWD -126',
  'lost 2026-02-09T12:00:00 USD -1000',
  'new 2026-02-06T12:00:00 USD -400',
  'old 2026-02-05T12:00:00 USD -300',
  'twice 2026-02-11T12:00:00 USD -200',
  'twice 2026-02-12T12:00:00 USD -70',
  'whole 2026-02-11T12:00:00 USD -1000',
]
