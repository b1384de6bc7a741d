import { fn, sql, textList } from '../../compiler/fragment.ts'
import { unitsOf } from '../../core/currency.ts'
import { groupBy } from '../../core/group-by.ts'
import { BEGINNING } from '../../core/periods.ts'
import { compileData, type RunContext } from '../../execution/run.ts'
import { dayOrNull, instantCell, integerOrNull, textCell, textOf } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { allOf } from '../filters.ts'
import type { Finding } from './rows.ts'

/** Most rows of one table that a finding shows: the last ones. The row that set its quantity comes with them. */
const MOST_OF_TABLE = 6

/** The key of a row, if the engine numbers its rows. */
const NUMBER = /^[1-9]\d{0,14}$/

/** The findings with the rows of the billing database that show them. The session is one of the billing database. */
export async function withEvidence(
  findings: readonly Finding[],
  { deps, session }: Pick<RunContext, 'deps' | 'session'>,
): Promise<readonly Finding[]> {
  if (findings.length === 0) return findings
  const ids = textList([...new Set(findings.map(({ subscription_id }) => subscription_id))])
  const filters = allOf([sql`${fn('text', sql`fact.subscription_id`)} in (${ids})`])
  const run = {
    template: 'billing_health/evidence',
    slots: { filters },
    params: {},
    window: { from: BEGINNING, to: session.now },
  }
  const rows = await session.snapshot.query(await compileData(run, undefined, { deps, session }))
  const bySubscription = groupBy(rows, subscriptionOf)
  return findings.map((finding) => ({
    ...finding,
    evidence: evidenceOf(finding, bySubscription.get(subscriptionOf(finding)) ?? []),
  }))
}

function subscriptionOf({ source_id, subscription_id }: Row | Finding): string {
  return JSON.stringify([source_id, subscription_id])
}

function evidenceOf(finding: Finding, own: readonly Row[]): Finding['evidence'] {
  const touching = own.filter((row) => touches(row, finding)).sort(byTime)
  const quantity = touching.findLast((row) => integerOrNull(row, 'quantity') !== null)
  const byTable = groupBy(touching, (row) => textOf(row, 'table_name'))
  return [...byTable.keys()].sort().flatMap((table) => {
    const rows = byTable.get(table) ?? []
    const last = rows.slice(-MOST_OF_TABLE)
    return rows.filter((row) => last.includes(row) || row === quantity).map(written)
  })
}

/** True for a row that is about the days of the finding, or that happened before their end. */
function touches(row: Row, { first_day, last_day }: Finding): boolean {
  const from = dayOrNull(row, 'from_on')
  const to = dayOrNull(row, 'to_on')
  if (from !== null && to !== null) return from <= last_day && to >= first_day
  return (instantCell(row, 'occurred_at') ?? '').slice(0, 10) <= last_day
}

function byTime(a: Row, b: Row): number {
  const at = (row: Row) => `${instantCell(row, 'occurred_at') ?? ''} ${textOf(row, 'row_key').padStart(20, '0')}`
  return at(a) < at(b) ? -1 : at(a) > at(b) ? 1 : 0
}

function written(row: Row): Finding['evidence'][number] {
  const key = textOf(row, 'row_key')
  const isNumber = NUMBER.test(key)
  return {
    table: textOf(row, 'table_name'),
    record_id: isNumber ? Number(key) : null,
    id: textCell(row, 'row_id') ?? (isNumber ? null : key),
    occurred_at: instantCell(row, 'occurred_at'),
    note: noteOf(row),
  }
}

function noteOf(row: Row): string {
  const cents = integerOrNull(row, 'amount_cents')
  const quantity = integerOrNull(row, 'quantity')
  const currency = textCell(row, 'currency') ?? ''
  const from = dayOrNull(row, 'from_on')
  const priced = dayOrNull(row, 'priced_on')
  const parts = [
    textOf(row, 'row_kind'),
    textCell(row, 'detail'),
    quantity === null ? null : `quantity ${quantity}`,
    cents === null ? null : `${unitsOf(cents, currency)} ${currency}`,
    from === null ? null : `from ${from} to before ${dayOrNull(row, 'to_on') ?? ''}`,
    priced === null ? null : `at the price of the catalog of ${priced}`,
  ]
  return parts.filter((part) => part !== null).join(' ')
}
