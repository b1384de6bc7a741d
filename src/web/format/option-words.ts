import { formatDay } from './days.ts'
import { valueLabel } from './labels.ts'

/** The values of the options of definition sets (definitions.md section 15) that are no plain words. */
const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  mrr_usage: { mean3: 'mean of three months', off: 'not counted' },
  quantity: { agreed: 'as agreed', one: 'one unit each' },
  pause: { churn: 'counts as churn', keep: 'keeps its MRR' },
  test_accounts: { exclude: 'left out', include: 'counted' },
  grain: { subscription: 'of subscriptions', customer: 'of customers' },
  reactivation_window: { none: 'without end' },
  fx: {
    span_start: 'rate of the last change',
    period_end: 'rate of the day shown',
    'constant:last_month_end': 'rate of the last month’s end',
  },
  nrr_reactivation: { exclude: 'left out', include: 'counted' },
  tax: { exclude: 'without tax', include: 'with tax' },
  refunds: { ignore: 'ignored', subtract: 'subtracted' },
  swap_window: { 0: 'same instant' },
  revenue_kinds: { all: 'all kinds of charges' },
  spread: { day: 'by day', month: 'by month' },
  one_off: { at_once: 'at once', over_period: 'over its phase' },
  receivables_rate: { issued: 'rate of the issue', closing: 'rate of the day shown' },
  unbilled: { accrue: 'on its service days', on_invoice: 'on the day of the invoice' },
}

/** Options that are a number of days. */
const OF_DAYS: readonly string[] = ['reactivation_window', 'net_terms', 'recovery_window']

const CONSTANT = /^constant:(\d{4}-\d{2}-\d{2})$/

/** The value of an option in words: `mean3` becomes “mean of three months”. */
export function optionWords(option: string, value: unknown): string {
  const text = String(value)
  const known = WORDS[option]?.[text]
  if (known !== undefined) return known
  if (text === 'true' || text === 'false') return text === 'true' ? 'yes' : 'no'
  const [, day] = CONSTANT.exec(text) ?? []
  if (day !== undefined) return `rate of ${formatDay(day)}`
  if (option === 'swap_window') return `${text} minutes`
  if (OF_DAYS.includes(option)) return `${text} days`
  if (option !== 'billing_periods' || text === 'all') return text
  return text
    .split(',')
    .map((period) => valueLabel(period, 'billing_period').toLowerCase())
    .join(', ')
}
