import { chunksOf } from '../core/batches.ts'
import { AppError } from '../core/errors.ts'
import { parseInteger } from '../core/money.ts'
import { digits, type Fragment, join, type QueryRunner, sql } from './query-runner.ts'

/** A query runner that lets the database count the rows of its results, to find missing rows. */
export interface CountedRunner {
  readonly run: QueryRunner
  /**
   * Compares the rows received since the last call with `count(*)` of the same statements in the same snapshot. AppError
   * `unsupported_by_connector` if fewer rows came: a row limit of the server, or of a proxy in front of it, cuts results silently.
   */
  verify(): Promise<void>
}

/** Number of statements that one count covers. Each may have a thousand values, and one statement can have 65,535. */
const TOGETHER = 20

interface Asked {
  readonly label: string
  readonly statement: Fragment
  readonly rows: number
}

/** Wraps a runner over a snapshot. The statements that it runs are selects. */
export function countedRunner(run: QueryRunner): CountedRunner {
  let asked: Asked[] = []
  return {
    async run(label, statement) {
      const rows = await run(label, statement)
      asked.push({ label, statement, rows: rows.length })
      return rows
    },
    async verify() {
      const open = asked
      asked = []
      for (const together of chunksOf(open, TOGETHER)) {
        const counts = together.map(
          ({ statement }, place) => sql`select ${digits(place)} as place, count(*) as entries from (${statement}) as counted`,
        )
        const rows = await run('plumbline.count', join(counts, sql` union all `))
        const found = new Map(rows.map((row) => [parseInteger(row['place']), parseInteger(row['entries'])]))
        for (const [place, { label, rows: came }] of together.entries()) checkCount(label, came, found.get(place))
      }
    },
  }
}

/** Refuses a result with missing rows. `expected` is undefined if the count itself is missing. */
export function checkCount(label: string, came: number, expected: number | undefined): void {
  if (came === expected) return
  throw new AppError(
    'unsupported_by_connector',
    `The billing database sent ${came} of ${expected ?? 'an unknown number of'} rows of "${label}": a row limit of the server (such as sql_select_limit), or of a proxy in front of it, cuts results.`,
    { context: { statement: label, rows: came, expected: expected ?? null } },
  )
}
