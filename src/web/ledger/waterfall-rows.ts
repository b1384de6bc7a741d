import { groupBy } from '../../core/group-by.ts'

type Row = Readonly<Record<string, unknown>>

/** The row and the column of months before those that are shown. */
export const EARLIER = 'earlier'

/** Amounts that the API repeats in each row of a month of posting. */
const SHARED = ['booked', 'adjusted', 'remaining'] as const

/**
 * The waterfall as finance lays it out: a row for each month of posting, a column for each month of recognition. Months before `months` are one
 * row and one column. So each column adds up to the recognized revenue of its month, and each row to what was booked and adjusted.
 */
export function waterfallRows(rows: readonly Row[], months: readonly string[]): readonly Row[] {
  const [first = ''] = months
  const isEarlier = (month: string | null) => month !== null && month < first
  const placeOf = (month: string | null) => (isEarlier(month) ? EARLIER : month)
  const table = new Map<string | null, Record<string, number>>()
  for (const own of groupBy(rows, (row) => String(row['booked_month'])).values()) {
    const month = monthIn(own[0], 'booked_month')
    const line = table.get(placeOf(month)) ?? {}
    const add = (column: string, cents: number) => {
      line[column] = (line[column] ?? 0) + cents
    }
    for (const row of own) add(placeOf(monthIn(row, 'recognized_month')) ?? '', centsIn(row, 'recognized'))
    for (const name of SHARED) add(name, centsIn(own[0], name))
    table.set(placeOf(month), line)
  }
  return [EARLIER, ...months, null].flatMap((month) => {
    const line = table.get(month)
    return line === undefined ? [] : [{ booked_month: month, ...line }]
  })
}

/** The columns of the rows: earlier months, if they recognized anything, then each month, then the amounts of the month of posting. */
export function waterfallColumns(rows: readonly Row[], months: readonly string[]): readonly string[] {
  const isThere = (column: string) => rows.some((row) => column in row)
  return [...[EARLIER, ...months].filter(isThere), ...SHARED]
}

function monthIn(row: Row | undefined, field: string): string | null {
  const month = row?.[field]
  return typeof month === 'string' ? month : null
}

function centsIn(row: Row | undefined, field: string): number {
  const cents = row?.[field]
  return typeof cents === 'number' ? cents : 0
}
