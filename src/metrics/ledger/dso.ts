import { type Fragment, sql } from '../../compiler/fragment.ts'
import { ratio } from '../../core/money.ts'
import { daysBefore } from '../../core/periods.ts'
import { inSlices } from '../../core/slices.ts'
import { integerCell } from '../../ports/cells.ts'
import { dimensionValue } from '../../query/dimension-value.ts'
import type { RowsByMeasure } from '../define-query.ts'
import type { MetricContext, TemplateRun } from '../readings/context.ts'
import { type CountRows, inGroups, SUM } from '../readings/counted.ts'
import { refuseRowGaps } from '../readings/gaps.ts'
import { addCents, tallyGroups } from '../readings/groups.ts'
import { bookPeriods, dayRelation } from './days.ts'
import { readOpen } from './flows.ts'
import { booksScope, booksWindow, entryParams } from './options.ts'
import { balanceRun } from './receivables.ts'

/** Days up to the day of the figure whose billings and payments count (R29). */
const DAYS = 90

interface Sales {
  billings: number
  paid: number
  /** Amounts paid, each times the days from the issue of its invoice. */
  paid_days: number
}

/** Days sales outstanding and collection period at the end of the day, or of each period (R29). */
export async function readDso(context: MetricContext) {
  const days = bookPeriods(context.request.time).map(({ last }) => last)
  if (days.length === 0) return []
  const open = await readOpen(context, days)
  const sales = new Map((await readSales(context, days)).map(({ values, periods }) => [JSON.stringify(values), periods]))
  return [...new Set([...open.keys(), ...sales.keys()])].map((key) => ({
    values: JSON.parse(key),
    measures: days.map((_, index) => measuresOf(open.get(key)?.receivables[index] ?? 0, sales.get(key)?.[index] ?? noSales())),
  }))
}

function measuresOf(receivables: number, { billings, paid, paid_days }: Sales) {
  return {
    dso: billings > 0 ? ratio(DAYS * receivables, billings, 2) : null,
    collection_period: paid > 0 ? ratio(paid_days, paid, 2) : null,
    receivables,
    billings,
    paid,
  }
}

function noSales(): Sales {
  return { billings: 0, paid: 0, paid_days: 0 }
}

async function readSales(context: MetricContext, days: readonly string[]) {
  const { dimensions, unit } = context.request
  const suffix = unit === 'base' ? 'base_sum' : 'sum'
  const rows = await context.run(salesRun(context, days))
  await refuseRowGaps(context, rows, booksWindow(context))
  const tally = tallyGroups<Sales>(days.length, noSales, context)
  for await (const row of inSlices(rows)) {
    const found = tally.of(
      dimensions.map((field) => dimensionValue(row, field)),
      integerCell(row, 'day_index'),
    )
    if (found === undefined) continue
    found.billings = addCents(found.billings, row, `billed_${suffix}`)
    found.paid = addCents(found.paid, row, `paid_${suffix}`)
    found.paid_days = addCents(found.paid_days, row, `paid_days_${suffix}`)
  }
  return tally.groups()
}

function salesRun(context: MetricContext, days: readonly string[]): TemplateRun {
  return {
    template: 'ledger/dso',
    slots: booksScope(context).slots,
    params: entryParams(context),
    inline: [dayRelation(days.map((day) => ({ day, before: daysBefore(day, DAYS) })))],
    window: booksWindow(context),
  }
}

const RUNS = { balance: balanceRun, sales: salesRun }

/** Invoices with an amount at the end of the day, or in the days before it. */
function invoices(run: keyof typeof RUNS, cents: Fragment, base: Fragment, fixed_on: Fragment): CountRows {
  return (cell) => ({
    kind: 'cents',
    parts: [
      {
        run: RUNS[run](
          cell,
          bookPeriods(cell.request.time).map(({ last }) => last),
        ),
        fact: { customer_key: sql`fact.customer_key`, currency: sql`fact.currency`, document_id: sql`fact.invoice_id` },
        measure: { amount_cents: cents, amount: cell.request.unit === 'base' ? base : cents, fixed_on },
        where: inGroups(cell),
      },
    ],
    total: SUM,
  })
}

/** The rows behind days sales outstanding: a row is an invoice. */
export const DSO_ROWS: RowsByMeasure = {
  receivables: invoices('balance', sql`balance_cents`, sql`balance_base_cents`, sql`rated_on`),
  billings: invoices('sales', sql`billed_cents`, sql`billed_base_cents`, sql`posted_on`),
  paid: invoices('sales', sql`paid_cents`, sql`paid_base_cents`, sql`posted_on`),
}
