import type { ReactNode } from 'react'
import { useAnswer } from '../api/use-answer.ts'
import { isDay } from '../controls/ranges.ts'
import { useChangeSearch, usePage } from '../controls/use-page.ts'
import { CashTab } from '../ledger/cash-tab.tsx'
import { ExportTab } from '../ledger/export-tab.tsx'
import { MonthMenu } from '../ledger/menus.tsx'
import { type LedgerMonth, ledgerMonth } from '../ledger/months.ts'
import { ReceivablesTab } from '../ledger/receivables-tab.tsx'
import { RevenueTab } from '../ledger/revenue-tab.tsx'
import { LEDGER_TABS, type LedgerView } from '../ledger/tabs.ts'
import { LedgerTiles } from '../ledger/tiles.tsx'
import { TrialBalanceTab } from '../ledger/trial-balance-tab.tsx'
import { type Books, useBooks } from '../ledger/use-ledger.ts'
import { WaterfallTab } from '../ledger/waterfall-tab.tsx'
import { ChoiceTabs } from '../parts/choice-tabs.tsx'
import { Page } from '../parts/page.tsx'
import { Problem } from '../parts/problem.tsx'
import { Empty } from '../parts/states.tsx'

const TABS: Readonly<Record<LedgerView, (props: { readonly books: Books }) => ReactNode>> = {
  revenue: RevenueTab,
  waterfall: WaterfallTab,
  receivables: ReceivablesTab,
  cash: CashTab,
  'trial-balance': TrialBalanceTab,
  export: ExportTab,
}

/** The books of a month: revenue, receivables, cash and the trial balance. */
export function Ledger() {
  const { search, today } = usePage()
  const month = ledgerMonth(search.month, today)
  return (
    <Page
      title="Ledger"
      lead="Billed, recognized and deferred revenue, receivables of any day, and cash, as finance closes a month with them."
      controls={{ metric: 'ledger', hasRange: false, hasStep: false, hasCompare: false, hasPeriods: false }}
      actions={month !== undefined && <MonthMenu month={month.start} today={today} />}
    >
      {month === undefined ? <RefusedMonth month={search.month ?? ''} /> : <Content month={month} />}
    </Page>
  )
}

function Content({ month }: { readonly month: LedgerMonth }) {
  const { search } = usePage()
  const change = useChangeSearch()
  const books = useBooks(month)
  const view = LEDGER_TABS.find(({ value }) => value === search.view)?.value ?? 'revenue'
  const Tab = TABS[view]
  return (
    <>
      <LedgerTiles books={books} />
      <div>
        <ChoiceTabs label="Statements" value={view} choices={LEDGER_TABS} onChoose={(chosen) => change({ view: chosen })} />
      </div>
      <Tab books={books} />
    </>
  )
}

/** In place of a month that is none, or that has not begun: the API's refusal and a way out. */
function RefusedMonth({ month }: { readonly month: string }) {
  const change = useChangeSearch()
  const refused = { path: '/api/metrics/ledger/cash', query: { start: month, end: month } } as const
  const { error } = useAnswer(isDay(month) ? undefined : refused)
  return (
    <>
      {isDay(month) && <Empty>This month has not begun.</Empty>}
      {error !== null && <Problem error={error} />}
      <p>
        <button type="button" className="button is-main" onClick={() => change({ month: undefined })}>
          Show the last full month
        </button>
      </p>
    </>
  )
}
