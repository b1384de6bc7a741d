import type { ExpenseRecord } from '../../src/connector-kit/index.ts'
import { billOf, vendorCreditOf } from './translate/bill.ts'
import { billPaymentOf } from './translate/bill-payment.ts'
import type { Company } from './translate/document.ts'
import { accountOf, itemOf, vendorOf } from './translate/lists.ts'
import { purchaseOf } from './translate/purchase.ts'

/** A kind of record of QuickBooks that is read. */
export interface Entity {
  /** The spelling of QuickBooks in answers. */
  readonly name: string
  readonly kind: ExpenseRecord['kind']
  /** Lists contain inactive entries, but return them only on request. Documents have a date instead. */
  readonly isList: boolean
  translate(native: unknown, company: Company): ExpenseRecord
}

/** The kinds in the order of a backfill: a kind comes before the kinds that refer to it. */
export const ENTITIES: readonly Entity[] = Object.freeze([
  { name: 'Vendor', kind: 'vendor', isList: true, translate: vendorOf },
  { name: 'Account', kind: 'account', isList: true, translate: accountOf },
  { name: 'Item', kind: 'item', isList: true, translate: itemOf },
  { name: 'Bill', kind: 'bill', isList: false, translate: billOf },
  { name: 'VendorCredit', kind: 'bill', isList: false, translate: vendorCreditOf },
  { name: 'Purchase', kind: 'expense', isList: false, translate: purchaseOf },
  { name: 'BillPayment', kind: 'bill_payment', isList: false, translate: billPaymentOf },
])

/** The kind by its name in any spelling: webhooks write names in small letters. */
export function entityNamed(name: string): Entity | undefined {
  const wanted = name.toLowerCase()
  return ENTITIES.find((entity) => entity.name.toLowerCase() === wanted)
}
