import { JOURNAL_LAYOUTS, JOURNAL_STEPS, LEDGER_CHOICES, MOST_NET_TERMS, MOST_RECOVERY_WINDOW } from '../core/ledger-options.ts'
import { parameter } from './define-parameter.ts'
import { BUCKETS, CURRENCY_CODE, choice, DAY, KINDS_OF_REVENUE, whole } from './parameter-types.ts'

/** Parameters of the ledger. Those that are options of the definitions, too, win over them (D98). */
export const LEDGER_PARAMETERS = {
  spread: parameter(
    'spread',
    choice(LEDGER_CHOICES.spread),
    'Ledger: revenue by day, or in equal months. Default: that of the definitions.',
    {
      known_to: 'rows',
      option: {
        name: 'spread',
        hint: 'day|month',
        description: 'Recognize revenue by day, or in equal months; default: that of the definitions',
      },
    },
  ),
  one_off: parameter(
    'one_off',
    choice(LEDGER_CHOICES.one_off),
    'Ledger: a fixed price is revenue at once, or over the period of its phase. Default: that of the definitions.',
    {
      known_to: 'rows',
      option: {
        name: 'one-off',
        hint: 'at_once|over_period',
        description: 'Recognize a fixed price at once, or over its phase; default: that of the definitions',
      },
    },
  ),
  unbilled: parameter(
    'unbilled',
    choice(LEDGER_CHOICES.unbilled),
    'Ledger: a charge for days before its invoice is revenue of these days, or of the day of the invoice. Default: that of the definitions.',
    {
      known_to: 'rows',
      option: {
        name: 'unbilled',
        hint: 'accrue|on_invoice',
        description:
          'Recognize charges that are invoiced later on their days, or on the day of the invoice; default: that of the definitions',
      },
    },
  ),
  revenue_kinds: parameter(
    'revenue_kinds',
    KINDS_OF_REVENUE,
    'Ledger: kinds of charges that are revenue, separated by commas, or all. The others are other income. Default: those of the definitions.',
    {
      known_to: 'rows',
      option: {
        name: 'revenue-kinds',
        hint: 'kinds',
        description: 'Kinds of charges that are revenue, such as recurring,usage; default: those of the definitions',
      },
    },
  ),
  net_terms: parameter(
    'net_terms',
    whole(0, MOST_NET_TERMS),
    'Ledger: days from the issue of an invoice to its due day. Default: that of the definitions.',
    {
      known_to: 'rows',
      option: {
        name: 'net-terms',
        hint: 'days',
        description: 'Days from the issue of an invoice to its due day; default: that of the definitions',
      },
    },
  ),
  buckets: parameter(
    'buckets',
    BUCKETS,
    'Ledger: last days of the ages of receivables, growing numbers separated by commas. Default: those of the definitions.',
    {
      known_to: 'rows',
      option: {
        name: 'buckets',
        hint: 'days',
        description: 'Last days of the ages, such as 30,60,90; default: those of the definitions',
      },
    },
  ),
  receivables_rate: parameter(
    'receivables_rate',
    choice(LEDGER_CHOICES.receivables_rate),
    'Ledger: open balances in base currency at the rate of their issue, or at that of the day shown. Default: that of the definitions.',
    {
      known_to: 'rows',
      option: {
        name: 'receivables-rate',
        hint: 'issued|closing',
        description: 'Value open balances at the exchange rate of their issue, or of the day; default: that of the definitions',
      },
    },
  ),
  recovery_window: parameter(
    'recovery_window',
    whole(1, MOST_RECOVERY_WINDOW),
    'Ledger: days from the first failure within which a payment recovers an invoice. Default: that of the definitions.',
    {
      known_to: 'metrics',
      option: {
        name: 'recovery-window',
        hint: 'days',
        description: 'Days from the first failure within which a payment recovers an invoice; default: that of the definitions',
      },
    },
  ),
  known_at: parameter('known_at', DAY, 'Ledger: only rows that were posted by this day count. Default: all.', {
    known_to: 'rows',
    option: { name: 'known-at', hint: 'date', description: 'Only rows that were posted by this day count' },
  }),
  summarize: parameter(
    'summarize',
    choice(JOURNAL_STEPS),
    'Journal: entries for each month, for each day, or for each invoice and charge (none). Default: month.',
    {
      known_to: 'records',
      option: {
        name: 'summarize',
        hint: 'month|day|none',
        description: 'Entries for each month, day, or invoice; default: month',
      },
    },
  ),
  layout: parameter(
    'layout',
    choice(JOURNAL_LAYOUTS),
    'Journal: columns of the file, as an accounting program imports them. Default: plain.',
    {
      known_to: 'records',
      option: {
        name: 'layout',
        hint: 'plain|quickbooks|xero|netsuite',
        description: 'Columns of the file, as an accounting program imports them; default: plain',
      },
    },
  ),
  part: parameter('part', whole(1, 10_000), 'Journal: which file of a journal that is too long for one. Default: 1.', {
    known_to: 'records',
    option: { name: 'part', hint: 'number', description: 'Which file of a journal that is too long for one; default: 1' },
  }),
  opening_known_at: parameter(
    'opening_known_at',
    DAY,
    'Journal: the day on which the journal of the days before was made. Entries then have what became known of these days since. Default: nothing.',
    {
      known_to: 'records',
      option: {
        name: 'opening-known-at',
        hint: 'date',
        description: 'Day on which the journal of the days before was made; this one adds what became known since',
      },
    },
  ),
  // Lists have a filter with this name, and its option.
  currency: parameter(
    'currency',
    CURRENCY_CODE,
    'Only invoices in this currency, and amounts in it. Default: all, in the base currency.',
    { known_to: 'records' },
  ),
} as const
