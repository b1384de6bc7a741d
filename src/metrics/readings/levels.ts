import { sql } from '../../compiler/fragment.ts'
import { flatMapInSlices, mapInSlices } from '../../core/slices.ts'
import { dayCell, integerCell } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { matchesText } from '../../query/condition-match.ts'
import { fieldsOf, readsBaseAmounts } from '../../query/request.ts'
import { compileScope, type Scope } from '../../query/scope.ts'
import type { RangeTime } from '../../query/timeframe.ts'
import type { MetricContext, TemplateRun } from './context.ts'
import { levelFact, levelScope, windowOf } from './facts.ts'
import { listUnpriced, refuseGaps } from './gaps.ts'
import { type Component, type LevelGroup, type LevelTable, tabulateLevels } from './level-rows.ts'
import { bucketSlots, bucketStep, instantRelation, OPENING_BUCKET } from './periods.ts'

/** Levels just before an instant, by group. Without dimensions there is at most one group. */
export async function readPoint(context: MetricContext, before: Date): Promise<readonly LevelGroup[]> {
  const scope = levelScope(context, before)
  const rows = await context.run({
    template: 'mrr/current',
    slots: scope.slots,
    params: { before },
    window: windowOf(scope, { from: before, to: before }),
  })
  const table = await tabulateLevels(rows, {
    fields: scope.grouped,
    instants: 1,
    unit: context.request.unit,
    cumulate: false,
    context,
    slot: () => 0,
  })
  return finish(context, scope, table, { from: before, to: before })
}

/**
 * Levels by group: first just before the range (the opening), then just before the end of each period, or of the range without periods (D4).
 */
export async function readBoundaries(context: MetricContext, time: RangeTime): Promise<readonly LevelGroup[]> {
  const instants = boundariesOf(time)
  const moves = fieldsOf(context.request).some((field) => field.constant === 'never')
  return moves ? readAt(context, time, instants) : readChanges(context, time, instants.length)
}

/** The start of the range, and the end of each of its periods, or of the range without periods. */
function boundariesOf(time: RangeTime): readonly Date[] {
  return [time.from, ...(time.interval === undefined ? [time.to] : time.periods.map((period) => period.to))]
}

/** True if exchange rates move the levels of the request without a movement (D65). */
export function hasEffects({ request, definitions }: MetricContext): boolean {
  return definitions.fx === 'period_end' && request.unit === 'base'
}

/** The effect of exchange rates on each group in each period, or in the range without periods (D65). The first level of a group is 0. */
export async function readEffects(context: MetricContext, time: RangeTime): Promise<readonly LevelGroup[]> {
  if (!hasEffects(context)) return []
  const { run, scope } = effectRun(context, time)
  const slotOf = bucketSlots(time)
  const table = await tabulateLevels(await context.run(run), {
    fields: scope.grouped,
    instants: boundariesOf(time).length,
    unit: 'base',
    cumulate: false,
    context,
    slot: (row) => slotOf(dayCell(row, 'bucket')),
  })
  return finish(context, scope, table, time)
}

/** The statement of the effects of exchange rates. Values that can change are those at the begin of a piece of a span. */
export function effectRun(context: MetricContext, time: RangeTime): { readonly run: TemplateRun; readonly scope: Scope } {
  const { dimensions, conditions } = context.request
  const scope = compileScope(dimensions, conditions, levelFact(context, sql`fact.valid_from`))
  const run: TemplateRun = {
    template: 'mrr/fx_effect',
    slots: scope.slots,
    params: {
      base_currency: context.definitions.base_currency,
      start: time.from,
      end: time.to,
      step: bucketStep(time.interval),
    },
    window: windowOf(scope, time),
    instants: boundariesOf(time),
  }
  return { run, scope }
}

async function readChanges(context: MetricContext, time: RangeTime, instants: number): Promise<readonly LevelGroup[]> {
  const scope = levelScope(context, time.to)
  const slotOf = bucketSlots(time)
  const rows = await context.run({
    template: 'mrr/series',
    slots: scope.slots,
    params: { start: time.from, end: time.to, step: bucketStep(time.interval), opening: OPENING_BUCKET },
    window: windowOf(scope, time),
    instants: boundariesOf(time),
  })
  const slot = (row: Row) => slotOf(dayCell(row, 'bucket'))
  const table = await tabulateLevels(rows, {
    fields: scope.grouped,
    instants,
    unit: context.request.unit,
    cumulate: true,
    context,
    slot,
  })
  return finish(context, scope, table, time)
}

async function readAt(context: MetricContext, time: RangeTime, instants: readonly Date[]): Promise<readonly LevelGroup[]> {
  const { dimensions, conditions, unit } = context.request
  const scope = compileScope(dimensions, conditions, levelFact(context, sql`instant.ends_before`))
  const run: TemplateRun = {
    template: 'mrr/levels_at',
    slots: scope.slots,
    params: { start: time.from, end: time.to },
    window: windowOf(scope, time),
    inline: [instantRelation(instants)],
  }
  const slot = (row: Row) => integerCell(row, 'instant_index')
  const table = await tabulateLevels(await context.run(run), {
    fields: scope.grouped,
    instants: instants.length,
    unit,
    cumulate: false,
    context,
    slot,
  })
  return finish(context, scope, table, time)
}

// The movement_source of a level is its component (D61). Groups and filters by it are applied here, on the two columns.
async function finish(
  context: MetricContext,
  scope: Scope,
  table: LevelTable,
  time: { from: Date; to: Date },
): Promise<readonly LevelGroup[]> {
  const conditions = scope.local_conditions.filter((condition) => condition.field.key === 'movement_source')
  const components = (['subscription', 'usage'] as const).filter((name) =>
    conditions.every((condition) => matchesText(condition, name)),
  )
  const needed: readonly Component[] = fieldsOf(context.request).some((field) => field.readsBase)
    ? ['subscription', 'usage']
    : components
  await refuseGaps(context, table.gaps(needed, readsBaseAmounts(context.request)), () => listUnpriced(context, time))
  const position = context.request.dimensions.findIndex((field) => field.key === 'movement_source')
  if (position < 0) {
    return mapInSlices(table.groups, (group) => ({ values: group.values, levels: keep(group, components) }))
  }
  return flatMapInSlices(table.groups, (group) =>
    components.map((component) => ({
      values: group.values.toSpliced(position, 0, component),
      levels: keep(group, [component]),
    })),
  )
}

function keep(group: LevelGroup, components: readonly Component[]): LevelGroup['levels'] {
  return group.levels.map(({ subscription, usage }) => ({
    subscription: components.includes('subscription') ? subscription : 0,
    usage: components.includes('usage') ? usage : 0,
  }))
}
