import { unitsOf } from '../../core/currency.ts'
import { dayOfNumber } from '../../core/periods.ts'
import { CLASS_FACTS } from './classes.ts'
import type { Finding } from './rows.ts'
import { hasAmountsOf, type Run } from './runs.ts'

/** The runs that a sentence is about. */
interface Told {
  readonly last: Run
  /** First day of the last amounts. */
  readonly began_on: string
  /** The runs before the last one, in the same range. */
  readonly earlier: readonly Run[]
}

/** The finding in words: the amounts of a month on its last days, since when they hold, and the cause. */
export function sentenceOf(
  { class: kind, is_open, last_day, currency }: Pick<Finding, 'class' | 'is_open' | 'last_day' | 'currency'>,
  { last, began_on, earlier }: Told,
): string {
  const { agreed, billed, quantity, billedQuantity } = last
  const side = (cents: number, units: number) =>
    cents === 0 ? 'nothing' : `${units > 1 ? `${units} units for ` : ''}${unitsOf(cents, currency)} ${currency} a month`
  const when = is_open ? `since ${began_on}` : `from ${began_on} to ${last_day}`
  const both = `Agreed: ${side(agreed, quantity)}. Billed: ${side(billed, billedQuantity)}, ${when}.`
  return [both, ...earlierText(last, earlier), causeOf(kind, last)].join(' ')
}

function earlierText(last: Run, earlier: readonly Run[]): readonly string[] {
  const [first] = earlier
  if (first === undefined) return []
  const days = earlier.reduce((sum, { from, to }) => sum + to - from, 0)
  const amounts = earlier.every((run) => hasAmountsOf(run, last)) ? 'the same amounts' : 'other amounts'
  const subject = days === 1 ? 'An earlier day has' : `${days} earlier days have`
  return [`${subject} ${amounts}, the first on ${dayOfNumber(first.from)}.`]
}

function causeOf(kind: Finding['class'], { priceDay }: Run): string {
  const { cause } = CLASS_FACTS[kind]
  if (typeof cause === 'string') return cause
  return cause(priceDay === 0 ? 'a price date' : `the price date ${dayOfNumber(priceDay)}`)
}
