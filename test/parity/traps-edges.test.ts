import { beforeAll, describe, expect, it } from 'vitest'
import type { Row } from '../../src/connector-kit/connector.ts'
import { isTrue } from '../../src/ports/cells.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/targets.ts'
import { foldScenario, spanLines } from '../support/oracles/fold/fold-scenario.ts'
import type { Span } from '../support/oracles/killbill/fold/span.ts'
import { relationRows } from '../support/product/relation-rows.ts'
import { trapDatabase } from '../support/product/trap-engines.ts'
import { EDGE_TRAPS, type EdgeTrap } from './edge-traps.ts'

/** The result of a trap on either side. */
type Found = Partial<Pick<EdgeTrap, 'spans' | 'paid' | 'charges' | 'balances'>>

describe('edges of the rules in the fold', () => {
  it.each(Object.entries(EDGE_TRAPS))('%s', (_name, { scenario, balances: _, ...expected }) => {
    const customers = foldScenario(scenario)
    const found: Found = {
      ...(expected.spans === undefined ? {} : { spans: linesOf(Object.keys(expected.spans), customers) }),
      ...(expected.paid === undefined
        ? {}
        : { paid: customers.flatMap((customer) => customer.paid_invoices.map(paidLine)).sort() }),
      ...(expected.charges === undefined
        ? {}
        : { charges: customers.flatMap((customer) => customer.usage_charges.map(({ date, cents }) => `${date} ${cents}`)) }),
    }
    expect(found).toEqual(expected)
  })
})

oneEngineInRotation('edges of the rules in SQL', (target) => {
  let database: TestDatabase
  beforeAll(async () => {
    const scenarios = Object.fromEntries(Object.entries(EDGE_TRAPS).map(([name, { scenario }]) => [name, scenario]))
    database = await trapDatabase(target, scenarios)
  })

  it.each(Object.entries(EDGE_TRAPS))('%s', async (name, { scenario, ...expected }) => {
    const names = ['mrr_span', 'invoice', 'usage_charge', 'billed_invoice'] as const
    const now = new Date(`${scenario.now ?? '2026-01-01'}T00:00:00Z`)
    const rows = await relationRows(database, names, { now, tenant: [name], rates: [], params: { usage_invoices_only: false } })
    const spans = rows.mrr_span
      .map((row) => ({ ...row, subscription_id: own(row['subscription_id']), is_unpriced: isTrue(row['is_unpriced']) }))
      .sort(by('valid_from')) as unknown as Span[]
    const found: Found = {
      ...(expected.spans === undefined ? {} : { spans: linesOf(Object.keys(expected.spans), [{ spans }]) }),
      ...(expected.paid === undefined ? {} : { paid: rows.invoice.map(paidRow).sort() }),
      ...(expected.charges === undefined
        ? {}
        : {
            charges: [...rows.usage_charge].sort(by('charge_date')).map((row) => `${row['charge_date']} ${row['amount_cents']}`),
          }),
      ...(expected.balances === undefined
        ? {}
        : {
            balances: Object.fromEntries(
              rows.billed_invoice.map((row) => [own(row['invoice_id']), Number(row['balance_cents'])]),
            ),
          }),
    }
    expect(found).toEqual(expected)
  })
})

function linesOf(names: readonly string[], customers: Parameters<typeof spanLines>[0]): Record<string, readonly string[]> {
  return Object.fromEntries(names.map((name) => [name, spanLines(customers, name)]))
}

function paidLine({
  invoice_id,
  paid_at,
  amount,
}: {
  invoice_id: string
  paid_at: string
  amount: { toFixed(): string }
}): string {
  return `${invoice_id} ${paid_at} ${Math.round(Number(amount.toFixed()) * 100)}`
}

function paidRow(row: Row): string {
  return `${own(row['invoice_id'])} ${row['paid_at']} ${row['amount_cents']}`
}

/** The id without the number of the scenario. */
function own(id: unknown): string {
  return String(id).replace(/^\d+:/, '')
}

function by(column: string): (a: Row, b: Row) => number {
  return (a, b) => (String(a[column]) < String(b[column]) ? -1 : 1)
}
