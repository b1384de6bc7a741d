import { beforeAll, expect, it } from 'vitest'
import { createLagoConnector } from '../../connectors/lago/index.ts'
import { parseInteger } from '../../src/core/money.ts'
import type { Row } from '../../src/ports/rows.ts'
import { sharedNorth } from '../support/data/lago/north-database.ts'
import { northExpected } from '../support/data/lago/north-rows.ts'
import { onPostgres } from '../support/databases/targets.ts'
import { northFigures } from '../support/oracles/lago/switch-loops.ts'
import { END_OF_NORTH, NORTH_RATES } from '../support/product/lago-engine.ts'
import { connectorRows } from '../support/product/relation-rows.ts'

interface Span {
  readonly valid_from: string
  readonly valid_to: string | null
  readonly status: string
  readonly plan: string
  readonly phase: string
  readonly currency: string
  readonly subscription_mrr_cents: number
  readonly subscription_mrr_base_cents: number
  readonly usage_mrr_cents: number
  readonly usage_mrr_base_cents: number
  readonly start_reason: string
  readonly end_reason: string | null
  readonly is_unpriced: boolean
}
interface Trial {
  readonly subscription: string
  readonly started_at: string
  readonly converted_at: string | null
  readonly expired_at: string | null
}
interface PaidInvoice {
  readonly invoice_id: string
  readonly paid_at: string
  readonly amount_cents: number
}
interface UsageCharge {
  readonly fee: string
  readonly paid_at: string
  readonly date: string
  readonly amount_cents: number
  readonly currency: string
}

/** A cell as the figures write it: instants in ISO form, whole numbers as numbers. */
function written(cell: Row[string] | undefined): unknown {
  if (typeof cell !== 'string') return cell ?? null
  if (/^\d{4}-\d{2}-\d{2} /.test(cell)) return `${cell.replace(' ', 'T')}Z`
  return /^-?\d+$/.test(cell) ? parseInteger(cell) : cell
}

/** Cells of columns as one text per row, in order. */
function lines(rows: readonly Row[], columns: readonly string[]): readonly string[] {
  return rows.map((row) => JSON.stringify(columns.map((column) => written(row[column])))).sort()
}

function expectedLines<T>(rows: readonly T[], columns: readonly (keyof T)[]): readonly string[] {
  return rows.map((row) => JSON.stringify(columns.map((column) => row[column]))).sort()
}

onPostgres('the history of a Lago organization', (target) => {
  let found: Awaited<ReturnType<typeof read>>
  const read = async () =>
    connectorRows(
      createLagoConnector({ organization: [] }),
      await sharedNorth(target),
      ['mrr_span', 'mrr_movement', 'trial', 'invoice', 'usage_charge'],
      { now: END_OF_NORTH, rates: NORTH_RATES, definitions: { allow_unpriced: true } },
    )
  beforeAll(async () => {
    found = await read()
  })

  it('has the known spans of each subscription', () => {
    const spans = Object.entries(northExpected<Record<string, Span[]>>('spans')).flatMap(([subscription_id, own]) =>
      own.map((span) => ({ subscription_id, ...span, phase_type: span.phase })),
    )
    const columns = [
      ...(['subscription_id', 'valid_from', 'valid_to', 'status', 'plan', 'phase_type', 'currency'] as const),
      ...(['subscription_mrr_cents', 'usage_mrr_cents', 'subscription_mrr_base_cents', 'usage_mrr_base_cents'] as const),
      ...(['start_reason', 'end_reason', 'is_unpriced'] as const),
    ]
    expect(lines(found.mrr_span, columns)).toEqual(expectedLines(spans, columns))
  })

  it('has the known movements, and a customer that goes on in another currency has not churned (D85)', () => {
    const moved = found.mrr_movement.filter((row) => written(row['amount_cents']) !== 0)
    const columns = ['occurred_at', 'amount_cents', 'amount_base_cents', 'reason', 'currency'] as const
    expect(lines(moved, ['subscription_id', 'movement_source', 'movement_type', ...columns])).toEqual(
      expectedLines(northFigures(true).movements, ['subscription', 'source', 'type', ...columns]),
    )
  })

  it('has the known trials with their outcomes', () => {
    const columns = ['started_at', 'converted_at', 'expired_at'] as const
    expect(lines(found.trial, ['subscription_id', ...columns])).toEqual(
      expectedLines(northExpected<Trial[]>('trials'), ['subscription', ...columns]),
    )
  })

  it('has the known paid invoices, with the instant of payment and the amount in money', () => {
    const columns = ['invoice_id', 'paid_at', 'amount_cents'] as const
    expect(lines(found.invoice, columns)).toEqual(expectedLines(northExpected<PaidInvoice[]>('paid_invoices'), columns))
  })

  it('has the known usage charges, on the days of their customers', () => {
    const columns = ['paid_at', 'amount_cents', 'currency'] as const
    expect(lines(found.usage_charge, ['charge_id', 'charge_date', ...columns])).toEqual(
      expectedLines(northExpected<UsageCharge[]>('usage_charges'), ['fee', 'date', ...columns]),
    )
  })
})
