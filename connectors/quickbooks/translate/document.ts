import type { Metadata } from '../../../src/connector-kit/index.ts'
import type { NativeDocument, NativeSpending } from './shapes.ts'
import { centsOf, instantOf, metadataOf, rateOf } from './values.ts'

/** What is true of the whole company. */
export interface Company {
  /** Currency of its books: that of every document that names none. */
  readonly homeCurrency: string
}

/** What every record has, as it is kept. */
export function keptOf(native: { readonly Id: string; readonly MetaData: { readonly LastUpdatedTime: string } }) {
  return { external_id: native.Id, updated_at: instantOf(native.MetaData.LastUpdatedTime), is_deleted: false } as const
}

/** Number, currency and rate of a document. Without several currencies QuickBooks names no rate: it is then 1 by definition. */
export function moneyOf(native: NativeDocument, { homeCurrency }: Company) {
  const currency = native.CurrencyRef?.value ?? homeCurrency
  return {
    currency,
    home_currency: homeCurrency,
    exchange_rate: rateOf(native.ExchangeRate) ?? (currency === homeCurrency ? '1' : null),
  }
}

/** What a bill, a credit and a purchase have in common. */
export function spendingOf(native: NativeSpending, company: Company, sign: 1 | -1) {
  return {
    ...keptOf(native),
    number: native.DocNumber ?? null,
    document_date: native.TxnDate.slice(0, 10),
    ...moneyOf(native, company),
    total_cents: centsOf(native.TotalAmt) * sign || 0,
  }
}

/** Native values of a document that are worth keeping. */
export function documentMetadata(native: NativeSpending, more: Readonly<Record<string, unknown>>): Metadata {
  return metadataOf({
    native_tax_calculation: native.GlobalTaxCalculation,
    native_note: native.PrivateNote,
    native_sync_token: native.SyncToken,
    ...more,
  })
}

/** A voided document has amounts of 0 and a note that begins with the word; the word alone, with amounts, is no void. */
export function isVoided(native: NativeDocument): boolean {
  const amounts = [native.TotalAmt, ...(native.Line ?? []).flatMap(({ Amount: amount }) => (amount == null ? [] : [amount]))]
  return /^voided\b/i.test(native.PrivateNote ?? '') && amounts.every((amount) => centsOf(amount) === 0)
}
