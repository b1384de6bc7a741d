import { empty } from '../../compiler/fragment.ts'
import { AppError } from '../../core/errors.ts'
import { ratio } from '../../core/money.ts'
import { textOf } from '../../ports/cells.ts'
import type { Condition } from '../../query/condition.ts'
import { ACCOUNT_TYPE } from '../../query/dimensions/expense.ts'
import type { RangeTime } from '../../query/timeframe.ts'
import type { MetricContext } from '../readings/context.ts'
import { readExpenseLines } from '../readings/expenses.ts'
import { refuseRowGaps } from '../readings/gaps.ts'
import { addCents } from '../readings/groups.ts'
import type { Margins } from './answers.ts'

const UNKNOWN: Margins = { gross_margin: null, operating_margin: null }
/** Only these lines of the books are read, so no other line needs a rate. */
const COSTS: Condition = {
  field: ACCOUNT_TYPE,
  operator: 'in',
  values: ['cogs', 'expense'],
}
const NO_SLOTS = {
  dimensions: empty,
  dimension_names: empty,
  joins: empty,
  filters: empty,
  group_by: empty,
}

/**
 * Gross and operating margin of a window: the share of the paid invoices that remains after cost of goods sold, and after all
 * expenses (D60). Null if the window has no such expenses or no revenue. Also null if the request has filters or segments,
 * because books have no customers. AppError `missing_fx_rate`.
 */
export async function readMargins(context: MetricContext, window: RangeTime): Promise<Margins> {
  const { audience, conditions, compared } = context.request
  if (audience !== undefined || conditions.length > 0 || compared.length > 0 || !context.isSupplied('invoice')) return UNKNOWN
  const spent = await readSpent(context, window)
  if (spent === undefined) return UNKNOWN
  const revenue = await readRevenue(context, window)
  return {
    gross_margin: ratio(revenue - spent.cogs, revenue),
    operating_margin: ratio(revenue - spent.cogs - spent.expense, revenue),
  }
}

/** Cents of the account types cogs and expense; undefined if the window has no such lines. */
async function readSpent(context: MetricContext, { start, end }: RangeTime) {
  const scope = {
    start,
    end,
    interval: undefined,
    dimensions: [],
    conditions: [COSTS],
  }
  const rows = await unlessStoreIsOut(context, () => context.inStore((store) => readExpenseLines(context, store, scope)))
  const sum = (type: string) =>
    rows?.reduce((total, row) => (textOf(row, 'account_type') === type ? addCents(total, row, 'base_sum') : total), 0) ?? 0
  return rows === undefined || rows.length === 0 ? undefined : { cogs: sum('cogs'), expense: sum('expense') }
}

// The other figures need no store, so the summary continues without it.
async function unlessStoreIsOut<T>(context: MetricContext, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'unsupported_by_connector') return undefined
    if (error.code !== 'connector_unavailable') throw error
    context.warn({
      code: 'partial',
      message: `Margins are left out. ${error.message}`,
    })
    return undefined
  }
}

async function readRevenue(context: MetricContext, { from, to }: RangeTime): Promise<number> {
  const rows = await context.run({
    template: 'summary/revenue',
    slots: NO_SLOTS,
    params: {
      start: from,
      end: to,
      base_currency: context.definitions.base_currency,
    },
    window: { from, to },
  })
  await refuseRowGaps(context, rows, { from, to })
  return rows.reduce((total, row) => addCents(total, row, 'revenue_base_sum'), 0)
}
