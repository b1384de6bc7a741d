import { dayAfter, dayOf, numberOfDay } from '../../core/periods.ts'
import { inSlices } from '../../core/slices.ts'
import { integerCell } from '../../ports/cells.ts'
import { type DimensionValue, dimensionValue } from '../../query/dimension-value.ts'
import { rangeTime } from '../../query/request.ts'
import type { MetricContext, TemplateRun } from '../readings/context.ts'
import { refuseRowGaps } from '../readings/gaps.ts'
import { addCents, type PeriodGroup, type TalliedGroup, tallyGroups } from '../readings/groups.ts'
import { readPoint } from '../readings/levels.ts'
import { bookPeriods } from './days.ts'
import { CHARGE_KIND } from './fields.ts'
import { booksScope, closedOn, optionsOf } from './options.ts'
import { levelRun, readStates } from './revenue.ts'

/** The steps from MRR to recognized revenue (D97). Each is an amount that its own rule gives; together they are `recognized`. */
export interface MrrBridge {
  readonly mrr: number
  readonly usage_component: number
  readonly movements: number
  readonly billed_otherwise: number
  readonly length_of_months: number
  readonly catch_up: number
  readonly usage: number
  readonly fixed_and_one_off: number
  readonly rates: number
  readonly other_income: number
  readonly recognized: number
}

/** The amounts of a group that the steps lie between. */
interface Points {
  subscription_mrr: number
  usage_mrr: number
  /** Means over the days of the month. */
  agreed: number
  billed: number
  rates: number
  /** Recurring revenue for service days of the month, and for earlier ones. */
  recurring: number
  catch_up: number
  usage: number
  others: number
  /** Of all these, what is no revenue. */
  other_income: number
}

/** The bridge of a month (R30). */
export async function readMrrBridge(context: MetricContext): Promise<readonly PeriodGroup<MrrBridge>[]> {
  const { dimensions, unit } = context.request
  const tally = tallyGroups<Points>(1, noPoints, context)
  const of = (values: readonly DimensionValue[]) => tally.of(values, 0) ?? noPoints()
  for (const { values, levels } of await readPoint(context, rangeTime(context.request).to)) {
    const points = of(values)
    points.subscription_mrr += levels[0]?.subscription ?? 0
    points.usage_mrr += levels[0]?.usage ?? 0
  }
  for (const name of unit === 'base' ? (['agreed', 'billed', 'rates'] as const) : (['agreed', 'billed'] as const))
    for (const { values, periods } of await readMeans(context, name)) of(values)[name] += periods[0]?.amount ?? 0
  const byKind = {
    ...context,
    request: { ...context.request, dimensions: [...dimensions, CHARGE_KIND] },
  }
  const kinds: readonly DimensionValue[] = optionsOf(context).revenue_kinds
  const run = levelRun(byKind, bookPeriods(context.request.time))
  for (const { values, periods } of await readStates(byKind, run, 2)) {
    const points = of(values.slice(0, -1))
    const [opening, closing] = periods
    const ofDays = (closing?.recognized ?? 0) - (closing?.before ?? 0)
    const recognized = (closing?.recognized ?? 0) - (opening?.recognized ?? 0)
    const kind = values.at(-1) ?? null
    if (!kinds.includes(kind)) points.other_income += recognized
    if (kind === 'usage') points.usage += recognized
    else if (kind !== 'recurring') points.others += recognized
    else {
      points.recurring += ofDays
      points.catch_up += recognized - ofDays
    }
  }
  return tally.groups().map(({ values, periods }) => ({ values, measures: periods.map(stepsOf) }))
}

function noPoints(): Points {
  return {
    subscription_mrr: 0,
    usage_mrr: 0,
    agreed: 0,
    billed: 0,
    rates: 0,
    recurring: 0,
    catch_up: 0,
    usage: 0,
    others: 0,
    other_income: 0,
  }
}

function stepsOf(points: Points): MrrBridge {
  return {
    mrr: points.subscription_mrr + points.usage_mrr,
    usage_component: 0 - points.usage_mrr,
    movements: points.agreed - points.subscription_mrr,
    billed_otherwise: points.billed - points.agreed,
    // At the rates of MRR, as the amounts before it.
    length_of_months: points.recurring - points.rates - points.billed,
    catch_up: points.catch_up,
    usage: points.usage,
    fixed_and_one_off: points.others,
    rates: points.rates,
    other_income: 0 - points.other_income,
    recognized: points.recurring + points.catch_up + points.usage + points.others - points.other_income,
  }
}

/** The amounts that one statement has, by group. */
async function readMeans(
  context: MetricContext,
  name: keyof typeof TEMPLATES,
): Promise<readonly TalliedGroup<{ amount: number }>[]> {
  const { dimensions, unit } = context.request
  const run = bridgeRun(context, name)
  const rows = await context.run(run)
  await refuseRowGaps(context, rows, run.window)
  const tally = tallyGroups(1, () => ({ amount: 0 }), context)
  let unknown = 0
  for await (const row of inSlices(rows)) {
    if (name === 'billed') unknown += integerCell(row, 'unknown_count')
    const found = tally.of(
      dimensions.map((field) => dimensionValue(row, field)),
      0,
    )
    if (found !== undefined) found.amount = addCents(found.amount, row, unit === 'base' ? 'amount_base_sum' : 'amount_sum')
  }
  if (unknown > 0)
    context.warn({
      code: 'unpriced_plan',
      message: UNKNOWN_PRICE,
      count: unknown,
    })
  return tally.groups()
}

const UNKNOWN_PRICE = 'The billing period of charged items is unknown. On their days, the agreed amount counts as the billed one.'

const TEMPLATES = {
  agreed: 'ledger/bridge_agreed',
  billed: 'ledger/bridge_billed',
  rates: 'ledger/bridge_rates',
} as const

/** The statement of what is agreed or billed in the month, or of the difference of its rates: a row is a subscription. */
export function bridgeRun(context: MetricContext, name: keyof typeof TEMPLATES): TemplateRun {
  const { start, end, from } = rangeTime(context.request)
  const { fx, base_currency } = context.definitions
  const days = { first_day: numberOfDay(start), end_day: numberOfDay(end) + 1 }
  const valued_on = fx === 'period_end' ? end : null
  const { spread, one_off, unbilled, known_on: known } = optionsOf(context)
  const known_on = closedOn(context, end) ?? known
  return {
    template: TEMPLATES[name],
    slots: booksScope(context).slots,
    params: {
      base_currency,
      valued_on,
      ...days,
      ...(name === 'agreed' ? {} : { last_on: end }),
      ...(name === 'rates' ? { spread, one_off, unbilled, known_on } : {}),
    },
    // The last day of an account may end up to a day later than that of UTC.
    window: { from, to: dayAfter(dayOf(dayAfter(end))) },
  }
}
