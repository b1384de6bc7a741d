import { sumOrNull } from '../../core/amount.ts'
import { groupBy } from '../../core/group-by.ts'
import { integerCell, integerOrNull, textOf } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { APART, FINDING_CLASSES, type FindingClass, QUIET } from './classes.ts'
import type { ClassLine, HealthAnswer } from './rows.ts'

type Sums = Omit<HealthAnswer, 'start' | 'end' | 'base_currency'>

/** The rows of some classes, one for each currency, added up. */
interface Sum {
  readonly subscriptions: number
  readonly customers: number
  readonly days: number
  readonly agreed_base_cents: number | null
  readonly billed_base_cents: number | null
  readonly difference_base_cents: number | null
  readonly monthly_base_cents: number | null
  readonly at_stake_base_cents: number | null
  readonly unbilled_base_cents: number | null
  readonly seen: number
}

/** True for findings that are marked as no error. */
const isNoError = (row: Row) => integerCell(row, 'is_no_error') === 1

/**
 * The sums over all days and by class. `rows` has the days of each class and currency, with findings and without. Days on which an overdue state
 * stops the service are in no sum of differences, because nobody erred. Findings that are marked as no error have separate sums (H7).
 */
export function healthOf(rows: readonly Row[]): Sums {
  const counted = rows.filter((row) => !isNoError(row))
  const of = sumsByClass(counted)
  const marked = sumOf(rows.filter(isNoError))
  const [healthy, unpriced, notDue] = [of('healthy'), of('unpriced'), of('not_due')]
  const found = sumOf(counted.filter((row) => row['class'] !== APART && FINDING_CLASSES.some((name) => name === row['class'])))
  const apart = of(APART)
  return {
    agreed_base_cents: sumOrNull([healthy.agreed_base_cents, found.agreed_base_cents]),
    billed_base_cents: sumOrNull([healthy.agreed_base_cents, found.billed_base_cents]),
    difference_base_cents: found.difference_base_cents,
    monthly_base_cents: found.monthly_base_cents,
    at_stake_base_cents: found.at_stake_base_cents,
    overdue_block_base_cents: apart.billed_base_cents,
    overdue_block_days: apart.days,
    monthly_unbilled_base_cents: found.unbilled_base_cents,
    subscription_days: healthy.days + unpriced.days + notDue.days + found.days + apart.days + marked.days,
    healthy_days: healthy.days,
    unpriced_days: unpriced.days,
    unpriced_subscriptions: unpriced.subscriptions,
    not_due_days: notDue.days,
    seen: found.seen + apart.seen,
    marked: markedOf(marked),
    classes: FINDING_CLASSES.map((name) => classOf(name, of(name)))
      .filter((row) => row.findings > 0)
      .sort((a, b) => Number(a.class === APART) - Number(b.class === APART) || monthlyOf(b) - monthlyOf(a)),
  }
}

/** The days of the answer by class, as the lines of a file: the classes with findings, those marked as no error, then the days without. */
export function classLines(rows: readonly Row[], { classes, marked }: Sums): readonly ClassLine[] {
  const of = sumsByClass(rows)
  const quiet = QUIET.map((name) => ({ ...classOf(name, of(name)), findings: 0, customers: null }))
  const { monthly_unbilled_base_cents: _, ...amounts } = marked
  const apart = { class: 'marked' as const, subscriptions: null, customers: null, ...amounts, seen: 0 }
  return [...classes, ...[apart].filter(({ findings }) => findings > 0), ...quiet.filter(({ days }) => days > 0)]
}

const monthlyOf = ({ monthly_base_cents }: ClassLine) => Math.abs(monthly_base_cents ?? 0)

function sumsByClass(rows: readonly Row[]): (name: FindingClass | (typeof QUIET)[number]) => Sum {
  const byClass = groupBy(rows, (row) => textOf(row, 'class'))
  return (name) => sumOf(byClass.get(name) ?? [])
}

/** A subscription and a customer have one currency. */
function sumOf(rows: readonly Row[]): Sum {
  const count = (column: string) => rows.reduce((sum, row) => sum + integerCell(row, column), 0)
  const cents = (column: string) => sumOrNull(rows.map((row) => integerOrNull(row, column)))
  return {
    subscriptions: count('subscriptions'),
    customers: count('customers'),
    days: count('days'),
    agreed_base_cents: cents('agreed_base_cents'),
    billed_base_cents: cents('billed_base_cents'),
    difference_base_cents: cents('difference_base_cents'),
    monthly_base_cents: cents('monthly_base_cents'),
    at_stake_base_cents: cents('at_stake_base_cents'),
    unbilled_base_cents: cents('unbilled_base_cents'),
    seen: count('seen'),
  }
}

function markedOf({ subscriptions: findings, customers: _, seen: __, unbilled_base_cents, ...sum }: Sum): HealthAnswer['marked'] {
  return { findings, ...sum, monthly_unbilled_base_cents: unbilled_base_cents }
}

function classOf<Name extends ClassLine['class']>(name: Name, sum: Sum) {
  const { unbilled_base_cents: _, ...amounts } = sum
  return { class: name, findings: sum.subscriptions, ...amounts }
}
