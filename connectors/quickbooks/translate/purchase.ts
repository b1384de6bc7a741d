import type { PurchaseRecord } from '../../../src/connector-kit/index.ts'
import { normalizePaymentType } from '../canonical.ts'
import { type Company, documentMetadata, isVoided, spendingOf } from './document.ts'
import { linesOf } from './lines.ts'
import { PURCHASE } from './shapes.ts'

/** A cheque, a cash or card expense. `Credit` is a refund of a card. The payee may also be a customer or an employee. */
export function purchaseOf(native: unknown, company: Company): PurchaseRecord {
  const purchase = PURCHASE.parse(native)
  const sign = purchase.Credit === true ? -1 : 1
  const { EntityRef: payee, PaymentType: paymentType } = purchase
  const isVendor = payee != null && (payee.type ?? 'Vendor') === 'Vendor'
  return {
    kind: 'expense',
    ...spendingOf(purchase, company, sign),
    vendor_external_id: isVendor ? payee.value : null,
    payment_type: paymentType == null ? null : normalizePaymentType(paymentType),
    is_voided: isVoided(purchase),
    lines: linesOf(purchase, sign),
    metadata: documentMetadata(purchase, {
      native_payment_type: paymentType,
      native_credit: purchase.Credit === true ? true : null,
      native_payment_account_id: purchase.AccountRef?.value,
      ...(isVendor ? {} : { native_payee_type: payee?.type, native_payee_id: payee?.value, native_payee_name: payee?.name }),
    }),
  }
}
