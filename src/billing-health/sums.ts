import { sumOrNull } from '../core/amount.ts'
import { groupBy } from '../core/group-by.ts'
import { integerCell, integerOrNull, textOf } from '../ports/cells.ts'
import type { Row } from '../ports/rows.ts'
import { FINDING_CLASSES, type FindingClass } from './classes.ts'
import type { ClassLine, Finding, HealthAnswer } from './rows.ts'

type Sums = Omit<HealthAnswer, 'start' | 'end' | 'base_currency'>

/** The sums over all days and by class. `rows` also has the days without findings. */
export function healthOf(rows: readonly Row[], findings: readonly Finding[]): Sums {
  const byClass = groupBy(findings, (finding) => finding.class)
  const [healthy, unpriced, notDue] = quietDays(rows)
  return {
    agreed_base_cents: sumOrNull([healthy.base_cents, ...findings.map((finding) => finding.agreed_base_cents)]),
    billed_base_cents: sumOrNull([healthy.base_cents, ...findings.map((finding) => finding.billed_base_cents)]),
    difference_base_cents: sumOrNull(findings.map((finding) => finding.difference_base_cents)),
    monthly_base_cents: sumOrNull(findings.map((finding) => finding.monthly_base_cents)),
    at_stake_base_cents: atStake(findings),
    monthly_unbilled_base_cents: sumOrNull(
      findings.map(({ monthly_base_cents: cents }) => (cents === null ? null : Math.max(cents, 0))),
    ),
    subscription_days: healthy.days + unpriced.days + notDue.days + findings.reduce((sum, { days }) => sum + days, 0),
    healthy_days: healthy.days,
    unpriced_days: unpriced.days,
    unpriced_subscriptions: unpriced.subscriptions,
    not_due_days: notDue.days,
    classes: FINDING_CLASSES.map((name) => classOf(name, byClass.get(name) ?? []))
      .filter((row) => row.findings > 0)
      .sort((a, b) => Math.abs(b.monthly_base_cents ?? 0) - Math.abs(a.monthly_base_cents ?? 0)),
  }
}

/** The days of the answer by class, as the lines of a file: the classes with findings, then the days without. */
export function classLines(rows: readonly Row[], { classes }: Sums): readonly ClassLine[] {
  const quiet = quietDays(rows).map(({ class: name, days, subscriptions, base_cents }) => {
    const amounts = {
      agreed_base_cents: base_cents,
      billed_base_cents: base_cents,
      difference_base_cents: 0,
      monthly_base_cents: 0,
    }
    return { class: name, findings: 0, subscriptions, customers: null, days, ...amounts, at_stake_base_cents: 0 }
  })
  return [...classes, ...quiet.filter(({ days }) => days > 0)]
}

/** Days that are in no finding. */
interface Quiet {
  readonly class: 'healthy' | 'unpriced' | 'not_due'
  readonly days: number
  readonly subscriptions: number
  readonly base_cents: number | null
}

/** The sums of days on which the same amount is agreed and billed, or that cannot be compared or are not due, which have no amounts. */
function quietDays(rows: readonly Row[]): readonly [healthy: Quiet, unpriced: Quiet, notDue: Quiet] {
  const byClass = groupBy(rows, (row) => textOf(row, 'class'))
  const of = (name: Quiet['class']): Quiet => {
    const own = byClass.get(name) ?? []
    const sum = (column: string) => own.reduce((all, row) => all + integerCell(row, column), 0)
    const base_cents = name === 'healthy' ? sumOrNull(own.map((row) => integerOrNull(row, 'agreed_base_cents'))) : 0
    return { class: name, days: sum('days'), subscriptions: sum('subscriptions'), base_cents }
  }
  return [of('healthy'), of('unpriced'), of('not_due')]
}

function classOf(name: FindingClass, findings: readonly Finding[]): HealthAnswer['classes'][number] {
  return {
    class: name,
    findings: findings.length,
    subscriptions: new Set(findings.map((finding) => finding.subscription_id)).size,
    customers: new Set(findings.map((finding) => finding.customer_id)).size,
    days: findings.reduce((sum, { days }) => sum + days, 0),
    agreed_base_cents: sumOrNull(findings.map((finding) => finding.agreed_base_cents)),
    billed_base_cents: sumOrNull(findings.map((finding) => finding.billed_base_cents)),
    difference_base_cents: sumOrNull(findings.map((finding) => finding.difference_base_cents)),
    monthly_base_cents: sumOrNull(findings.map((finding) => finding.monthly_base_cents)),
    at_stake_base_cents: atStake(findings),
  }
}

/** The amounts of the findings, without sign: of a month for open ones, of their days for closed ones. */
function atStake(findings: readonly Finding[]): number | null {
  return sumOrNull(
    findings.map(({ is_open, monthly_base_cents, difference_base_cents }) => {
      const cents = is_open ? monthly_base_cents : difference_base_cents
      return cents === null ? null : Math.abs(cents)
    }),
  )
}
