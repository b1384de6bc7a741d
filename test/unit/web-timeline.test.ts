import { expect, it } from 'vitest'
import { optionWords } from '../../src/web/format/option-words.ts'
import { leftOutOf } from '../../src/web/pages/timeline-limits.ts'
import { newestFirst } from '../../src/web/pages/timeline-order.ts'

it.each([
  [{ listed: 1 }, { listed: 1, total: 1 }, undefined],
  [{ listed: 1 }, { listed: 0 }, undefined],
  [{ listed: 2 }, { listed: 2, total: 2 }, 'Showing only the 2 largest movements.'],
  [{ listed: 1 }, { listed: 2, total: 3 }, 'Showing only the 2 newest of 3 invoices.'],
  [{ listed: 2 }, { listed: 2, total: 40 }, 'Showing only the 2 largest movements and the 2 newest of 40 invoices.'],
])('a timeline of at most two says what it leaves out: %j %j', (movements, invoices, told) => {
  expect(leftOutOf(2, movements, invoices)).toBe(told)
})

it('a timeline has one order, whatever the order in which its events were read', () => {
  const at = '2026-03-01T06:00:00.000Z'
  const ordered = [
    { at: '2026-03-02', kind: 'payment', text: 'Invoice 2 paid' },
    { at, kind: 'payment', text: 'Invoice 1 paid' },
    { at, kind: 'invoice', text: 'Invoice 1' },
    { at, kind: 'new', text: 'started pro-monthly' },
    { at, kind: 'subscription', text: 'pro-annual started' },
    { at, kind: 'subscription', text: 'pro-monthly started' },
    // The same instant with other decimals.
    { at: '2026-03-01T06:00:00Z', kind: 'created', text: 'Account created' },
    { at: '2026-03-01', kind: 'trial', text: 'pro-monthly: trial started' },
  ]
  expect(newestFirst(ordered.toReversed())).toEqual(ordered)
  expect(newestFirst([...ordered.slice(3), ...ordered.slice(0, 3)])).toEqual(ordered)
})

it.each([
  ['mrr_usage', 'mean3', 'mean of three months'],
  ['mrr_usage', 'off', 'not counted'],
  ['billing_periods', 'all', 'all'],
  ['billing_periods', 'MONTHLY,BIANNUAL', 'monthly, every 6 months'],
  ['lifetime', true, 'yes'],
  ['fx', 'constant:2026-06-30', 'rate of Jun 30, 2026'],
  ['swap_window', 0, 'same instant'],
  ['swap_window', 30, '30 minutes'],
  ['unbilled', 'on_invoice', 'on the day of the invoice'],
  ['net_terms', 30, '30 days'],
  ['buckets', '30,60,90', '30,60,90'],
  ['time_zone', 'America/New_York', 'America/New_York'],
])('the option %s of a definition set with %j is written as %s', (option, value, words) => {
  expect(optionWords(option, value)).toBe(words)
})
