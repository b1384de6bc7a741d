import type { InlineRelation } from '../compiler/inline.ts'
import { BEGINNING, dayOf } from '../core/periods.ts'

const COLUMNS = [
  { name: 'is_whole', type: 'integer' },
  { name: 'begins_at', type: 'timestamp' },
  { name: 'ends_before', type: 'timestamp' },
  { name: 'is_last', type: 'integer' },
  { name: 'opened_on', type: 'date' },
  { name: 'rated_on', type: 'date' },
] as const

/** Later than every instant of a request. */
const END = '9999-12-31 00:00:00'

/** Relations of a statement whose timestamps are instants of levels. */
const WITH_INSTANTS: readonly string[] = ['instant', 'period', 'churn_period']

/** The instants at which a statement over the window and these relations may read a level. */
export function instantsOf({ window, inline = [], instants = [] }: ReadsLevels): readonly Date[] {
  const cells = inline.filter(({ name }) => WITH_INSTANTS.includes(name)).flatMap(({ rows }) => rows.flat())
  return [window.from, window.to, ...instants, ...cells.filter((cell) => cell instanceof Date)]
}

interface ReadsLevels {
  readonly window: { readonly from: Date; readonly to: Date }
  readonly inline?: readonly InlineRelation[]
  readonly instants?: readonly Date[]
}

/**
 * Relation `valuation`: stretches of time that begin and end at instants of a request, each with the days of the rates just before its begin
 * and its end (D65). The last stretch has no end and keeps the rate of the last instant. With a constant day, there is one stretch. The row
 * `is_whole` covers all time, for spans that need no rate.
 */
export function valuationRelation(instants: readonly Date[], constantDay: string | null, now: Date): InlineRelation {
  const today = dayOf(now)
  const times = [...new Set(instants.map((instant) => instant.getTime()))].sort((a, b) => a - b)
  const last = times.at(-1) ?? now.getTime()
  // No figure is about an instant after now, so the rates of today are those of all later instants.
  const rateDayBefore = (time: number) => constantDay ?? [dayOf(new Date(time - 1)), today].sort()[0] ?? today
  const cuts = constantDay === null ? times.slice(0, -1) : []
  const pieces = cuts.map((end, index) => {
    const begin = cuts[index - 1] ?? BEGINNING.getTime()
    return [0, new Date(begin), new Date(end), 0, rateDayBefore(begin), rateDayBefore(end)]
  })
  const begin = cuts.at(-1) ?? BEGINNING.getTime()
  const open = [0, new Date(begin), END, 1, rateDayBefore(begin), rateDayBefore(last)]
  const whole = [1, BEGINNING, END, 1, rateDayBefore(last), rateDayBefore(last)]
  return { name: 'valuation', columns: COLUMNS, rows: [whole, ...pieces, open] }
}
