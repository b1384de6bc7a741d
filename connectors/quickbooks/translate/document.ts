import type { Metadata } from '../../../src/connector-kit/index.ts'
import type { NativeDocument, NativeSpending } from './shapes.ts'
import { centsOf, instantOf, metadataOf, rateOf } from './values.ts'

/** Facts that hold for the whole company. */
export interface Company {
  /** Currency of its books. Documents without a currency have this one. */
  readonly homeCurrency: string
}

/** The fields of every record, in their stored form. */
export function keptOf(native: { readonly Id: string; readonly MetaData: { readonly LastUpdatedTime: string } }) {
  return { external_id: native.Id, updated_at: instantOf(native.MetaData.LastUpdatedTime), is_deleted: false } as const
}

/** Number, currency and rate of a document. With a single currency, QuickBooks gives no rate. It is then 1 by definition. */
export function moneyOf(native: NativeDocument, { homeCurrency }: Company) {
  const currency = native.CurrencyRef?.value ?? homeCurrency
  return {
    currency,
    home_currency: homeCurrency,
    exchange_rate: rateOf(native.ExchangeRate) ?? (currency === homeCurrency ? '1' : null),
  }
}

/** The common fields of a bill, a credit and a purchase. */
export function spendingOf(native: NativeSpending, company: Company, sign: 1 | -1) {
  return {
    ...keptOf(native),
    number: native.DocNumber ?? null,
    document_date: native.TxnDate.slice(0, 10),
    ...moneyOf(native, company),
    total_cents: centsOf(native.TotalAmt) * sign || 0,
  }
}

/** Native values of a document that are worth storing. */
export function documentMetadata(native: NativeSpending, more: Readonly<Record<string, unknown>>): Metadata {
  return metadataOf({
    native_tax_calculation: native.GlobalTaxCalculation,
    native_note: native.PrivateNote,
    native_sync_token: native.SyncToken,
    ...more,
  })
}

/**
 * A voided document has amounts of 0 and a note that begins with the word "Voided". With other amounts, the word does not count.
 */
export function isVoided(native: NativeDocument): boolean {
  const amounts = [native.TotalAmt, ...(native.Line ?? []).flatMap(({ Amount: amount }) => (amount == null ? [] : [amount]))]
  return /^voided\b/i.test(native.PrivateNote ?? '') && amounts.every((amount) => centsOf(amount) === 0)
}
