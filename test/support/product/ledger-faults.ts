import type { Row } from '../../../src/connector-kit/connector.ts'

const FACTS = [
  'status',
  'plan',
  'phase_type',
  'price_list',
  'quantity',
  'subscription_mrr_cents',
  'usage_mrr_cents',
  'is_unpriced',
]

/** Rows by their subscription. */
export function bySubscription(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) groups.set(String(row['subscription_id']), [...(groups.get(String(row['subscription_id'])) ?? []), row])
  return groups
}

/** Spans that overlap, leave gaps, could be joined, or lack the reason of an end (D28). */
export function spanFaults(rows: readonly Row[]): readonly string[] {
  const wrong: string[] = []
  for (const [id, spans] of bySubscription(rows)) {
    const ordered = [...spans].sort((a, b) => (String(a['valid_from']) < String(b['valid_from']) ? -1 : 1))
    for (const [index, span] of ordered.entries()) {
      const next = ordered[index + 1]
      const to = span['valid_to']
      if (to !== null && String(span['valid_from']) >= String(to)) wrong.push(`${id} is empty at ${to}`)
      if ((next === undefined) !== (span['end_reason'] !== null) && (next !== undefined || to !== null))
        wrong.push(`${id} end reason`)
      if (next === undefined) continue
      if (to !== next['valid_from']) wrong.push(`${id} has a gap or overlap at ${to}`)
      if (FACTS.every((fact) => span[fact] === next[fact])) wrong.push(`${id} could be joined at ${to}`)
    }
  }
  return wrong
}

/** Subscriptions whose movements do not add up to their levels (I1). */
export function levelFaults(rows: readonly Row[], moved: readonly Row[]): readonly string[] {
  const wrong: string[] = []
  const movements = bySubscription(moved)
  for (const [id, spans] of bySubscription(rows)) {
    for (const source of ['subscription', 'usage']) {
      for (const unit of ['_cents', '_base_cents']) {
        const own = (movements.get(id) ?? []).filter((row) => row['movement_source'] === source)
        for (const span of spans) {
          const sum = own
            .filter((row) => String(row['occurred_at']) <= String(span['valid_from']))
            .reduce((total, row) => total + Number(row[`amount${unit}`]), 0)
          if (sum !== Number(span[`${source}_mrr${unit}`])) wrong.push(`${id} ${source}${unit} at ${span['valid_from']}: ${sum}`)
        }
        const ended = spans.some((span) => span['end_reason'] !== null)
        const total = own.reduce((sum, row) => sum + Number(row[`amount${unit}`]), 0)
        if (ended && total !== 0) wrong.push(`${id} ${source}${unit} after its end: ${total}`)
      }
    }
  }
  return wrong
}
