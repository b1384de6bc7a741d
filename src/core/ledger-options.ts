/** The options of the ledger (R6 to R8). The first of each is the default. */
export const LEDGER_CHOICES = {
  spread: ['day', 'month'],
  one_off: ['at_once', 'over_period'],
  unbilled: ['accrue', 'on_invoice'],
} as const

/** Most days from the issue of an invoice to its due day (R17). */
export const MOST_NET_TERMS = 365

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
