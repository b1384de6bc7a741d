import { fn, sql } from '../../compiler/fragment.ts'
import { BEGINNING, dayOf, sqlInstant } from '../../core/periods.ts'
import { inSlices } from '../../core/slices.ts'
import { dayCell } from '../../ports/cells.ts'
import { dimensionValue } from '../../query/dimension-value.ts'
import { CUSTOMER_DIMENSIONS } from '../../query/dimensions/customer.ts'
import { type FactContext, type Field, readsSpans } from '../../query/field.ts'
import { fieldsOf, rangeTime } from '../../query/request.ts'
import { compileScope } from '../../query/scope.ts'
import { pointAt } from '../../query/timeframe.ts'
import type { MetricContext, TemplateRun } from '../readings/context.ts'
import { amountsOf, type CellContext, type Counted, inGroups, OF_SUBSCRIPTION, SUM } from '../readings/counted.ts'
import { factOf } from '../readings/facts.ts'
import { refuseRowGaps } from '../readings/gaps.ts'
import { addCents, type PeriodGroup, tallyGroups } from '../readings/groups.ts'
import { bucketSlots, bucketStep, periodNames, ratioPeriods } from '../readings/periods.ts'

/** Cents of paid usage. */
interface Usage {
  revenue: number
}

const WHO = CUSTOMER_DIMENSIONS.filter(({ key }) => key === 'customer_id' || key === 'customer_name')

/** Usage revenue of the range, or of each of its periods (D59). */
export async function readTotal(context: MetricContext) {
  return readRevenue(context, context.request.dimensions)
}

/** Usage revenue of each customer that has any, largest first in each period (I15). */
export async function readByCustomer(context: MetricContext) {
  const names = periodNames(context.request.time)
  const groups = await readRevenue(context, [...WHO, ...context.request.dimensions])
  return groups.flatMap(({ values: [customer_id = null, customer_name = null, ...values], measures }) =>
    measures.flatMap((usage, index) => {
      if (usage.revenue === 0) return []
      const keys = {
        period: names?.[index] ?? null,
        customer_id,
        customer_name,
      }
      return [
        {
          order: [keys.period, -usage.revenue, customer_id],
          keys,
          values,
          measures: usage,
        },
      ]
    }),
  )
}

// Without an interval there is one period.
async function readRevenue(context: MetricContext, dimensions: readonly Field[]): Promise<readonly PeriodGroup<Usage>[]> {
  const time = rangeTime(context.request)
  const { unit } = context.request
  const periods = ratioPeriods(time)
  if (periods.length === 0) return []
  const tally = tallyGroups<Usage>(periods.length, () => ({ revenue: 0 }), context)
  const rows = await context.run(usageRun(context, dimensions))
  await refuseRowGaps(context, rows, time)
  const slotOf = bucketSlots(time)
  for await (const row of inSlices(rows)) {
    const values = dimensions.map((field) => dimensionValue(row, field))
    const usage = tally.of(values, slotOf(dayCell(row, 'bucket')) - 1)
    if (usage !== undefined) usage.revenue = addCents(usage.revenue, row, unit === 'base' ? 'revenue_base_sum' : 'revenue_sum')
  }
  return tally.groups().map(({ values, periods: measures }) => ({ values, measures }))
}

/** The statement of the usage charges in the range. */
function usageRun(context: MetricContext, dimensions: readonly Field[]): TemplateRun {
  const time = rangeTime(context.request)
  const { conditions } = context.request
  return {
    template: readsSpans(fieldsOf({ dimensions, conditions })) ? 'usage_revenue/total_by_plan' : 'usage_revenue/total',
    slots: compileScope(dimensions, conditions, chargeFact(context)).slots,
    params: {
      // The day of a charge is no instant, so neither are its bounds.
      start: sqlInstant(time.from),
      end: sqlInstant(time.to),
      step: bucketStep(time.interval),
      base_currency: context.definitions.base_currency,
    },
    window: { from: BEGINNING, to: pointAt(dayOf(context.now), context.now).before },
  }
}

/** Usage charges. Values that can change are those at 00:00 of the day of the charge (D61). */
function chargeFact(context: MetricContext): FactContext {
  return factOf(context, {
    fact: 'movement',
    instant: sql`fact.charge_date`,
    isBefore: sql`1 = 0`,
  })
}

/** Paid usage: a row is the charge of an item in one month of service. */
export function usageCharges(cell: CellContext): Counted {
  return {
    kind: 'cents',
    parts: [
      {
        run: usageRun(cell, cell.request.dimensions),
        fact: {
          ...OF_SUBSCRIPTION,
          plan: sql`fact.plan`,
          document_id: fn('text', sql`fact.charge_id`),
          occurred_at: sql`fact.paid_at`,
        },
        measure: { ...amountsOf(cell), fixed_on: sql`paid_on` },
        where: inGroups(cell),
      },
    ],
    total: SUM,
  }
}
