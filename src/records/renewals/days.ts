import { periodsFrom, type RhythmicDays } from '../billings/periods.ts'

/**
 * The days on which a subscription renews (D82): the day up to which it is billed, and the end of each period that the engine bills after that. They
 * have no end while the last term has none. `terms` are in the order of time. If the first one ends before the billed days do, the engine bills again
 * from its end on. Periods of months are counted from the start of their term, those of days from the end of the billed days (D91).
 */
export function* renewalDays(billed_to: number, terms: readonly RhythmicDays[]): Generator<number, void> {
  const covered = Math.min(billed_to, terms[0]?.to ?? billed_to)
  if (covered === billed_to) yield billed_to
  for (const { from, to, ...rhythm } of terms) {
    if ((to !== null && to <= covered) || (rhythm.months === 0 && rhythm.days === 0)) continue
    const first = rhythm.months === 0 ? Math.max(from, covered) : from
    for (const { to: end } of periodsFrom(first, rhythm)) {
      if (to !== null && end > to) break
      if (end > covered) yield end
    }
  }
}
