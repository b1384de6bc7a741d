import type { BillPaymentRecord } from '../../../src/connector-kit/index.ts'
import { normalizePaymentType } from '../canonical.ts'
import { type Company, isVoided, keptOf, moneyOf } from './document.ts'
import { BILL_PAYMENT } from './shapes.ts'
import { centsOf, metadataOf } from './values.ts'

/** Kinds of documents that a payment is applied to. A credit that it uses up counts against the bills. */
const SIGNS: Readonly<Record<string, 1 | -1>> = { Bill: 1, VendorCredit: -1 }

export function billPaymentOf(native: unknown, company: Company): BillPaymentRecord {
  const payment = BILL_PAYMENT.parse(native)
  const links = (payment.Line ?? []).flatMap(({ Amount: amount, LinkedTxn: linked }) =>
    (linked ?? []).map(({ TxnId, TxnType }) => ({ TxnId, TxnType, cents: amount == null ? 0 : centsOf(amount) })),
  )
  const others = links.filter(({ TxnType }) => SIGNS[TxnType] === undefined)
  return {
    kind: 'bill_payment',
    ...keptOf(payment),
    vendor_external_id: payment.VendorRef?.value ?? null,
    payment_date: payment.TxnDate.slice(0, 10),
    ...moneyOf(payment, company),
    amount_cents: centsOf(payment.TotalAmt),
    payment_type: payment.PayType == null ? null : normalizePaymentType(payment.PayType),
    is_voided: isVoided(payment),
    applied: links.flatMap(({ TxnId, TxnType, cents }) => {
      const sign = SIGNS[TxnType]
      return sign === undefined ? [] : [{ bill_external_id: TxnId, amount_cents: cents * sign || 0 }]
    }),
    metadata: metadataOf({
      native_pay_type: payment.PayType,
      native_number: payment.DocNumber,
      native_note: payment.PrivateNote,
      native_sync_token: payment.SyncToken,
      native_other_links: others.length === 0 ? null : others.map(({ TxnId, TxnType }) => `${TxnType} ${TxnId}`),
    }),
  }
}
