import type { Row } from '../../../ports/rows.ts'
import { compare, type Identity } from '../check.ts'
import { byKey, keysOf, numberIn, sumsBy, total } from '../rows.ts'

/** J1, J2, J9 and J13: on the last day the trial balance balances, the statements of the ledger end with its accounts, and they were known that day. */
export const booksBalance: Identity = {
  name: 'books_balance',
  description:
    'On the last day, debit is credit, and receivables by age, deferred revenue, unbilled receivables and customer credit are those of the trial balance, in each group. Deferred revenue is what was known on that day.',
  identities: ['J1', 'J2', 'J9', 'J13'],
  unit: 'equations',
  queries: ['ledger.trial_balance', 'ledger.receivables', 'ledger.revenue', 'ledger.movements', 'ledger.credits'],
  isGrouped: true,
  async holds(ask, { range, dimensions, filters }) {
    const spec = { dimensions, filters }
    const at = { at: range.end }
    const monthly = { ...range, interval: 'month' }
    const books = byKey(await ask.rows('ledger.trial_balance', at, spec), dimensions)
    const ages = sumsBy(await ask.rows('ledger.receivables', at, spec), dimensions, 'balance')
    const revenue = byKey(await ask.rows('ledger.revenue', monthly, spec), dimensions)
    const known = byKey(await ask.rows('ledger.revenue', { ...monthly, known_at: range.end }, spec), dimensions)
    const movements = byKey(await ask.rows('ledger.movements', monthly, spec), dimensions)
    const credits = byKey(await ask.rows('ledger.credits', monthly, spec), dimensions)
    const ends = keysOf(books, ages, revenue, known, movements, credits).flatMap((group) => {
      const accounts = books.get(group) ?? []
      const on = (account: string, sign: 1 | -1) => sign * sideOf(accounts, account)
      const last = (statement: ReadonlyMap<string, readonly Row[]>, measure: string) =>
        numberIn(statement.get(group)?.at(-1), measure) ?? 0
      const pair = (what: string, expected: number, actual: number) => ({
        id: `${what} ${group}`,
        what: `${what}, ${group}`,
        expected,
        actual,
      })
      return [
        pair('credit of all accounts', total(accounts, 'debit'), total(accounts, 'credit')),
        pair('receivables by age', on('accounts_receivable', 1), ages.get(group) ?? 0),
        pair('receivables', on('accounts_receivable', 1), last(movements, 'closing_receivables')),
        pair('unbilled receivables', on('unbilled_receivables', 1), last(revenue, 'closing_unbilled')),
        pair('deferred revenue', on('deferred_revenue', -1), last(revenue, 'closing_deferred')),
        pair('deferred revenue as it was known', on('deferred_revenue', -1), last(known, 'closing_deferred')),
        pair('customer credit', on('customer_credits', -1), last(credits, 'closing_credits')),
      ]
    })
    return compare(ends)
  },
}

/** Debit less credit of an account. */
function sideOf(accounts: readonly Row[], account: string): number {
  const row = accounts.find((each) => each['account'] === account)
  return (numberIn(row, 'debit') ?? 0) - (numberIn(row, 'credit') ?? 0)
}
