import { ACCOUNT_NAMES } from '../../core/ledger-accounts.ts'
import { type Row, textIn } from '../api/use-answer.ts'
import { formatDay } from '../format/days.ts'
import { Card } from '../parts/card.tsx'
import type { Drill } from '../parts/drill.tsx'
import { drillable } from '../parts/table.tsx'
import { monthDrill, openDrill } from './drills.ts'
import type { Books } from './use-ledger.ts'

/** Accounts whose balance is a number of another statement, with rows. */
const STATEMENTS: Readonly<Record<string, readonly [query_type: string, field: string]>> = {
  unbilled_receivables: ['revenue', 'closing_unbilled'],
  deferred_revenue: ['revenue', 'closing_deferred'],
  customer_credits: ['credits', 'closing_credits'],
}

/** Debit and credit of each account at the end of the month. */
export function TrialBalanceTab({ books }: { readonly books: Books }) {
  const { month, audience } = books
  return (
    <Card
      title="Trial balance"
      question={{ path: '/api/metrics/ledger/trial-balance', query: { ...audience, at: month.end } }}
      compareTo={null}
      empty="The books are empty on this day."
      lead={<p className="muted">Balances since the beginning of the data. Debit and credit have equal sums.</p>}
      pick={(rows) => rows.filter((row) => row['debit'] !== 0 || row['credit'] !== 0)}
      columns={() =>
        drillable(
          [
            { key: 'account', label: 'Account', render: (row) => nameOf(textIn(row, 'account') ?? '') },
            ...['debit', 'credit'].map((key) => ({
              key,
              isNumber: true,
              totals: true,
              render: (row: Row) => (row[key] === 0 ? '' : undefined),
            })),
          ],
          ['debit', 'credit'],
          (row) => accountDrill(row, books),
        )
      }
    />
  )
}

function nameOf(account: string): string {
  return Object.hasOwn(ACCOUNT_NAMES, account) ? ACCOUNT_NAMES[account as keyof typeof ACCOUNT_NAMES] : account
}

function accountDrill(row: Row, books: Books): Drill | undefined {
  const account = textIn(row, 'account') ?? ''
  const { start, end } = books.month
  if (account === 'accounts_receivable') return openDrill(`${nameOf(account)}, ${formatDay(end)}`, end, books)
  const statement = STATEMENTS[account]
  if (statement === undefined) return undefined
  const [query_type, field] = statement
  return { ...monthDrill(query_type, start, field, books), title: `${nameOf(account)}, ${formatDay(end)}` }
}
