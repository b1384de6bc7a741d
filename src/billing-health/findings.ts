import { integerCell, textCell, textOf } from '../ports/cells.ts'
import type { Row } from '../ports/rows.ts'
import { CLASS_FACTS, FINDING_CLASSES, type FindingClass } from './classes.ts'
import type { Finding } from './rows.ts'
import { dayOfNumber, type HealthDays, type Run, runsByFinding } from './runs.ts'
import { sentenceOf } from './sentence.ts'

/** One finding for each subscription and class, largest amount first (H2). */
export function findingsOf(rows: readonly Row[], days: HealthDays): readonly Finding[] {
  return [...runsByFinding(rows).values()].map((runs) => findingOf(runs, days)).sort(byAmount)
}

/** The finding with the day from which its last amounts hold. `runs` are its runs since the beginning, up to its last day. */
export function sinceItBegan(finding: Finding, runs: readonly Run[]): Finding {
  const last = runs.at(-1)
  if (last === undefined) return finding
  const began_on = dayOfNumber(last.from)
  return { ...finding, began_on, sentence: sentenceOf(finding, { last, began_on, earlier: [] }) }
}

function findingOf(runs: readonly Run[], days: HealthDays): Finding {
  const first = runs[0] as Run
  const last = runs.at(-1) as Run
  const kind = textOf(last.row, 'class') as FindingClass
  const is_open = days.isUpToNow && integerCell(last.row, 'is_last') === 1
  const agreed_base_cents = sumOver(runs, ({ agreedBase }) => agreedBase)
  const billed_base_cents = sumOver(runs, ({ billedBase }) => billedBase)
  const { remedy, confidence, reason } = CLASS_FACTS[kind]
  const finding = {
    customer_id: textOf(last.row, 'customer_id'),
    customer_name: textCell(last.row, 'customer_name'),
    source_id: textOf(last.row, 'source_id'),
    tenant: textCell(last.row, 'tenant_name'),
    subscription_id: textOf(last.row, 'subscription_id'),
    plan_id: textCell(last.row, 'plan_id'),
    class: kind,
    first_day: dayOfNumber(first.from),
    last_day: dayOfNumber(last.to - 1),
    began_on: dayOfNumber(last.from),
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
    remedy,
    admin_url: null,
    evidence: [],
  }
  return {
    ...finding,
    // Sums need none, and a page needs only its own.
    get sentence() {
      return sentenceOf(finding, { last, began_on: finding.began_on, earlier: runs.slice(0, -1) })
    },
  }
}

/** The amount of the runs: a day costs 12/365 of a month (H4). Halves are rounded away from zero. */
function sumOver(runs: readonly Run[], monthly: (run: Run) => number | null): number | null {
  let centDays = 0
  for (const run of runs) {
    const cents = monthly(run)
    if (cents === null) return null
    centDays += cents * (run.to - run.from)
  }
  return Math.sign(centDays) * Math.round((Math.abs(centDays) * 12) / 365) + 0
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
