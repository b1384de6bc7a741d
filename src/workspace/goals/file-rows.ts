import { currencyDigits } from '../../core/currency.ts'
import { AppError, type Issue } from '../../core/errors.ts'
import { GOAL_PERIOD } from '../../core/goal.ts'
import { centsOf } from '../../core/money.ts'
import { clipped } from '../../core/text.ts'
import type { MetricDefinition } from '../../metrics/define-metric.ts'
import type { GoalRow } from '../../ports/goal-store.ts'
import { type GoalSubject, subjectNamed } from './subjects.ts'

/** A goal of a file: the number, the period, and the value in the units of answers. */
export interface FileGoal {
  readonly subject: GoalSubject
  readonly period: string
  readonly value: number
}

type Column = 'metric' | 'query_type' | 'period' | 'value'

interface Problem {
  readonly row: number
  readonly column: Column
  readonly value: string
  readonly reason: string
}

/** A row that was read, or its problems. */
type ReadRow = { readonly row: number; readonly goal: FileGoal } | { readonly problems: readonly Problem[] }

const MOST_PROBLEMS = 1_000
const MOST_QUOTED = 200

/** Reads a row. Amounts are in units of the base currency, as in files of expenses. Rates are fractions, or percentages with a percent sign. */
export function readGoalRow(
  { row, metric, query_type, period, value }: GoalRow,
  metrics: readonly MetricDefinition[],
  currency: string,
): ReadRow {
  const problem = (column: Column, text: string, reason: string): Problem => ({ row, column, value: text, reason })
  const subject = subjectNamed(metric, query_type === '' ? undefined : query_type, metrics)
  const problems: Problem[] = []
  if ('problem' in subject)
    problems.push(problem(subject.field, subject.field === 'metric' ? metric : query_type, `is refused. ${subject.problem}`))
  if (!new RegExp(GOAL_PERIOD).test(period))
    problems.push(problem('period', period, 'must be a month such as 2026-10, or a quarter such as 2026-Q4'))
  if ('problem' in subject) return { problems }
  const read = readGoalValue(value, subject, currency)
  if (typeof read === 'string') problems.push(problem('value', value, read))
  return problems.length > 0 || typeof read === 'string' ? { problems } : { row, goal: { subject, period, value: read } }
}

/**
 * The value of a text as people write it: an amount in units of the currency, a rate as a fraction or with a percent sign, a count. A text instead of a
 * number says what is wrong.
 */
export function readGoalValue(text: string, { unit }: Pick<GoalSubject, 'unit'>, currency: string): number | string {
  const [, number = '', decimals = '', percent = ''] = /^(\d{1,13}(?:\.(\d+))?)\s*(%?)$/.exec(text) ?? []
  const digits = decimals.replace(/0+$/, '').length
  switch (unit) {
    case 'money': {
      const most = currencyDigits(currency)
      if (number === '' || percent !== '' || digits > most)
        return `must be an amount in ${currency} such as 1234.5, with at most ${most} decimals and no separators of thousands`
      return centsOf(number)
    }
    case 'fraction': {
      const fraction = percent === '' ? Number(number) : Number((Number(number) / 100).toFixed(MOST_DECIMALS))
      if (number === '' || digits > MOST_DECIMALS || fraction > MOST_FRACTION)
        return `must be a fraction such as 0.05, or a percentage such as 5%, of at most ${MOST_FRACTION * 100}%`
      return fraction
    }
    case 'count':
    case 'ratio':
      if (number === '' || percent !== '' || digits > MOST_DECIMALS)
        return 'must be a number such as 120, without separators of thousands'
      return Number(number)
  }
}

const MOST_DECIMALS = 6
/** A rate above 1,000 % is a percentage that was written as a fraction. */
export const MOST_FRACTION = 10

/** The goals of all rows. AppError `invalid_csv` with every problem, also of two rows for the same number and period. */
export function refuseProblems(rows: readonly ReadRow[]): readonly FileGoal[] {
  const seen = new Map<string, number>()
  const problems = rows.flatMap((read) => {
    if ('problems' in read) return read.problems
    const { row, goal } = read
    const { metric, query_type, measure } = goal.subject
    const key = JSON.stringify([metric, query_type, measure, goal.period])
    const first = seen.get(key)
    if (first === undefined) seen.set(key, row)
    return first === undefined
      ? []
      : [{ row, column: 'period' as const, value: goal.period, reason: `is that of row ${first}, which has the same number` }]
  })
  const [first] = problems
  if (first === undefined) return rows.flatMap((read) => ('goal' in read ? [read.goal] : []))
  const more =
    problems.length === 1 ? ' Nothing was imported.' : ` There are ${problems.length} problems in all; nothing was imported.`
  const context = { row: first.row, column: first.column, problems_total: problems.length }
  throw new AppError('invalid_csv', `${sentence(first)}${more}`, {
    context,
    issues: problems.slice(0, MOST_PROBLEMS).map(issueOf),
  })
}

function issueOf(problem: Problem): Issue {
  const { row, column, value } = problem
  const where = `body.file[${row}].${column}`
  return { code: 'invalid_csv', where, value: clipped(value, MOST_QUOTED), message: sentence(problem), did_you_mean: [] }
}

function sentence({ row, column, value, reason }: Problem): string {
  const found = value === '' ? 'is empty and' : `${JSON.stringify(clipped(value, MOST_QUOTED))}`
  return `Row ${row}: ${column} ${found} ${reason}${reason.endsWith('.') ? '' : '.'}`
}
