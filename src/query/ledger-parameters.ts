import { LEDGER_CHOICES, MOST_NET_TERMS } from '../core/ledger-options.ts'
import { parameter } from './define-parameter.ts'
import { BUCKETS, choice, DAY, whole } from './parameter-types.ts'

/** Parameters of the ledger (definitions.md). */
export const LEDGER_PARAMETERS = {
  spread: parameter('spread', choice(LEDGER_CHOICES.spread), 'Ledger: revenue by day, or in equal months. Default: day.', {
    known_to: 'metrics',
    option: { name: 'spread', hint: 'day|month', description: 'Recognize revenue by day, or in equal months; default: day' },
  }),
  one_off: parameter(
    'one_off',
    choice(LEDGER_CHOICES.one_off),
    'Ledger: a fixed price is revenue at once, or over the period of its phase. Default: at_once.',
    {
      known_to: 'metrics',
      option: {
        name: 'one-off',
        hint: 'at_once|over_period',
        description: 'Recognize a fixed price at once, or over its phase; default: at_once',
      },
    },
  ),
  unbilled: parameter(
    'unbilled',
    choice(LEDGER_CHOICES.unbilled),
    'Ledger: a charge for days before its invoice is revenue of these days, or of the day of the invoice. Default: accrue.',
    {
      known_to: 'metrics',
      option: {
        name: 'unbilled',
        hint: 'accrue|on_invoice',
        description: 'Recognize charges that are invoiced later on their days, or on the day of the invoice; default: accrue',
      },
    },
  ),
  net_terms: parameter(
    'net_terms',
    whole(0, MOST_NET_TERMS),
    'Ledger: days from the issue of an invoice to its due day. Default: 0.',
    {
      known_to: 'metrics',
      option: { name: 'net-terms', hint: 'days', description: 'Days from the issue of an invoice to its due day; default: 0' },
    },
  ),
  buckets: parameter(
    'buckets',
    BUCKETS,
    'Ledger: last days of the ages of receivables, growing numbers separated by commas. Default: 30,60,90.',
    {
      known_to: 'metrics',
      option: { name: 'buckets', hint: 'days', description: 'Last days of the ages, such as 30,60,90' },
    },
  ),
  known_at: parameter('known_at', DAY, 'Ledger: only rows that were posted by this day count. Default: all.', {
    known_to: 'metrics',
    option: { name: 'known-at', hint: 'date', description: 'Only rows that were posted by this day count' },
  }),
} as const
