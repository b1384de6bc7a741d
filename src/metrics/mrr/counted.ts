import { type Fragment, ident, join, sql, value } from '../../compiler/fragment.ts'
import { MOVEMENT_TYPES, type MovementType } from '../../core/enums.ts'
import { rangeTime } from '../../query/request.ts'
import { compileScope } from '../../query/scope.ts'
import type { TemplateRun } from '../readings/context.ts'
import {
  amountsOf,
  type CellContext,
  type Counted,
  type CountedPart,
  EACH,
  inGroups,
  isInCell,
  justBefore,
  OF_MOVEMENT,
  OF_SUBSCRIPTION,
  SUM,
} from '../readings/counted.ts'
import { levelFact, levelScope, movementFact, windowOf } from '../readings/facts.ts'
import type { Component } from '../readings/level-rows.ts'
import { effectRun, hasEffects } from '../readings/levels.ts'
import { instantRelation } from '../readings/periods.ts'
import { canTransfer } from './movements.ts'

const BOTH: readonly Component[] = ['subscription', 'usage']

/** MRR just before an instant: a row is the span of a subscription. */
function levels(cell: CellContext, before: Date, components = BOTH): Counted {
  const scope = levelScope(cell, before)
  const run = {
    template: 'mrr/current',
    slots: scope.slots,
    params: { before },
    window: windowOf(scope, { from: before, to: before }),
  }
  const part: CountedPart = {
    run,
    fact: OF_SUBSCRIPTION,
    measure: {
      after_at: justBefore(before, cell),
      fixed_on: sql`case when subscription_mrr_cents <> 0 then subscription_fixed_on else usage_fixed_on end`,
      ...onlyComponent(cell, components),
      ...levelAmounts(cell, components),
    },
    where: groupsOfLevels(cell),
  }
  return { kind: 'cents', parts: [part], total: SUM }
}

/** MRR at the end of the cell's period, or on its day. */
export function endingLevels(components?: readonly Component[]) {
  return (cell: CellContext): Counted => {
    const { time } = cell.request
    return levels(cell, time.kind === 'point' ? time.before : time.to, components)
  }
}

/** MRR just before the cell's period. */
export function startingLevels(cell: CellContext): Counted {
  return levels(cell, boundsOf(cell).from)
}

/** Movements of the cell's type: a row is the movement of one component of a subscription. */
export function movements(cell: CellContext): Counted {
  const type = cell.keys['movement_type']
  if (type === 'transfer') return transfers(cell)
  if (type === 'fx_effect') return fxEffects(cell)
  return movementsOf(MOVEMENT_TYPES.filter((one) => one === type))(cell)
}

/** The number of movements of the cell's type. */
export function movementCount(cell: CellContext): Counted {
  const type = cell.keys['movement_type']
  return type === 'transfer' || type === 'fx_effect' ? nothing(cell) : { ...movements(cell), kind: 'count', total: EACH }
}

/** Movements of some types. */
export function movementsOf(types: readonly MovementType[]) {
  return (cell: CellContext): Counted => ({ kind: 'cents', parts: [movementPart(cell, types)], total: SUM })
}

/** A number that is always 0. */
function nothing(cell: CellContext): Counted {
  return movementsOf([])(cell)
}

function movementPart(cell: CellContext, types: readonly MovementType[], columns: CountedPart['fact'] = MOVEMENT): CountedPart {
  const { dimensions, conditions } = cell.request
  const scope = compileScope(dimensions, conditions, movementFact(cell))
  const { from, to } = boundsOf(cell)
  const wanted = types.filter((type) => isInCell(cell, 'movement_type', type)).map((type) => value(type, 'text'))
  const run = {
    template: 'mrr/breakdown',
    slots: scope.slots,
    params: { start: from, end: to, step: 'none' },
    window: windowOf(scope, { from, to }),
  }
  const isType = wanted.length === 0 ? sql`1 = 0` : sql`movement_type in (${join(wanted, sql`, `)})`
  return {
    run,
    fact: columns,
    measure: { movement_type: sql`movement_type`, fixed_on: sql`fixed_on`, ...amountsOf(cell) },
    where: [isType, sql`amount_cents <> 0`, ...groupsOfMovements(cell)],
  }
}

const MOVEMENT: CountedPart['fact'] = { ...OF_SUBSCRIPTION, ...OF_MOVEMENT, reason: sql`fact.reason` }

/**
 * The change of MRR between start and end of the cell's period. Without groups that can change, a row is a movement. With them, a row is a
 * subscription with its MRR in the group at the end less that at the start.
 */
export function netChange(cell: CellContext): Counted {
  const byType = [...cell.groups.map(({ field }) => field), ...cell.request.conditions.map(({ field }) => field)].some(
    ({ key }) => key === 'movement_type',
  )
  if (byType) return movementsOf(MOVEMENT_TYPES)(cell)
  if (!canTransfer(cell.request)) {
    const effects = hasEffects(cell) ? [effectPart(cell, 1)] : []
    return { kind: 'cents', parts: [movementPart(cell, MOVEMENT_TYPES), ...effects], total: SUM }
  }
  return { kind: 'cents', parts: [differences(cell)], total: SUM }
}

/** The effect of exchange rates in the cell's period (D65): a row is a subscription. */
export function fxEffects(cell: CellContext): Counted {
  const isTimed = cell.request.conditions.some(({ field }) => field.key === 'occurred_at')
  return isTimed || !hasEffects(cell) ? nothing(cell) : { kind: 'cents', parts: [effectPart(cell, 1)], total: SUM }
}

function effectPart(cell: CellContext, sign: 1 | -1): CountedPart {
  const { from, to } = boundsOf(cell)
  const { run } = effectRun(cell, { ...rangeTime(cell.request), interval: undefined, periods: [] })
  const counted = countedIn(cell, BOTH).map((name) => ident(`${name}_effect`))
  const amount = counted.length === 0 ? value(0, 'integer') : sql`${value(sign, 'integer')} * (${join(counted, sql` + `)})`
  const bounds = { before_at: value(from, 'timestamp'), after_at: justBefore(to, cell) }
  return {
    run,
    fact: OF_SUBSCRIPTION,
    measure: { amount, amount_cents: value(0, 'integer'), ...onlyComponent(cell), ...bounds },
    where: groupsOfLevels(cell),
  }
}

/** MRR that entered or left the group without a movement (D37): per subscription, its change less its movements and the effects of rates. */
export function transfers(cell: CellContext): Counted {
  const isTimed = cell.request.conditions.some(({ field }) => field.key === 'occurred_at')
  if (isTimed || !canTransfer(cell.request)) return nothing(cell)
  const { from, to } = boundsOf(cell)
  const moved = movementPart(cell, MOVEMENT_TYPES, OF_SUBSCRIPTION)
  const { amount = sql`null`, amount_cents = sql`null` } = moved.measure
  const taken: CountedPart = {
    ...moved,
    measure: {
      amount: sql`-1 * ${amount}`,
      amount_cents: sql`-1 * ${amount_cents}`,
      ...onlyComponent(cell),
      before_at: value(from, 'timestamp'),
      after_at: justBefore(to, cell),
    },
  }
  const effects = hasEffects(cell) ? [effectPart(cell, -1)] : []
  return { kind: 'cents', parts: [differences(cell), taken, ...effects], total: SUM }
}

function differences(cell: CellContext): CountedPart {
  const { dimensions, conditions } = cell.request
  const { from, to } = boundsOf(cell)
  const scope = compileScope(dimensions, conditions, levelFact(cell, sql`instant.ends_before`))
  const run: TemplateRun = {
    template: 'mrr/levels_at',
    slots: scope.slots,
    params: { start: from, end: to },
    window: windowOf(scope, { from, to }),
    inline: [instantRelation([from, to])],
  }
  const { amount, amount_cents } = levelAmounts(cell, BOTH)
  const signed = (one: Fragment) => sql`case when instant_index = 1 then ${one} else -1 * (${one}) end`
  return {
    run,
    fact: OF_SUBSCRIPTION,
    measure: {
      amount: signed(amount),
      amount_cents: signed(amount_cents),
      ...onlyComponent(cell),
      before_at: value(from, 'timestamp'),
      after_at: justBefore(to, cell),
    },
    where: groupsOfLevels(cell),
  }
}

/** The column `movement_source` of rows that count one component only. */
function onlyComponent(cell: CellContext, components = BOTH): CountedPart['measure'] {
  const [only, ...others] = countedIn(cell, components)
  return only === undefined || others.length > 0 ? {} : { movement_source: value(only, 'text') }
}

function countedIn(cell: CellContext, components: readonly Component[]): readonly Component[] {
  return components.filter((name) => isInCell(cell, 'movement_source', name))
}

function levelAmounts(cell: CellContext, components: readonly Component[]) {
  const counted = countedIn(cell, components)
  const added = (suffix: string) =>
    counted.length === 0
      ? value(0, 'integer')
      : join(
          counted.map((name) => ident(`${name}_mrr_${suffix}`)),
          sql` + `,
        )
  return { amount: added(cell.request.unit === 'base' ? 'base_cents' : 'cents'), amount_cents: added('cents') }
}

// The type of a movement and the component of a level are columns of the rows, not groups of the statement.
function groupsOfLevels(cell: CellContext): readonly Fragment[] {
  return inGroups(cell, ({ key }) => key !== 'movement_type' && key !== 'movement_source')
}

function groupsOfMovements(cell: CellContext): readonly Fragment[] {
  return inGroups(cell, ({ key }) => key !== 'movement_type')
}

function boundsOf({ request: { time } }: CellContext): { readonly from: Date; readonly to: Date } {
  return time.kind === 'point' ? { from: time.before, to: time.before } : time
}
