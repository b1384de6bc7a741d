import { parseInteger } from '../../core/money.ts'
import { text, textCell, textOf } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import type { Report } from './finding.ts'

// Later than every instant: an open span ends there (D4).
const NEVER = '9999-12-31 00:00:00'

/** The rows of one subscription, in the order of `by`. */
export function bySubscription(rows: readonly Row[], by: 'valid_from' | 'occurred_at'): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const id = textOf(row, 'subscription_id')
    const known = groups.get(id)
    if (known === undefined) groups.set(id, [row])
    else known.push(row)
  }
  for (const group of groups.values()) group.sort((a, b) => (text(a[by]) < text(b[by]) ? -1 : 1))
  return groups
}

/** Spans are half-open, not empty and do not overlap within a subscription (D28). A subscription has one currency (D9). */
export function checkSpans(spans: ReadonlyMap<string, readonly Row[]>, report: Report): void {
  for (const [id, own] of spans) {
    const currencies = [...new Set(own.map((span) => textCell(span, 'currency')))]
    if (currencies.length > 1) report('spans', 'a subscription has several currencies', `${id} ${currencies.join(', ')}`)
    for (const [index, span] of own.entries()) {
      const [from, to] = [textOf(span, 'valid_from'), endOf(span)]
      if (to <= from) report('spans', 'a span ends where it begins or before', `${id} [${from}, ${to})`)
      const next = own[index + 1]
      if (next !== undefined && textOf(next, 'valid_from') < to)
        report(
          'spans',
          'two spans of a subscription overlap',
          `${id} [${from}, ${to}) and the one from ${textOf(next, 'valid_from')}`,
        )
    }
  }
}

const COMPONENTS = ['subscription', 'usage'] as const
const UNITS = [
  ['mrr_cents', 'amount_cents'],
  ['mrr_base_cents', 'amount_base_cents'],
] as const

/** At any instant, the movements of a subscription and component sum to its MRR at that instant, original and base (I1). */
export function checkMovements(
  spans: ReadonlyMap<string, readonly Row[]>,
  movements: ReadonlyMap<string, readonly Row[]>,
  report: Report,
): void {
  for (const id of new Set([...spans.keys(), ...movements.keys()])) {
    const levels = spans.get(id) ?? []
    for (const component of COMPONENTS) {
      const moved = (movements.get(id) ?? []).filter((row) => row['movement_source'] === component)
      for (const [level, amount] of UNITS) {
        // Without a rate the base amount is not known, so there is nothing to check (D14).
        if ([...levels.map((row) => row[`${component}_${level}`]), ...moved.map((row) => row[amount])].includes(null)) continue
        const at = firstDifference(changesOf(levels, `${component}_${level}`), changesOf(moved, amount))
        if (at !== undefined)
          report('movements', `${component} movements do not sum to "${component}_${level}"`, `${id} at ${at}`)
      }
    }
  }
}

/** Net change by instant: the sums that spans of a column add and remove, or the amounts of movements. */
function changesOf(rows: readonly Row[], column: string): ReadonlyMap<string, number> {
  const changes = new Map<string, number>()
  const add = (at: string, cents: number) => changes.set(at, (changes.get(at) ?? 0) + cents)
  for (const row of rows) {
    const cents = parseInteger(row[column])
    if ('occurred_at' in row) add(textOf(row, 'occurred_at'), cents)
    else {
      add(textOf(row, 'valid_from'), cents)
      add(endOf(row), -cents)
    }
  }
  changes.delete(NEVER)
  return changes
}

// If the changes are equal at every instant, the sums up to every instant are equal too.
function firstDifference(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): string | undefined {
  const instants = [...new Set([...a.keys(), ...b.keys()])].sort()
  return instants.find((at) => (a.get(at) ?? 0) !== (b.get(at) ?? 0))
}

function endOf(span: Row): string {
  return textCell(span, 'valid_to') ?? NEVER
}
