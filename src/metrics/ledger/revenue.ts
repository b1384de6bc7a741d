import { inSlices } from '../../core/slices.ts'
import { integerCell } from '../../ports/cells.ts'
import { type DimensionValue, dimensionValue } from '../../query/dimension-value.ts'
import type { MetricContext, TemplateRun } from '../readings/context.ts'
import { refuseRowGaps } from '../readings/gaps.ts'
import { addCents, type PeriodGroup, tallyGroups } from '../readings/groups.ts'
import { type BookPeriod, bookPeriods, boundaries, lateDays } from './days.ts'
import { type Flows, readFlows } from './entries.ts'
import { CHARGE_KIND } from './fields.ts'
import { booksScope, booksWindow, chargeParams, closedOn, hasOtherIncome, NEVER, optionsOf } from './options.ts'

/** Revenue at the end of a day, and what its charges had recognized before the period. */
export interface Level {
  recognized: number
  /** Recognized of kinds of charges that are no revenue. */
  other_income: number
  before: number
  deferred: number
  unbilled: number
}

/** A row of the roll-forward of deferred revenue (R10). */
export interface Revenue {
  readonly opening_deferred: number
  readonly billed: number
  readonly adjusted: number
  readonly recognized: number
  readonly catch_up: number
  readonly late: number
  readonly other_income: number
  readonly opening_unbilled: number
  readonly closing_unbilled: number
  readonly closing_deferred: number
}

/** The roll-forward of deferred revenue of each period (R9, R10, R12). */
export async function readRevenue(context: MetricContext): Promise<readonly PeriodGroup<Revenue>[]> {
  const periods = bookPeriods(context.request.time)
  if (periods.length === 0) return []
  const levels = await readLevels(context, periods)
  const late = await readLate(context, periods)
  const flows = await readFlows(context, periods)
  return merged(levels, flows.groups).map(([values, level, flow]) => ({
    values,
    measures: periods.map((_, index) =>
      rollForward(level, flow[index + 1], late.get(JSON.stringify(values))?.[index] ?? 0, index),
    ),
  }))
}

/** Recognized revenue of each period (R9). */
export async function readRecognized(context: MetricContext): Promise<readonly PeriodGroup<Pick<Revenue, 'recognized'>>[]> {
  const periods = bookPeriods(context.request.time)
  if (periods.length === 0) return []
  return (await readLevels(context, periods)).map(({ values, periods: levels }) => ({
    values,
    measures: periods.map((_, index) => ({
      recognized: (levels[index + 1]?.recognized ?? 0) - (levels[index]?.recognized ?? 0),
    })),
  }))
}

function rollForward(levels: readonly Level[], flow: Flows | undefined, late: number, index: number): Revenue {
  const opening = levels[index] ?? NOTHING
  const closing = levels[index + 1] ?? NOTHING
  const recognized = closing.recognized - opening.recognized
  return {
    opening_deferred: opening.deferred,
    billed: flow?.charge ?? 0,
    adjusted: flow?.adjustment ?? 0,
    recognized,
    catch_up: recognized - (closing.recognized - closing.before),
    late,
    other_income: closing.other_income - opening.other_income,
    opening_unbilled: opening.unbilled,
    closing_unbilled: closing.unbilled,
    closing_deferred: closing.deferred,
  }
}

const NOTHING: Level = { recognized: 0, other_income: 0, before: 0, deferred: 0, unbilled: 0 }

/** A group of levels or flows. */
interface Group<T> {
  readonly values: readonly DimensionValue[]
  readonly periods: readonly T[]
}

/** The groups that either list has. */
function merged(
  levels: readonly Group<Level>[],
  flows: readonly Group<Flows>[],
): (readonly [readonly DimensionValue[], readonly Level[], readonly Flows[]])[] {
  const keyOf = ({ values }: Group<unknown>) => JSON.stringify(values)
  const flowOf = new Map(flows.map((group) => [keyOf(group), group.periods]))
  const known = new Set(levels.map(keyOf))
  return [
    ...levels.map((group) => [group.values, group.periods, flowOf.get(keyOf(group)) ?? []] as const),
    ...flows.filter((group) => !known.has(keyOf(group))).map(({ values, periods }) => [values, [], periods] as const),
  ]
}

/** Levels at the day before the first period and at the end of each. */
export async function readLevels(context: MetricContext, periods: readonly BookPeriod[]): Promise<readonly Group<Level>[]> {
  return readDivided(context, (own) => levelRun(own, periods), periods.length + 1)
}

/**
 * The levels of a statement at its days, by group. The kinds of charges that are no revenue have their recognized amounts as other income, and none
 * before the period.
 */
async function readDivided(
  context: MetricContext,
  runOf: (context: MetricContext) => TemplateRun,
  days: number,
): Promise<readonly Group<Level>[]> {
  if (!hasOtherIncome(context)) return readStates(context, runOf(context), days)
  const { dimensions } = context.request
  const kinds: readonly DimensionValue[] = optionsOf(context).revenue_kinds
  const place = dimensions.findIndex(({ key }) => key === CHARGE_KIND.key)
  const own = place < 0 ? { ...context, request: { ...context.request, dimensions: [...dimensions, CHARGE_KIND] } } : context
  const tally = tallyGroups<Level>(days, () => ({ ...NOTHING }), context)
  for (const { values, periods } of await readStates(own, runOf(own), days)) {
    const isRevenue = kinds.includes(values.at(place) ?? null)
    for (const [index, found] of periods.entries()) {
      const level = tally.of(values.slice(0, dimensions.length), index)
      if (level === undefined) continue
      if (!isRevenue) level.other_income += found.recognized
      else {
        level.recognized += found.recognized
        level.before += found.before
      }
      level.deferred += found.deferred
      level.unbilled += found.unbilled
    }
  }
  return tally.groups()
}

/** The levels of a statement at its days, by group. Every kind of charges is revenue. */
export async function readStates(context: MetricContext, run: TemplateRun, days: number): Promise<readonly Group<Level>[]> {
  const { dimensions, unit } = context.request
  const suffix = unit === 'base' ? 'base_sum' : 'sum'
  const rows = await context.run(run)
  await refuseRowGaps(context, rows, booksWindow(context))
  const tally = tallyGroups<Level>(days, () => ({ ...NOTHING }), context)
  for await (const row of inSlices(rows)) {
    const level = tally.of(
      dimensions.map((field) => dimensionValue(row, field)),
      integerCell(row, 'day_index'),
    )
    if (level === undefined) continue
    level.recognized = addCents(level.recognized, row, `at_${suffix}`)
    level.before = addCents(level.before, row, `before_${suffix}`)
    level.deferred = addCents(level.deferred, row, `deferred_${suffix}`)
    level.unbilled = addCents(level.unbilled, row, `unbilled_${suffix}`)
  }
  return tally.groups()
}

/** The statement of the levels at the boundaries of periods. */
export function levelRun(context: MetricContext, periods: readonly BookPeriod[]): TemplateRun {
  return {
    template: 'ledger/recognized',
    slots: booksScope(context).slots,
    params: chargeParams(context),
    inline: [boundaries(periods, (day) => closedOn(context, day))],
    window: booksWindow(context),
  }
}

/** The statement of the levels before each period, as known at the close of the month before and at that of the period (R22). */
export function lateRun(context: MetricContext, periods: readonly BookPeriod[]): TemplateRun {
  return { ...levelRun(context, periods), inline: [lateDays(periods, (day) => closedOn(context, day))] }
}

/** Revenue of each period for days before it that the month before did not know when it was closed (R22), by group. */
async function readLate(context: MetricContext, periods: readonly BookPeriod[]): Promise<ReadonlyMap<string, readonly number[]>> {
  if (closedOn(context, periods[0]?.first ?? '') === undefined) return new Map()
  const groups = await readDivided(context, (own) => lateRun(own, periods), 2 * periods.length)
  return new Map(
    groups.map(({ values, periods: levels }) => [
      JSON.stringify(values),
      periods.map((_, index) => (levels[2 * index + 1]?.recognized ?? 0) - (levels[2 * index]?.recognized ?? 0)),
    ]),
  )
}

/** A correction: what a month had recognized as it was known on a day, and as it is known now (R22). */
export async function readCorrections(context: MetricContext) {
  const now = await readRevenue({
    ...context,
    request: { ...context.request, ledger: { ...context.request.ledger, known_at: NEVER } },
  })
  const then = await readRevenue(context)
  const thenOf = new Map(then.map(({ values, measures }) => [JSON.stringify(values), measures]))
  return now.map(({ values, measures }) => ({
    values,
    measures: measures.map(({ recognized }, index) => {
      const recognized_then = thenOf.get(JSON.stringify(values))?.[index]?.recognized ?? 0
      return { recognized_then, recognized_now: recognized, difference: recognized - recognized_then }
    }),
  }))
}
