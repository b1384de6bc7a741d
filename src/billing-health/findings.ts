import { unitsOf } from '../core/currency.ts'
import { groupBy } from '../core/group-by.ts'
import { integerCell, integerOrNull, textCell, textOf } from '../ports/cells.ts'
import type { Row } from '../ports/rows.ts'
import { CLASS_FACTS, FINDING_CLASSES, type FindingClass } from './classes.ts'
import type { Finding, HealthAnswer } from './rows.ts'

/** The range of an answer, as days since 1970-01-01. `isUpToNow` is true if its last day is yesterday. */
export interface HealthDays {
  readonly first: number
  readonly end: number
  readonly isUpToNow: boolean
}

/** Days of one subscription with the same amounts. */
interface Run {
  readonly row: Row
  readonly from: number
  readonly to: number
  readonly agreed: number
  readonly billed: number
  readonly agreedBase: number | null
  readonly billedBase: number | null
}

const DAY = 86_400_000

/** The day with this number. */
function dayOfNumber(number: number): string {
  return new Date(number * DAY).toISOString().slice(0, 10)
}

/** The number of a day. */
export function numberOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY
}

/** The amount of days: a day costs 12/365 of a month (H4). Halves are rounded away from zero. */
function amountOfDays(centDays: number): number {
  return Math.sign(centDays) * Math.round((Math.abs(centDays) * 12) / 365) + 0
}

/** One finding for each subscription and class, largest amount first (H2). */
export function findingsOf(rows: readonly Row[], days: HealthDays): readonly Finding[] {
  const groups = groupBy(rows.filter(isFinding), (row) =>
    JSON.stringify([row['source_id'], row['subscription_id'], row['class']]),
  )
  return [...groups.values()].map((own) => findingOf(own.map(runOf), days)).sort(byAmount)
}

function isFinding(row: Row): boolean {
  return FINDING_CLASSES.some((name) => name === row['class'])
}

function runOf(row: Row): Run {
  return {
    row,
    from: integerCell(row, 'first_number'),
    to: integerCell(row, 'end_number'),
    agreed: integerCell(row, 'agreed_cents'),
    billed: integerCell(row, 'billed_cents'),
    agreedBase: integerOrNull(row, 'agreed_base_cents'),
    billedBase: integerOrNull(row, 'billed_base_cents'),
  }
}

function findingOf(unordered: readonly Run[], days: HealthDays): Finding {
  const runs = [...unordered].sort((a, b) => a.from - b.from)
  const first = runs[0] as Run
  const last = runs.at(-1) as Run
  const kind = textOf(last.row, 'class') as FindingClass
  const is_open = days.isUpToNow && integerCell(last.row, 'is_last') === 1
  const agreed_base_cents = sumOver(runs, ({ agreedBase }) => agreedBase)
  const billed_base_cents = sumOver(runs, ({ billedBase }) => billedBase)
  const { remedy, confidence, reason } = CLASS_FACTS[kind]
  return {
    customer_id: textOf(last.row, 'customer_id'),
    customer_name: textCell(last.row, 'customer_name'),
    source_id: textOf(last.row, 'source_id'),
    tenant: textCell(last.row, 'tenant_name'),
    subscription_id: textOf(last.row, 'subscription_id'),
    plan_id: textCell(last.row, 'plan_id'),
    class: kind,
    first_day: dayOfNumber(first.from),
    last_day: dayOfNumber(last.to - 1),
    is_open,
    days: runs.reduce((sum, { from, to }) => sum + to - from, 0),
    currency: textCell(last.row, 'currency') ?? '',
    agreed_cents: sumOver(runs, ({ agreed }) => agreed) ?? 0,
    billed_cents: sumOver(runs, ({ billed }) => billed) ?? 0,
    agreed_base_cents,
    billed_base_cents,
    difference_base_cents: less(agreed_base_cents, billed_base_cents),
    monthly_base_cents: is_open ? less(last.agreedBase, last.billedBase) : 0,
    confidence,
    reason,
    sentence: sentenceOf(kind, last, { since: dayOfNumber(first.from), until: is_open ? null : dayOfNumber(last.to - 1) }),
    remedy,
    evidence: [],
  }
}

/** Agreed and billed amount of a month, in the words of the last run. */
function sentenceOf(
  kind: FindingClass,
  { row, agreed, billed }: Run,
  { since, until }: { since: string; until: string | null },
): string {
  const currency = textCell(row, 'currency') ?? ''
  const side = (cents: number, quantity: number) =>
    cents === 0 ? 'nothing' : `${quantity > 1 ? `${quantity} units for ` : ''}${unitsOf(cents, currency)} ${currency} a month`
  const when = until === null ? `since ${since}` : `from ${since} to ${until}`
  const both = `Agreed: ${side(agreed, integerCell(row, 'quantity'))}. Billed: ${side(billed, integerCell(row, 'billed_quantity'))}, ${when}.`
  return `${both} ${CLASS_FACTS[kind].cause}`
}

function sumOver(runs: readonly Run[], monthly: (run: Run) => number | null): number | null {
  let centDays = 0
  for (const run of runs) {
    const cents = monthly(run)
    if (cents === null) return null
    centDays += cents * (run.to - run.from)
  }
  return amountOfDays(centDays)
}

function less(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a - b
}

function byAmount(a: Finding, b: Finding): number {
  const size = (amount: number | null) => Math.abs(amount ?? 0)
  return (
    size(b.monthly_base_cents) - size(a.monthly_base_cents) ||
    size(b.difference_base_cents) - size(a.difference_base_cents) ||
    (a.subscription_id < b.subscription_id ? -1 : a.subscription_id > b.subscription_id ? 1 : 0) ||
    FINDING_CLASSES.indexOf(a.class) - FINDING_CLASSES.indexOf(b.class)
  )
}

/** The sums over all days and by class. `rows` also has the days without findings. */
export function healthOf(
  rows: readonly Row[],
  findings: readonly Finding[],
): Omit<HealthAnswer, 'start' | 'end' | 'base_currency'> {
  const others = (kind: string) => rows.filter((row) => row['class'] === kind)
  const daysOf = (some: readonly Row[]) => some.reduce((sum, row) => sum + integerCell(row, 'days'), 0)
  const healthy = others('healthy')
  const unpriced = others('unpriced')
  const found = findings.reduce((sum, { days }) => sum + days, 0)
  // The sums of days without findings are the same on both sides, so one of them is enough.
  const agreedElsewhere = healthy.map((row) => {
    const cents = integerOrNull(row, 'agreed_base_cents')
    return cents === null ? null : amountOfDays(cents)
  })
  return {
    agreed_base_cents: total([...agreedElsewhere, ...findings.map((finding) => finding.agreed_base_cents)]),
    billed_base_cents: total([...agreedElsewhere, ...findings.map((finding) => finding.billed_base_cents)]),
    difference_base_cents: total(findings.map((finding) => finding.difference_base_cents)),
    monthly_base_cents: total(findings.map((finding) => finding.monthly_base_cents)),
    subscription_days: daysOf(healthy) + daysOf(unpriced) + found,
    healthy_days: daysOf(healthy),
    unpriced_days: daysOf(unpriced),
    unpriced_subscriptions: unpriced.reduce((sum, row) => sum + integerCell(row, 'items'), 0),
    classes: FINDING_CLASSES.map((name) =>
      classOf(
        name,
        findings.filter((finding) => finding.class === name),
      ),
    )
      .filter((row) => row.findings > 0)
      .sort((a, b) => Math.abs(b.monthly_base_cents ?? 0) - Math.abs(a.monthly_base_cents ?? 0)),
  }
}

function classOf(name: FindingClass, findings: readonly Finding[]): HealthAnswer['classes'][number] {
  return {
    class: name,
    findings: findings.length,
    subscriptions: new Set(findings.map((finding) => finding.subscription_id)).size,
    customers: new Set(findings.map((finding) => finding.customer_id)).size,
    days: findings.reduce((sum, { days }) => sum + days, 0),
    agreed_base_cents: total(findings.map((finding) => finding.agreed_base_cents)),
    billed_base_cents: total(findings.map((finding) => finding.billed_base_cents)),
    difference_base_cents: total(findings.map((finding) => finding.difference_base_cents)),
    monthly_base_cents: total(findings.map((finding) => finding.monthly_base_cents)),
  }
}

function total(amounts: readonly (number | null)[]): number | null {
  return amounts.reduce<number | null>((sum, cents) => (sum === null || cents === null ? null : sum + cents), 0)
}
