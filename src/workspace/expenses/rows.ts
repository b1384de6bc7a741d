import * as z from 'zod'
import { amount } from '../../core/amount.ts'
import type { FxRate } from '../../core/currency.ts'
import { ACCOUNT_TYPES, BILL_KINDS, BILL_STATUSES } from '../../core/expense.ts'
import { roundFraction } from '../../core/money.ts'
import { exactly } from '../../core/too-large.ts'
import type { DocumentAmount, ListedBill, ListedLine, ListedVendor } from '../../ports/expense-store.ts'

const text = z.string().nullable()
const cents = (description: string) => amount(z.int().describe(description))
const unknownCents = (description: string) => amount(z.int().nullable().describe(description))
const day = z.string().meta({ format: 'date' })
const source_id = z.string().describe('The accounting platform or file that the row is from')
const vendor = {
  vendor_id: text,
  vendor_name: text.describe('Null if the vendor is not known'),
}
const NO_RATE = 'null if an exchange rate is missing, or beyond 2^53'

/** The current state of a bill or vendor credit. */
export const BILL_ROW = z
  .strictObject({
    id: z.string(),
    source_id,
    number: text,
    kind: z.enum(BILL_KINDS),
    status: z.enum(BILL_STATUSES).nullable(),
    ...vendor,
    bill_date: day,
    due_date: day.nullable(),
    currency: z.string(),
    total_cents: cents('Cents of the currency, with tax; negative on a credit'),
    total_base_cents: unknownCents(`At the rate of the bill's date; ${NO_RATE}`),
    payable_cents: cents('Amount still owed. Negative on an open credit'),
    payable_base_cents: unknownCents(`At the rate of the bill's date; ${NO_RATE}`),
  })
  .meta({ id: 'Bill', description: 'The current state of a bill or vendor credit' })

/** A line of a bill or an expense. The metric `expenses` sums these lines. */
export const LINE_ROW = z
  .strictObject({
    source_id,
    document_kind: z.enum(['bill', 'expense']).describe('A vendor credit is a bill'),
    document_id: z.string(),
    line_id: z.string(),
    txn_date: day.describe('Date of the document'),
    ...vendor,
    account_id: text,
    account_name: text,
    account_type: z.enum([...ACCOUNT_TYPES, 'unknown']),
    class: text,
    department: text,
    project: text,
    description: text,
    currency: z.string(),
    amount_cents: cents('Cents of the currency, net of tax as recorded'),
    amount_base_cents: unknownCents(`At the rate of the document's date; ${NO_RATE}`),
  })
  .meta({ id: 'ExpenseLine', description: 'A line of a bill or an expense' })

/** A vendor with the amounts owed to it. */
export const VENDOR_ROW = z
  .strictObject({
    id: z.string(),
    source_id,
    name: z.string(),
    is_active: z.boolean(),
    open_bills: z.int().describe('Bills and credits that are not settled'),
    currency: text.describe('Currency of the open bills. Null if there is none, or if they have several currencies'),
    payable_cents: unknownCents('Amount still owed, less open credits. Null with several currencies, or beyond 2^53'),
    payable_base_cents: unknownCents(`Amount still owed in base cents; ${NO_RATE}`),
  })
  .meta({ id: 'Vendor', description: 'A vendor with the amounts owed to it' })

export function billRow(bill: ListedBill, base: BaseCents): z.infer<typeof BILL_ROW> {
  const { id, source_id, number, kind, status, vendor_id, vendor_name, due_date, total, payable } = bill
  return {
    ...{ id, source_id, number, kind, status, vendor_id, vendor_name },
    bill_date: total.day,
    due_date,
    currency: total.currency,
    total_cents: total.cents,
    total_base_cents: base(total),
    payable_cents: payable.cents,
    payable_base_cents: base(payable),
  }
}

export function lineRow({ amount, description, account_type, ...line }: ListedLine, base: BaseCents): z.infer<typeof LINE_ROW> {
  const { source_id, document_kind, document_id, line_id, ...named } = line
  return {
    ...{ source_id, document_kind, document_id, line_id },
    txn_date: amount.day,
    ...{ vendor_id: named.vendor_id, vendor_name: named.vendor_name },
    ...{
      account_id: named.account_id,
      account_name: named.account_name,
      account_type: account_type ?? 'unknown',
    },
    ...{
      class: named.class,
      department: named.department,
      project: named.project,
      description,
    },
    currency: amount.currency,
    amount_cents: amount.cents,
    amount_base_cents: base(amount),
  }
}

export function vendorRow(
  { id, source_id, name, is_active, payables }: ListedVendor,
  base: BaseCents,
): z.infer<typeof VENDOR_ROW> {
  const open = payables.filter(({ cents }) => cents !== 0)
  const [currency = null, another] = new Set(open.map((payable) => payable.currency))
  return {
    ...{ id, source_id, name, is_active },
    open_bills: open.length,
    currency: another === undefined ? currency : null,
    payable_cents:
      another === undefined ? sumOf(open, ({ cents }) => cents, 'payable_cents', { vendor_id: id, source_id }) : null,
    payable_base_cents: sumOf(open, base, 'payable_base_cents', { vendor_id: id, source_id }),
  }
}

function sumOf(
  amounts: readonly DocumentAmount[],
  centsOf: BaseCents,
  measure: string,
  row: Readonly<Record<string, unknown>>,
): number | null {
  return amounts.reduce<number | null>((sum, amount) => {
    const cents = centsOf(amount)
    return sum === null || cents === null ? null : exactly(sum + cents, measure, row)
  }, 0)
}

/** Base cents of an expense amount. Null if a rate is missing. AppError `result_too_large` if the amount cannot be represented exactly. */
export type BaseCents = (amount: DocumentAmount) => number | null

/**
 * Base cents at the rate of the document's day (D11, D13), rounded half away from zero. If the source's home currency is the base
 * currency, the document's own rate is used instead of the stored rates.
 */
export function baseAmounts(base: string, rates: readonly FxRate[]): BaseCents {
  const byCurrency = new Map<string, FxRate[]>()
  for (const rate of [...rates].filter(({ to }) => to === base).sort((a, b) => (a.date < b.date ? -1 : 1))) {
    byCurrency.set(rate.from, [...(byCurrency.get(rate.from) ?? []), rate])
  }
  return ({ cents, currency, day, home_currency, home_cents }) => {
    if (currency === base || cents === 0) return cents
    if (home_currency === base && home_cents !== null) return home_cents
    const rate = byCurrency.get(currency)?.findLast(({ date }) => date <= day)
    if (rate === undefined) return null
    const [whole = '', decimals = ''] = rate.rate.split('.')
    return roundFraction(BigInt(cents) * BigInt(whole + decimals), 10n ** BigInt(decimals.length), 0)
  }
}
