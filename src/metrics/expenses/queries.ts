import * as z from 'zod'
import { inSlices } from '../../core/slices.ts'
import { dayCell, integerCell } from '../../ports/cells.ts'
import { dimensionValue } from '../../query/dimension-value.ts'
import { ACCOUNT_TYPE, VENDOR_DIMENSIONS } from '../../query/dimensions/expense.ts'
import type { Field } from '../../query/field.ts'
import type { QueryInputs } from '../../query/inputs.ts'
import { rangeTime } from '../../query/request.ts'
import { arrangeFigure, arrangeList } from '../arrange-rows.ts'
import { cents, count, FLOW, PERIOD } from '../columns.ts'
import type { MetricQuery } from '../define-query.ts'
import type { MetricContext } from '../readings/context.ts'
import { noExpenses, readExpenseLines } from '../readings/expenses.ts'
import { addCents, type KeyedRow, type PeriodGroup, tallyGroups } from '../readings/groups.ts'
import { bucketSlots, periodNames, ratioPeriods } from '../readings/periods.ts'

/** Columns of amounts. Those in the document currency exist only if each row has one currency (http-api.md 3.6). */
const original = cents('Amount in cents of `currency`; only if you group by currency', { adds: 'never' }).optional()
const amount = {
  amount_cents: original,
  amount_base_cents: cents('Amount in cents of the base currency', { ...FLOW, label: 'Amount', good: 'neither' }),
}
const lines = { line_count: count('Number of lines of bills and expenses', FLOW) }
const ACCOUNT_COLUMN = {
  account_type: z.string().describe(ACCOUNT_TYPE.description),
}
const VENDOR_COLUMNS = {
  vendor_id: z.string().nullable().describe('Id of the vendor in its books; null without a vendor'),
  vendor_name: z.string().describe('Name of the vendor; (unassigned) without one'),
}

function shown({ request }: MetricContext, measures: readonly string[]): readonly string[] {
  return request.unit === 'original' ? measures : measures.filter((name) => name !== 'amount_cents' && name !== 'total_cents')
}

const PAGE = { path: 'expenses' } as const

/** Total of the range, or by dimensions. */
export function totalQuery(inputs: QueryInputs): MetricQuery {
  const measures = {
    total_cents: original,
    total_base_cents: cents('Total in cents of the base currency', { ...FLOW, label: 'Total', good: 'neither' }),
    ...lines,
  }
  return Object.freeze({
    summary: 'All expenses in a range of days',
    page: PAGE,
    shows: 'totals' as const,
    inputs,
    plain: z.strictObject(measures),
    row: z.object(measures),
    run: async (context: MetricContext) => {
      const groups = await readSpent(context, context.request.dimensions)
      const columns = shown(context, Object.keys(measures))
      const found = groups.map(({ values, measures: [spent] }) => ({
        values,
        measures: [
          {
            total_cents: spent?.amount_cents ?? 0,
            total_base_cents: spent?.amount_base_cents ?? 0,
            line_count: spent?.line_count ?? 0,
          },
        ],
      }))
      const nothing = Object.fromEntries(columns.map((name) => [name, 0]))
      return arrangeFigure(context, { measures: columns, plain: undefined, nothing }, found)
    },
  })
}

/** The range by account type, largest first. */
export function byAccountTypeQuery(inputs: QueryInputs): MetricQuery {
  const row = z.object({ ...ACCOUNT_COLUMN, ...amount, ...lines })
  return Object.freeze({
    summary: 'Expenses by account type, largest first',
    page: PAGE,
    shows: 'totals' as const,
    inputs: { ...inputs, key_columns: ['account_type'] },
    plain: z.array(row),
    row,
    keys: ['account_type'],
    run: async (context: MetricContext) => {
      const groups = await readSpent(context, [ACCOUNT_TYPE, ...context.request.dimensions])
      const rows = groups.flatMap(({ values: [account_type = null, ...values], measures: [spent] }): readonly KeyedRow[] =>
        spent === undefined
          ? []
          : [
              {
                order: [-spent.amount_base_cents, account_type],
                keys: { account_type },
                values,
                measures: { ...spent },
              },
            ],
      )
      const columns = {
        keys: ['account_type'],
        measures: shown(context, Object.keys({ ...amount, ...lines })),
      }
      return arrangeList(context, columns, rows)
    },
  })
}

/** The range by vendor, largest first. */
export function byVendorQuery(inputs: QueryInputs): MetricQuery {
  const row = z.object({ ...VENDOR_COLUMNS, ...amount, ...lines })
  return Object.freeze({
    summary: 'Expenses by vendor, largest first',
    page: PAGE,
    inputs: { ...inputs, key_columns: ['vendor_id', 'vendor_name'] },
    plain: z.array(row),
    row,
    run: async (context: MetricContext) => {
      const groups = await readSpent(context, [...VENDOR_DIMENSIONS, ...context.request.dimensions])
      const rows = groups.flatMap(
        ({ values: [vendor_id = null, vendor_name = null, ...values], measures: [spent] }): readonly KeyedRow[] => {
          if (spent === undefined) return []
          const order = [-spent.amount_base_cents, vendor_name, vendor_id]
          return [
            {
              order,
              keys: { vendor_id, vendor_name },
              values,
              measures: { ...spent },
            },
          ]
        },
      )
      const columns = {
        keys: ['vendor_id', 'vendor_name'],
        measures: shown(context, Object.keys({ ...amount, ...lines })),
      }
      return arrangeList(context, columns, rows)
    },
  })
}

/** Each period by account type. A type with lines anywhere in the range has a row in every period. */
export function seriesQuery(inputs: QueryInputs): MetricQuery {
  const row = z.object({ period: PERIOD, ...ACCOUNT_COLUMN, ...amount })
  return Object.freeze({
    summary: 'Expenses of each period, by account type',
    page: PAGE,
    shows: 'totals' as const,
    inputs: {
      ...inputs,
      step: 'interval' as const,
      key_columns: ['account_type'],
    },
    plain: z.array(row),
    row,
    run: async (context: MetricContext) => {
      const names = periodNames(context.request.time) ?? []
      const groups = await readSpent(context, [ACCOUNT_TYPE, ...context.request.dimensions])
      const rows = groups.flatMap(({ values: [account_type = null, ...values], measures }) =>
        measures.map((spent, index): KeyedRow => {
          const period = names[index] ?? null
          return {
            order: [period, account_type],
            keys: { period, account_type },
            values,
            measures: { ...spent },
          }
        }),
      )
      const columns = {
        keys: ['period', 'account_type'],
        measures: shown(context, Object.keys(amount)),
      }
      return arrangeList(context, columns, rows)
    },
  })
}

/** Sums of lines, in cents. */
interface Spent {
  amount_cents: number
  amount_base_cents: number
  line_count: number
}

/** Expenses of the range, or of each of its periods, by the given fields (D60). AppError if there is no data to answer from. */
export async function readSpent(context: MetricContext, dimensions: readonly Field[]): Promise<readonly PeriodGroup<Spent>[]> {
  const time = rangeTime(context.request)
  const { conditions } = context.request
  const { start, end, interval } = time
  const rows = await context.inStore((store) =>
    readExpenseLines(context, store, {
      start,
      end,
      interval,
      dimensions,
      conditions,
    }),
  )
  if (rows === undefined) throw noExpenses(context)
  const tally = tallyGroups<Spent>(
    ratioPeriods(time).length,
    () => ({
      amount_cents: 0,
      amount_base_cents: 0,
      line_count: 0,
    }),
    context,
  )
  const slotOf = bucketSlots(time)
  const isOriginal = context.request.unit === 'original'
  for await (const row of inSlices(rows)) {
    const values = dimensions.map((field) => dimensionValue(row, field))
    const spent = tally.of(values, slotOf(dayCell(row, 'bucket')) - 1)
    if (spent === undefined) continue
    // Amounts are summed only if each group has one currency. Other answers do not show this column.
    if (isOriginal) spent.amount_cents = addCents(spent.amount_cents, row, 'amount_sum')
    spent.amount_base_cents = addCents(spent.amount_base_cents, row, 'base_sum')
    spent.line_count += integerCell(row, 'line_count')
  }
  return tally.groups().map(({ values, periods: measures }) => ({ values, measures }))
}
