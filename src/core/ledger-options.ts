import * as z from 'zod'

/** Kinds of charges that become revenue, or other income (R4). */
export const REVENUE_KINDS = ['recurring', 'usage', 'fixed', 'one_off'] as const
export type RevenueKind = (typeof REVENUE_KINDS)[number]

/** The value of `revenue_kinds` with which every kind is revenue. */
export const ALL_KINDS = 'all'

/** The expected form of kinds of revenue in messages. */
export const REVENUE_KIND_WORDS = `${ALL_KINDS}, or some of ${REVENUE_KINDS.join(', ')}, separated by commas`

/** Reads kinds of charges, such as `recurring,usage`, in their fixed order; undefined for an unknown or repeated one. */
export function readRevenueKinds(text: string): readonly RevenueKind[] | undefined {
  if (text === ALL_KINDS) return REVENUE_KINDS
  const given = text.split(',')
  const kinds = REVENUE_KINDS.filter((kind) => given.includes(kind))
  return kinds.length === given.length ? kinds : undefined
}

/** The options of the ledger (R6 to R8, R24). The first of each is the default. */
export const LEDGER_CHOICES = {
  spread: ['day', 'month'],
  one_off: ['at_once', 'over_period'],
  unbilled: ['accrue', 'on_invoice'],
  receivables_rate: ['issued', 'closing'],
} as const

/** Most days from the issue of an invoice to its due day (R17). */
export const MOST_NET_TERMS = 365

/** Most days after the end of a month on which its books are closed (R22): a quarter. */
export const MOST_CLOSE_DAYS = 92

/** Days from the first failure within which a payment recovers an invoice (R27). */
export const DEFAULT_RECOVERY_WINDOW = 30

/** Most of these days. */
export const MOST_RECOVERY_WINDOW = 365

/** Last days of the ages of receivables (R17). */
export const DEFAULT_BUCKETS: readonly number[] = [30, 60, 90]

const MOST_BUCKETS = 6
const MOST_DAYS = 3650

/** The expected form of ages in messages. */
export const BUCKET_WORDS = `one to ${MOST_BUCKETS} growing numbers of days up to ${MOST_DAYS}, separated by commas`

/** Reads the last days of ages, such as `30,60,90`; undefined if they do not grow. */
export function readBuckets(text: string): readonly number[] | undefined {
  if (!/^\d{1,4}(,\d{1,4})*$/.test(text)) return undefined
  const days = text.split(',').map(Number)
  const isGrowing = days.every((day, index) => day > (days[index - 1] ?? 0) && day <= MOST_DAYS)
  return isGrowing && days.length <= MOST_BUCKETS ? days : undefined
}

const BUCKET_TEXT = `${BUCKET_WORDS}, such as ${DEFAULT_BUCKETS.join(',')}`

const days = (least: number, most: number) => {
  const words = `a whole number of days from ${least} to ${most}`
  return z.int(words).min(least, words).max(most, words)
}

/** The options of the ledger among those of definition sets (D98). A parameter of the request wins. */
export const LEDGER_DEFINITIONS = {
  spread: z
    .enum(LEDGER_CHOICES.spread)
    .default('day')
    .describe('Ledger: each service day of a charge has the same revenue, or each month does, on its first day'),
  one_off: z
    .enum(LEDGER_CHOICES.one_off)
    .default('at_once')
    .describe('Ledger: a fixed price is revenue at once, or over the period of its phase'),
  unbilled: z
    .enum(LEDGER_CHOICES.unbilled)
    .default('accrue')
    .describe('Ledger: a charge for days before its invoice is revenue of these days, or of the day of the invoice'),
  revenue_kinds: z
    .string(REVENUE_KIND_WORDS)
    .refine((text) => readRevenueKinds(text) !== undefined, REVENUE_KIND_WORDS)
    .default(ALL_KINDS)
    .describe('Ledger: kinds of charges that are revenue, separated by commas; all: every kind. The others are other income'),
  net_terms: days(0, MOST_NET_TERMS)
    .default(0)
    .describe('Ledger: days from the issue of an invoice to its due day, if the billing engine has no due day'),
  buckets: z
    .string(BUCKET_TEXT)
    .refine((text) => readBuckets(text) !== undefined, BUCKET_TEXT)
    .default(DEFAULT_BUCKETS.join(','))
    .describe('Ledger: last days of the ages of receivables, growing numbers separated by commas'),
  receivables_rate: z
    .enum(LEDGER_CHOICES.receivables_rate)
    .default('issued')
    .describe('Ledger: open balances in base currency have the exchange rate of their issue, or that of the day shown'),
  recovery_window: days(1, MOST_RECOVERY_WINDOW)
    .default(DEFAULT_RECOVERY_WINDOW)
    .describe('Ledger: days from the first failure within which a payment recovers an invoice'),
} as const

/** How entries of the journal are put together. The first is the default. */
export const JOURNAL_STEPS = ['month', 'day', 'none'] as const

/** Forms of the journal in CSV and workbooks. The first is the default. */
export const JOURNAL_LAYOUTS = ['plain', 'quickbooks', 'xero', 'netsuite'] as const
