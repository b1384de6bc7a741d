import type { Check } from './check.ts'
import { arpuTimesCustomers } from './checks/arpu-times-customers.ts'
import { baseCurrencyUnchanged } from './checks/base-currency-unchanged.ts'
import { booksAddUp } from './checks/books-add-up.ts'
import { booksBalance } from './checks/books-balance.ts'
import { booksByRecord } from './checks/books-by-record.ts'
import { booksRollForward } from './checks/books-roll-forward.ts'
import { breakdownIsNetChange } from './checks/breakdown-is-net-change.ts'
import { cachedEqualsDirect } from './checks/cached-equals-direct.ts'
import { churnedCustomersListed } from './checks/churned-customers-listed.ts'
import { cohortsBeginWhole } from './checks/cohorts-begin-whole.ts'
import { filterGivesGroup } from './checks/filter-gives-group.ts'
import { groupsAddUp } from './checks/groups-add-up.ts'
import { historyAgrees } from './checks/history-agrees.ts'
import { lostRevenueListed } from './checks/lost-revenue-listed.ts'
import { movementsExplainCustomers } from './checks/movements-explain-customers.ts'
import { mrrAddsUp } from './checks/mrr-adds-up.ts'
import { pricesComplete } from './checks/prices-complete.ts'
import { ratesComplete } from './checks/rates-complete.ts'
import { retentionInBounds } from './checks/retention-in-bounds.ts'
import { rowsSumToNumbers } from './checks/rows-sum-to-numbers.ts'
import { segmentSplitsTotal } from './checks/segment-splits-total.ts'
import { summaryAgrees } from './checks/summary-agrees.ts'
import { trialsAddUp } from './checks/trials-add-up.ts'
import { usageAddsUp } from './checks/usage-adds-up.ts'
import { waterfallCloses } from './checks/waterfall-closes.ts'
import { checkOf } from './parts.ts'

/** All checks of `verify`, in the order in which they run. The first ones explain failures of the others. */
export const CHECKS: readonly Check[] = [
  ratesComplete,
  pricesComplete,
  historyAgrees,
  cachedEqualsDirect,
  rowsSumToNumbers,
  checkOf(waterfallCloses),
  movementsExplainCustomers,
  checkOf(mrrAddsUp),
  checkOf(breakdownIsNetChange),
  groupsAddUp,
  filterGivesGroup,
  segmentSplitsTotal,
  checkOf(retentionInBounds),
  checkOf(churnedCustomersListed),
  checkOf(lostRevenueListed),
  checkOf(trialsAddUp),
  checkOf(cohortsBeginWhole),
  checkOf(usageAddsUp),
  checkOf(arpuTimesCustomers),
  baseCurrencyUnchanged,
  checkOf(summaryAgrees),
  checkOf(booksRollForward),
  checkOf(booksBalance),
  checkOf(booksAddUp),
  booksByRecord,
]

/** Names of the checks. */
export const VERIFY_CHECKS: readonly string[] = CHECKS.map(({ name }) => name)

/** An identity of definitions.md 16 that `verify` does not check. */
interface Unchecked {
  readonly identity: string
  readonly reason: string
}

/** The identities that no check can cover on the user's own data. The tests of the product check them on generated data. */
export const UNCHECKED: readonly Unchecked[] = [
  { identity: 'I12', reason: 'No query counts the times at which customers became live.' },
  { identity: 'I16', reason: 'No query lists the paid invoices of a cohort.' },
  { identity: 'I18', reason: 'It needs the same data under other exchange rates.' },
  { identity: 'I20', reason: 'It needs the same data at a later instant.' },
  { identity: 'I22', reason: 'It needs the same data without subscriptions in trial.' },
]
