import { sql, value } from '../compiler/fragment.ts'
import { ratio } from '../core/money.ts'
import { flatMapInSlices, mapInSlices } from '../core/slices.ts'
import type { DimensionValue } from '../query/dimension-value.ts'
import { rangeTime } from '../query/request.ts'
import type { RowsByMeasure } from './define-query.ts'
import type { MetricContext } from './readings/context.ts'
import type { Counted, CountRows } from './readings/counted.ts'
import { type Axis, axisOf, type Cube, type Fact, type GroupSums } from './readings/fact.ts'
import { checkSize, completeGroups, type KeyedRow, type PeriodGroup } from './readings/groups.ts'

/** How a number is made. The number of each group and period, and the rows behind it, follow from it. */
export type Formula<V extends number | null = number | null> = Sum | Computed<V>

export interface Sum {
  readonly fact: Fact
  readonly sum: string
}

export interface Computed<V extends number | null> {
  readonly of: readonly Formula<number>[]
  value(numbers: readonly number[], context: MetricContext): V
  /** The rows of a number that is itself a sum of rows. */
  readonly rows?: CountRows
}

/** The value type of a formula. */
export type ValueOf<F> = F extends Computed<infer V> ? V : number

/** A sum of a fact, with its rows. */
export function sumOf<Name extends string>(fact: Fact<Name>, name: Name): Sum {
  return { fact: fact as Fact, sum: name }
}

/** top / bottom, rounded; null if the bottom is 0 (D8). Its rows are those of its parts. */
export function ratioOf(top: Formula<number>, bottom: Formula<number>, decimals = 6): Computed<number | null> {
  return { of: [top, bottom], value: ([above = 0, below = 0]) => ratio(above, below, decimals) }
}

/** A number computed from others. `rows` are the rows that add up to it, if there are any. */
export function computed<const P extends readonly Formula<number>[], V extends number | null>(
  of: P,
  value: (numbers: { readonly [K in keyof P]: number }, context: MetricContext) => V,
  rows?: CountRows,
): Computed<V> {
  return { of, value: value as unknown as Computed<V>['value'], ...(rows && { rows }) }
}

/** A multiple of a number. Each of its rows has the same multiple of its amount. */
export function times(factor: number, one: Formula<number>): Computed<number> {
  const rows = rowsOf(one)
  return {
    of: [one],
    // Without the 0, a multiple of 0 by a negative factor would be -0.
    value: ([number = 0]) => factor * number + 0,
    ...(rows && { rows: (cell) => scaled(rows(cell), factor) }),
  }
}

function scaled(counted: Counted, factor: number): Counted {
  const by = value(factor, 'integer')
  return {
    ...counted,
    parts: counted.parts.map((part) => {
      const { amount, amount_cents } = part.measure
      return {
        ...part,
        measure: {
          ...part.measure,
          ...(amount && { amount: sql`${by} * (${amount})` }),
          ...(amount_cents && { amount_cents: sql`${by} * (${amount_cents})` }),
        },
      }
    }),
  }
}

/** The rows that add up to a number; undefined if it is no sum of rows. */
export function rowsOf(formula: Formula): CountRows | undefined {
  return 'fact' in formula ? formula.fact.rowsOf(formula.sum) : formula.rows
}

/** The rows behind numbers, by their names. A ratio has none: its parts have. */
export function rowsBehind(numbers: Readonly<Record<string, Formula>>): RowsByMeasure {
  return Object.fromEntries(
    Object.entries(numbers).flatMap(([name, formula]) => {
      const rows = rowsOf(formula)
      return rows === undefined ? [] : [[name, rows]]
    }),
  )
}

/** Numbers by name. */
export type Numbers<F extends Readonly<Record<string, Formula>>> = { readonly [Name in keyof F]: ValueOf<F[Name]> }

/** The reading of a figure and the rows behind its measures, both from the formulas of its measures. */
export function madeOf<const F extends Readonly<Record<string, Formula>>>(numbers: F) {
  return { rows: rowsBehind(numbers), read: (context: MetricContext) => readNumbers(context, numbers) }
}

/** The numbers of each group and period. By default the periods and dimensions are those of the request. */
export async function readNumbers<const F extends Readonly<Record<string, Formula>>>(
  context: MetricContext,
  numbers: F,
  axis: Axis = axisOf(context),
): Promise<readonly PeriodGroup<Numbers<F>>[]> {
  const { groups, numbersOf } = await evaluate(context, numbers, axis)
  return mapInSlices(groups, numbersOf)
}

/** The numbers of each period of a range as rows. A group is shown if one of its numbers is neither 0 nor null (http-api.md 1.6). */
export async function readSeriesOf<const F extends Readonly<Record<string, Formula>>>(
  context: MetricContext,
  numbers: F,
): Promise<readonly KeyedRow<{ readonly period: string }, Numbers<F>>[]> {
  const { periods } = rangeTime(context.request)
  const { groups, nothing, numbersOf } = await evaluate(context, numbers, axisOf(context))
  const found = await mapInSlices(groups, numbersOf)
  const shown = completeGroups(
    context,
    found,
    ({ measures }) => measures.some((row) => Object.values(row).some((number) => number !== 0 && number !== null)),
    (values) => numbersOf(nothing(values)),
  )
  checkSize(context, shown.length * periods.length)
  return flatMapInSlices(shown, ({ values, measures }) =>
    measures.map((row, index) => {
      const period = periods[index]?.period ?? ''
      return { order: [period], keys: { period }, values, measures: row }
    }),
  )
}

async function evaluate<F extends Readonly<Record<string, Formula>>>(context: MetricContext, numbers: F, axis: Axis) {
  const facts = [...new Set(Object.values(numbers).flatMap(factsIn))]
  const cubes = new Map<Fact, Cube>()
  for (const fact of facts) cubes.set(fact, await fact.tabulate(context, axis))
  const readers = Object.entries(numbers).map(([name, formula]) => [name, evaluator(formula, context)] as const)
  const numbersAt = (of: FactGroup['of'], period: number) =>
    Object.fromEntries(readers.map(([name, read]) => [name, read(of, period)])) as Numbers<F>
  return {
    groups: groupsOf(context, [...cubes]),
    /** A group without rows. */
    nothing: (values: readonly DimensionValue[]) => groupOf([...cubes], values),
    numbersOf: ({ values, of }: FactGroup) => ({ values, measures: axis.periods.map((_, period) => numbersAt(of, period)) }),
  }
}

/** A group of several facts. */
interface FactGroup {
  readonly values: readonly DimensionValue[]
  readonly of: ReadonlyMap<Fact, GroupSums>
}

type Cubes = readonly (readonly [Fact, Cube])[]

function groupOf(cubes: Cubes, values: readonly DimensionValue[], known?: readonly [Fact, GroupSums]): FactGroup {
  return {
    values,
    of: new Map(cubes.map(([fact, cube]) => [fact, known?.[0] === fact ? known[1] : cube.groupOf(values)])),
  }
}

function groupsOf(context: MetricContext, cubes: Cubes): readonly FactGroup[] {
  const groups = new Map<string, FactGroup>()
  for (const [fact, cube] of cubes) {
    for (const one of cube.groups) {
      const key = cubes.length === 1 ? String(groups.size) : JSON.stringify(one.values)
      if (!groups.has(key)) groups.set(key, groupOf(cubes, one.values, [fact, one]))
    }
  }
  const found = [...groups.values()]
  if (!cubes.some(([, { isShared }]) => isShared)) return found
  return completeGroups(context, found, hasSums, (values) => groupOf(cubes, values))
}

function hasSums({ of }: FactGroup): boolean {
  return [...of.values()].some(({ sums }) => Object.values(sums).some((list) => list.some((number) => number !== 0)))
}

function factsIn(formula: Formula): readonly Fact[] {
  return 'fact' in formula ? [formula.fact] : formula.of.flatMap(factsIn)
}

type Evaluate = (of: FactGroup['of'], period: number) => number | null

function evaluator(formula: Formula, context: MetricContext): Evaluate {
  if ('fact' in formula) {
    const { fact, sum: name } = formula
    return (of, period) => of.get(fact)?.sums[name]?.[period] ?? 0
  }
  const parts = formula.of.map((part) => evaluator(part, context))
  return (of, period) =>
    formula.value(
      parts.map((read) => read(of, period) ?? 0),
      context,
    )
}
