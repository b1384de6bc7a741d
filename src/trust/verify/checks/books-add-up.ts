import { dayBefore, dayStart } from '../../../core/periods.ts'
import type { Row } from '../../../ports/rows.ts'
import { compare, type Identity, together } from '../check.ts'
import { byKey, keysOf, numberIn } from '../rows.ts'

/** A measure of a statement, and the account of the trial balance that it moves. The account has the sign of a debit. */
const MOVES = [
  { query: 'ledger.revenue', measure: 'recognized', account: 'revenue', sign: -1 },
  { query: 'ledger.revenue', measure: 'other_income', account: 'other_income', sign: -1 },
  { query: 'ledger.movements', measure: 'tax', account: 'tax_payable', sign: -1 },
  { query: 'ledger.movements', measure: 'written_off', account: 'bad_debt', sign: 1 },
  { query: 'ledger.movements', measure: 'credits_granted', account: 'credits_granted', sign: -1 },
  { query: 'ledger.cash', measure: 'net', account: 'cash', sign: 1 },
] as const

const BALANCE = 'ledger.trial_balance'

/** J12 and J14: the months of the statements add up to what the trial balance moved, and a day is what was known on it. */
export const booksAddUp: Identity = {
  name: 'books_add_up',
  description:
    'The months of revenue, other income, tax, bad debt, granted credit and cash add up to what the accounts of the trial balance moved. If charges count from their invoice on, the trial balance of the last day is the one that was known on it, and nothing is unbilled.',
  identities: ['J12', 'J14'],
  unit: 'equations',
  queries: [...new Set(MOVES.map(({ query }) => query)), BALANCE],
  // The groups of the trial balance are those of books_balance.
  isGrouped: false,
  async holds(ask, { range, dimensions, filters }) {
    const spec = { dimensions, filters }
    const accounts = async (params: Readonly<Record<string, string>>) => sides(await ask.rows(BALANCE, params, spec), dimensions)
    const [opening, closing] = [await accounts({ at: dayBefore(dayStart(range.start)) }), await accounts({ at: range.end })]
    const statements = new Map<string, readonly Row[]>()
    for (const query of new Set(MOVES.map((move) => move.query)))
      statements.set(query, await ask.rows(query, { ...range, interval: 'month' }, spec))
    const moved = MOVES.flatMap(({ query, measure, account, sign }) => {
      const months = byKey(statements.get(query) ?? [], dimensions)
      return keysOf(opening, closing, months).map((group) => ({
        id: `${account} ${group}`,
        what: `${measure} of all months, ${group}`,
        expected: sign * ((closing.get(group)?.get(account) ?? 0) - (opening.get(group)?.get(account) ?? 0)),
        actual: (months.get(group) ?? []).reduce((sum, row) => sum + (numberIn(row, measure) ?? 0), 0),
      }))
    })
    const invoiced = { at: range.end, unbilled: 'on_invoice' }
    const [now, then] = [await accounts(invoiced), await accounts({ ...invoiced, known_at: range.end })]
    const known = keysOf(now, then).flatMap((group) => {
      const names = keysOf(now.get(group) ?? new Map(), then.get(group) ?? new Map())
      return names.map((account) => ({
        id: `${account} ${group}`,
        what: `${account} as it was known on ${range.end}, ${group}`,
        expected: now.get(group)?.get(account) ?? 0,
        actual: then.get(group)?.get(account) ?? 0,
      }))
    })
    const unbilled = keysOf(now).map((group) => ({
      id: `unbilled_receivables ${group}`,
      what: `unbilled receivables if charges count from their invoice on, ${group}`,
      expected: 0,
      actual: now.get(group)?.get('unbilled_receivables') ?? 0,
    }))
    return together(compare(moved), compare(known), compare(unbilled))
  },
}

/** Debit less credit of each account, by group. */
function sides(rows: readonly Row[], dimensions: readonly string[]): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const groups = new Map<string, Map<string, number>>()
  for (const [group, own] of byKey(rows, dimensions))
    groups.set(
      group,
      new Map(own.map((row) => [String(row['account']), (numberIn(row, 'debit') ?? 0) - (numberIn(row, 'credit') ?? 0)])),
    )
  return groups
}
