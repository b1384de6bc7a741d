import { numberOfDay } from '../../core/periods.ts'
import { dayOrNull, integerCell, integerOrNull } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { dayOfMonth, type RhythmicDays } from './periods.ts'

/** The subscription of a row. */
export function keyOf({ source_id, subscription_id }: Row): string {
  return JSON.stringify([source_id, subscription_id])
}

/** The days of a row of `billing_term`, local to the account, and how often they charge. */
export function rhythmicDaysOf(row: Row): RhythmicDays {
  const from = integerCell(row, 'first_number')
  const anchor = dayOrNull(row, 'anchored_on')
  return {
    from,
    to: integerOrNull(row, 'end_number'),
    months: integerCell(row, 'period_months'),
    days: integerCell(row, 'period_days'),
    billing_day: integerOrNull(row, 'billing_day_number') ?? dayOfMonth(anchor === null ? from : numberOfDay(anchor)),
  }
}
