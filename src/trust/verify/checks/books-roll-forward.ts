import { BEGINNING, dayOf } from '../../../core/periods.ts'
import type { Days } from '../../../execution/answer/answer.ts'
import type { Row } from '../../../ports/rows.ts'
import { compare, type Identity, together } from '../check.ts'
import { byKey, keyOf, numberIn, sumsBy } from '../rows.ts'

const REVENUE = 'ledger.revenue'
const WATERFALL = 'ledger.waterfall'

/** A statement over periods: what it begins and ends with, what adds to it and what takes away. */
interface Statement {
  readonly query: string
  readonly of: string
  readonly opening: string
  readonly adds: readonly string[]
  readonly less: readonly string[]
  readonly closing: string
}

const STATEMENTS: readonly Statement[] = [
  {
    query: REVENUE,
    of: 'deferred revenue',
    opening: 'opening_deferred',
    adds: ['billed', 'adjusted', 'closing_unbilled'],
    less: ['recognized', 'other_income', 'opening_unbilled'],
    closing: 'closing_deferred',
  },
  {
    query: 'ledger.movements',
    of: 'receivables',
    opening: 'opening_receivables',
    adds: [
      'billed',
      'adjusted',
      'tax',
      'credits_granted',
      'credits_issued',
      'credits_applied',
      'transferred',
      'suspense',
      'fx_difference',
    ],
    less: ['collected', 'refunded', 'charged_back', 'written_off'],
    closing: 'closing_receivables',
  },
  {
    query: 'ledger.credits',
    of: 'customer credit',
    opening: 'opening_credits',
    adds: ['credits_issued', 'credits_applied'],
    less: [],
    closing: 'closing_credits',
  },
]

/** J4 to J6, J8 and J10: each statement of the ledger closes, in each group, and its months join. The columns of the waterfall are recognized revenue. */
export const booksRollForward: Identity = {
  name: 'books_roll_forward',
  description:
    'Deferred revenue, receivables and customer credit plus the movements of a month are those at its end, in each group. A month starts where the month before ended. The columns of the waterfall are the recognized revenue of their months.',
  identities: ['J4', 'J5', 'J6', 'J8', 'J10'],
  unit: 'equations',
  queries: [...STATEMENTS.map(({ query }) => query), WATERFALL],
  isGrouped: true,
  async holds(ask, { range, dimensions, filters }) {
    const found = []
    for (const statement of STATEMENTS) {
      const rows = await ask.rows(statement.query, { ...range, interval: 'month' }, { dimensions, filters })
      if (statement.query === REVENUE) {
        // From the beginning, a column has all charges that its month recognizes.
        const all = await ask.rows(WATERFALL, { ...range, start: dayOf(BEGINNING) }, { dimensions, filters })
        found.push(compare(recognized(all, rows, range, dimensions)))
      }
      found.push(compare(closings(statement, rows, dimensions)), compare(joints(statement, rows, dimensions)))
    }
    return together(...found)
  },
}

function closings({ query, of, opening, adds, less, closing }: Statement, rows: readonly Row[], dimensions: readonly string[]) {
  return rows.map((row) => {
    const sum = (names: readonly string[]) => names.reduce((total, name) => total + (numberIn(row, name) ?? 0), 0)
    return {
      id: `${query} ${keyOf(row, dimensions)} ${row['period']}`,
      what: `${of} at the end of ${row['period']}, ${keyOf(row, dimensions)}`,
      expected: sum([opening, ...adds]) - sum(less),
      actual: numberIn(row, closing),
    }
  })
}

function joints({ query, of, opening, closing }: Statement, rows: readonly Row[], dimensions: readonly string[]) {
  return [...byKey(rows, dimensions)].flatMap(([group, months]) =>
    months.slice(1).map((month, index) => ({
      id: `${query} ${group} ${month['period']}`,
      what: `${of} before ${month['period']}, ${group}`,
      expected: numberIn(months[index], closing),
      actual: numberIn(month, opening),
    })),
  )
}

/** The columns of the months that begin within the range. Of a month that begins before it, the statement has a part and the waterfall all. */
function recognized(waterfall: readonly Row[], revenue: readonly Row[], { start }: Days, dimensions: readonly string[]) {
  const columns = sumsBy(waterfall, [...dimensions, 'recognized_month'], 'recognized')
  return revenue
    .filter((row) => String(row['period']) >= start)
    .map((row) => {
      const key = keyOf({ ...row, recognized_month: row['period'] ?? null }, [...dimensions, 'recognized_month'])
      return {
        id: `${WATERFALL} ${key}`,
        what: `the column of the waterfall, ${key}`,
        expected: numberIn(row, 'recognized'),
        actual: columns.get(key) ?? 0,
      }
    })
}
