import { currencyDigits } from '../../../core/currency.ts'
import type { JudgedRecord } from '../../../metrics/ledger/judged.ts'
import type { Ask, Check, Fault, Found } from '../check.ts'
import { inSnapshots } from '../parts.ts'
import { numberIn } from '../rows.ts'

/** Sentences of the faults, before their amounts. */
const WORDS: Readonly<Record<string, string>> = {
  below: 'is deferred or unbilled with the other sign than it was charged',
  rest: 'has not recognized what it charged, although its service days are over',
  balance: 'is open with other amounts in the list of invoices and in the ledger',
}

/** Hundredths by which sums of a currency with three decimals may differ, because each item is rounded to hundredths. */
const ROUNDED = 10

/** J3, J7, J11 and J16: each charge, customer and invoice of the books by itself. */
export const booksByRecord: Check = {
  name: 'books_by_record',
  description:
    'On the last day, no charge is deferred or unbilled below 0, and each charge whose days are over has recognized what it charged. No customer has credit below 0. An invoice is open with the same balance in the ledger and in the list of invoices.',
  identities: ['J3', 'J7', 'J11', 'J16'],
  unit: 'records',
  run(context) {
    return inSnapshots(
      PARTS,
      context,
      (ask) =>
        ({ part }) =>
          part(ask, context.range.end),
    )
  },
}

type Part = (ask: Ask, day: string) => Promise<Found>

const charges: Part = async (ask, day) => judged('charge', await ask.books('charges', day))

const invoices: Part = async (ask, day) => judged('invoice', await ask.books('invoices', day))

function judged(kind: string, records: readonly JudgedRecord[] | undefined): Found {
  if (records === undefined)
    return { count: 0, faults: [], remark: `${kind}s were not compared: the payments of the books are inferred` }
  const faults = records.flatMap(({ fault, id, currency, expected, actual }): readonly Fault[] => {
    if (fault === 'none' || id === null || Math.abs(expected - actual) <= leeway(currency, fault)) return []
    return [{ id, expected, actual, message: `${kind} ${id} ${WORDS[fault] ?? fault}: ${expected} and ${actual}` }]
  })
  return { count: records.reduce((sum, { count }) => sum + count, 0), faults }
}

/** The largest difference that is none. A charge with the wrong sign has no difference of amounts. */
function leeway(currency: string | null, fault: string): number {
  if (fault === 'below') return -1
  return currency !== null && currencyDigits(currency) > 2 ? ROUNDED : 0
}

const credit: Part = async (ask, day) => {
  const range = { start: day, end: day, interval: 'day' }
  const rows = await ask.rows('ledger.credits', range, { dimensions: ['customer_id', 'currency'] })
  const faults = rows.flatMap((row): readonly Fault[] => {
    const actual = numberIn(row, 'closing_credits') ?? 0
    const id = String(row['customer_id'])
    if (actual >= 0 - leeway(String(row['currency']), 'credit')) return []
    return [{ id, expected: 0, actual, message: `customer ${id} has credit below 0, ${actual} in ${String(row['currency'])}` }]
  })
  return { count: rows.length, faults }
}

const PARTS: readonly { readonly name: string; readonly part: Part; readonly source?: 'replica' }[] = [
  { name: 'ledger.revenue', part: charges },
  { name: 'ledger.credits', part: credit },
  // No cache holds the list of invoices.
  { name: 'ledger.receivables', part: invoices, source: 'replica' },
]
