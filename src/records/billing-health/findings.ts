import { InternalError } from '../../core/errors.ts'
import type { MarkedThing } from '../../core/finding-mark.ts'
import { dayOfNumber } from '../../core/periods.ts'
import { integerCell, integerOrNull, textCell, textOf } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { CLASS_FACTS, type FindingClass } from './classes.ts'
import type { Finding } from './rows.ts'
import { findingKey, type Run } from './runs.ts'
import { sentenceOf } from './sentence.ts'

/** The findings in the order of their rows. `runs` has the runs of each. */
export function findingsOf(rows: readonly Row[], runs: ReadonlyMap<string, readonly Run[]>): readonly Finding[] {
  return rows.map((row) => findingOf(row, runs.get(findingKey(row)) ?? []))
}

/** The finding with the day from which its last amounts hold. `runs` are its runs since the beginning, up to its last day. */
export function sinceItBegan(finding: Finding, runs: readonly Run[]): Finding {
  const last = runs.at(-1)
  if (last === undefined) return finding
  const began_on = dayOfNumber(last.from)
  return { ...finding, began_on, sentence: sentenceOf(finding, { last, began_on, earlier: [] }) }
}

/** The finding as marks name it. */
export function markedFinding({ source_id, class: kind, customer_id, subscription_id }: Finding): MarkedThing {
  return { source_id, kind, customer_id, subscription_id, invoice_id: null }
}

function findingOf(row: Row, runs: readonly Run[]): Finding {
  const last = runs.at(-1)
  if (last === undefined) throw new InternalError(`finding without days: ${findingKey(row)}`)
  const kind = textOf(row, 'class') as FindingClass
  const { remedy, confidence, reason } = CLASS_FACTS[kind]
  const began_on = dayOfNumber(last.from)
  const finding = {
    customer_id: textOf(row, 'customer_id'),
    customer_name: textCell(row, 'customer_name'),
    source_id: textOf(row, 'source_id'),
    tenant: textCell(row, 'tenant_name'),
    subscription_id: textOf(row, 'subscription_id'),
    plan_id: textCell(row, 'plan_id'),
    class: kind,
    first_day: dayOfNumber(integerCell(row, 'first_number')),
    last_day: dayOfNumber(integerCell(row, 'end_number') - 1),
    began_on,
    is_open: integerCell(row, 'is_open') === 1,
    days: integerCell(row, 'days'),
    currency: textCell(row, 'currency') ?? '',
    agreed_cents: integerCell(row, 'agreed_cents'),
    billed_cents: integerCell(row, 'billed_cents'),
    agreed_base_cents: integerOrNull(row, 'agreed_base_cents'),
    billed_base_cents: integerOrNull(row, 'billed_base_cents'),
    difference_base_cents: integerOrNull(row, 'difference_base_cents'),
    monthly_base_cents: integerOrNull(row, 'monthly_base_cents'),
    confidence,
    reason,
    remedy,
    admin_url: null,
    evidence: [],
    mark: null,
  }
  return { ...finding, sentence: sentenceOf(finding, { last, began_on, earlier: runs.slice(0, -1) }) }
}
