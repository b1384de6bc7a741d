import { InternalError } from '../../core/errors.ts'
import { groupBy } from '../../core/group-by.ts'
import { dayOfNumber } from '../../core/periods.ts'
import { integerCell } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import type { Finding } from './rows.ts'

/** Days of one subscription and class with the same amounts of a month, from `from` to before `to`. */
export interface Run {
  readonly from: number
  readonly to: number
  readonly agreed: number
  readonly billed: number
  readonly quantity: number
  readonly billedQuantity: number
  /** Number of the price date that explains the amounts; 0 if none does. */
  readonly priceDay: number
}

/** The runs of each finding in the order of their days, by the finding's key. Runs without a gap and with the same amounts are one. */
export function runsByFinding(rows: readonly Row[]): ReadonlyMap<string, readonly Run[]> {
  const groups = groupBy(rows, findingKey)
  return new Map([...groups].map(([key, own]) => [key, joined(own.map(runOf))] as const))
}

/** The subscription and class of a finding. */
export function findingKey({ source_id, subscription_id, class: kind }: Row | Finding): string {
  return JSON.stringify([source_id, subscription_id, kind])
}

function runOf(row: Row): Run {
  return {
    from: integerCell(row, 'first_number'),
    to: integerCell(row, 'end_number'),
    agreed: integerCell(row, 'agreed_cents'),
    billed: integerCell(row, 'billed_cents'),
    quantity: integerCell(row, 'quantity'),
    billedQuantity: integerCell(row, 'billed_quantity'),
    priceDay: integerCell(row, 'price_number'),
  }
}

function joined(runs: readonly Run[]): readonly Run[] {
  const found: Run[] = []
  for (const run of [...runs].sort((a, b) => a.from - b.from)) {
    const before = found.at(-1)
    if (before?.to === run.from && hasAmountsOf(before, run))
      found.splice(-1, 1, { ...run, from: before.from, priceDay: before.priceDay === 0 ? run.priceDay : before.priceDay })
    else found.push(run)
  }
  return found
}

/** True if both runs have the same amounts and quantities. */
export function hasAmountsOf(a: Run, b: Run): boolean {
  return a.agreed === b.agreed && a.billed === b.billed && a.quantity === b.quantity && a.billedQuantity === b.billedQuantity
}

/** The first day of the last runs that have no gap between them. */
export function unbrokenSince(runs: readonly Run[]): string {
  const first = runs.findLast(({ from }, index) => runs[index - 1]?.to !== from)
  if (first === undefined) throw new InternalError('finding without days')
  return dayOfNumber(first.from)
}
