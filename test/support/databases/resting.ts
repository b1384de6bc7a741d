import { TURNS } from './turn.ts'

/**
 * Files that take half a minute or more and whose cases are no metrics. A usual run takes each of them in three turns of seven, one on each engine. Those of the
 * cache start services again and again, and those of the dashboard a browser.
 */
export const RESTING: readonly string[] = [
  'auth/free-text',
  'cache/agreed-prices',
  'cache/books',
  'cache/copied',
  'cache/edited-by-hand',
  'cache/kept-sets',
  'cache/look',
  'cache/needs',
  'cache/rebuilt',
  'cache/remembered',
  'cache/room',
  'cache/stored',
  'cli/billing-health',
  'cli/commands',
  'cli/final-line',
  'cli/init',
  'cli/ledger-close',
  'cli/remarks',
  'cli/report',
  'cli/report-since',
  'cli/usual-days',
  'conformance/stripe-connector',
  'e2e/cache-copy',
  'e2e/start-up',
  'evidence/cancel-reasons',
  'evidence/usage-evidence',
  'metrics/ledger',
  'metrics/ledger-cached',
  'metrics/ledger-mrr-bridge',
  'metrics/several-currencies',
  'parity/account-zones',
  'parity/currency-switch',
  'parity/field-values',
  'parity/held-beside-fold',
  'parity/joins-by-keys',
  'parity/ledger-recorded',
  'parity/ledger-unknown',
  'parity/stripe-refunds',
  'parity/time-zone',
  'parity/too-large',
  'property/change-instants',
  'property/customer-links',
  'property/rows-behind-numbers',
  'verify/recorded',
  'web/first-hour',
  'web/tenants',
  'conformance/executor-stream',
  'deliveries/alerts',
  'deliveries/sending',
  'deliveries/worker',
  'cli/billing-marks',
  'parity/billing-marks',
  'cache/lago-books',
  'cache/interrupted-filling',
  'store/opening',
  'verify/planted-books',
].map((name) => `test/${name}.test.ts`)

/** Files that start or fill servers of Trino for minutes. Each runs in the turn that is its place in the list, counted in sevens. */
export const ONCE_IN_SEVEN: readonly string[] = [
  'rights',
  'killed-writer',
  'steps',
  'publication',
  'copied-sources',
  'cluster',
  'several-databases',
  'lago',
].map((name) => `test/conformance/trino/${name}.test.ts`)

/** Of seven turns, those in which such a file runs, counted from its place in the list, so that each turn has as many files. */
const TURNS_AWAKE: readonly number[] = [0, 2, 4]

/** A number that the path of a file decides. */
export function placeOf(path: string): number {
  return [...path].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0)
}

/** How often the file has run in the turns up to this one, this one included: 1 to 3. 0: it rests. Undefined: it runs in every turn. */
export function wakingOf(path: string, turn: number): number | undefined {
  const place = RESTING.indexOf(path)
  return place < 0 ? undefined : TURNS_AWAKE.indexOf((place + turn) % TURNS) + 1
}
