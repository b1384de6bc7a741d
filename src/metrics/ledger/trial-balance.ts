import { ACCOUNT_NAMES, type AccountName } from '../../core/ledger-accounts.ts'
import { dayBefore, dayOf, dayStart } from '../../core/periods.ts'
import type { DimensionValue } from '../../query/dimension-value.ts'
import type { MetricContext } from '../readings/context.ts'
import { type BookPeriod, bookPeriods } from './days.ts'
import { type Flows, noFlows, readFlows } from './entries.ts'
import { readOpen } from './flows.ts'
import { hasOtherIncome } from './options.ts'
import { type Level, readLevels } from './revenue.ts'

/** Accounts of the trial balance in their order (R21). */
export const ACCOUNTS = Object.keys(ACCOUNT_NAMES) as [AccountName, ...AccountName[]]

/** Debit less credit of each account. */
export type Books = Record<AccountName, number>

/** Accounts whose balances before the range are retained earnings. */
const OF_RANGE = ['bad_debt', 'credits_granted', 'revenue', 'other_income'] as const

/** The trial balance at the end of a day, or of the range that ends on it (R21). */
export async function readTrialBalance(context: MetricContext) {
  const { time, unit } = context.request
  const last = time.kind === 'point' ? bookPeriods(time)[0]?.last : dayOf(new Date(time.to.getTime() - 1))
  if (last === undefined) return []
  const first = time.kind === 'range' ? time.start : last
  const groups = await readBooks(context, [{ first, last }])
  const shownIf: Readonly<Partial<Record<AccountName, boolean>>> = {
    fx_difference: unit === 'base',
    retained_earnings: time.kind === 'range',
    other_income: hasOtherIncome(context),
  }
  const accounts = ACCOUNTS.filter((account) => shownIf[account] !== false)
  return groups.flatMap(({ values, books: [opening, closing] }) => {
    const shown = time.kind === 'range' ? ofRange(opening, closing) : closing
    return accounts.map((account, index) => ({
      order: [index],
      keys: { account },
      values,
      measures: { debit: Math.max(shown[account], 0), credit: Math.max(0 - shown[account], 0) },
    }))
  })
}

function ofRange(opening: Books, closing: Books): Books {
  const moved = Object.fromEntries(OF_RANGE.map((account) => [account, closing[account] - opening[account]]))
  const retained_earnings = OF_RANGE.reduce((sum, account) => sum + opening[account], 0)
  return { ...closing, ...moved, retained_earnings }
}

/** The books before a range and at its end, by group. */
async function readBooks(context: MetricContext, periods: readonly [BookPeriod]) {
  const [{ first, last }] = periods
  const levels = await readLevels(context, periods)
  const open = await readOpen(context, [dayBefore(dayStart(first)), last])
  const { groups } = await readFlows(context, periods)
  const levelOf = new Map(levels.map((group) => [JSON.stringify(group.values), group.periods]))
  const flowOf = new Map(groups.map((group) => [JSON.stringify(group.values), group.periods]))
  const keys = new Map<string, readonly DimensionValue[]>()
  for (const { values } of [...levels, ...groups]) keys.set(JSON.stringify(values), values)
  if (keys.size === 0 && context.request.dimensions.length === 0) keys.set('[]', [])
  return [...keys].map(([key, values]) => {
    const flows = flowOf.get(key) ?? []
    const opening = flows[0] ?? noFlows()
    const total = (name: keyof Flows) => opening[name] + (flows[1]?.[name] ?? 0)
    const at = (index: 0 | 1) =>
      booksOf(
        levelOf.get(key)?.[index],
        { receivables: open.get(key)?.receivables[index], bad_debt: open.get(key)?.bad_debt[index] },
        (name) => (index === 0 ? opening[name] : total(name)),
      )
    return { values, books: [at(0), at(1)] as const }
  })
}

function booksOf(
  level: Level | undefined,
  open: { readonly receivables: number | undefined; readonly bad_debt: number | undefined },
  flow: (name: keyof Flows) => number,
): Books {
  const books = {
    accounts_receivable: open.receivables ?? 0,
    unbilled_receivables: level?.unbilled ?? 0,
    cash: 0 - flow('payment') - flow('refund') - flow('chargeback'),
    bad_debt: open.bad_debt ?? 0,
    credits_granted: 0 - flow('credit_granted'),
    deferred_revenue: 0 - (level?.deferred ?? 0),
    revenue: 0 - (level?.recognized ?? 0),
    other_income: 0 - (level?.other_income ?? 0),
    tax_payable: 0 - flow('tax'),
    customer_credits: 0 - flow('credit_issued') - flow('credit_applied'),
    suspense: 0 - flow('suspense') - flow('transfer'),
    retained_earnings: 0,
  }
  const sum = Object.values(books).reduce((total, amount) => total + amount, 0)
  return { ...books, fx_difference: 0 - sum }
}
