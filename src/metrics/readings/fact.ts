import { type Fragment, sql } from '../../compiler/fragment.ts'
import { getOrCreate } from '../../core/get-or-create.ts'
import type { Period } from '../../core/periods.ts'
import { eachInSlices } from '../../core/slices.ts'
import { exactly } from '../../core/too-large.ts'
import { dayCell, integerCell } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { type DimensionValue, dimensionValue } from '../../query/dimension-value.ts'
import type { Field } from '../../query/field.ts'
import { rangeTime } from '../../query/request.ts'
import { pointAt } from '../../query/timeframe.ts'
import type { MetricContext, TemplateRun } from './context.ts'
import { type CellContext, type Counted, type CountedPart, inGroups, ONCE, SUM } from './counted.ts'
import { refuseRowGaps } from './gaps.ts'
import { checkTallied } from './groups.ts'
import { bucketSlots, ratioPeriods } from './periods.ts'

/** A kind of thing that counts: its sums by group and period, and the rows behind each sum. */
export interface Fact<Name extends string = string> {
  readonly sums: readonly Name[]
  /** Sums of the things of each period, by group. */
  tabulate(context: MetricContext, axis: Axis): Promise<Cube>
  /** The rows that a sum adds up in a cell; undefined if it shows none. */
  rowsOf(name: Name): ((cell: CellContext) => Counted) | undefined
}

/** The periods and the dimensions of a table of sums. */
export interface Axis {
  readonly periods: readonly Period[]
  readonly dimensions: readonly Field[]
}

/** The sums of one group: one number for each period, by name. */
export interface GroupSums {
  readonly values: readonly DimensionValue[]
  readonly sums: Readonly<Record<string, readonly number[]>>
}

/** A table of sums. */
export interface Cube {
  readonly groups: readonly GroupSums[]
  /** The sums of a group without rows: 0, but for those that groups share. */
  groupOf(values: readonly DimensionValue[]): GroupSums
  /** True if groups share sums, so that a group without rows can have some. */
  readonly isShared: boolean
}

/** One sum of a fact. */
export interface FactSum {
  readonly unit: 'cents' | 'count'
  /** The column of the statement; of an amount in two units, the column of each. */
  readonly column: string | { readonly base: string; readonly original: string }
  /** True if only events count that meet the filters on events (http-api.md 1.6). */
  readonly isEvent?: true
  /** The rows that it adds up. */
  readonly rows?: (cell: CellContext) => SummedRows
}

/** The rows of a sum: columns over the statement's relation `fact` and over its CTE `measure`, and conditions on `measure`. */
export interface SummedRows {
  readonly fact: CountedPart['fact']
  readonly measure: CountedPart['measure']
  readonly where?: readonly Fragment[]
  /** By default the sum of their amounts, or one for each row of a count. */
  readonly total?: Fragment
  /** The dimensions of the statement, if rows show more than the cell's. */
  readonly dimensions?: readonly Field[]
}

/** A fact that one statement reads. */
export interface StatementFact<Name extends string> {
  /** The statement, grouped by the dimensions. */
  statement(context: MetricContext, axis: Axis): TemplateRun
  /** Index of the period of a row. */
  periodOf(context: MetricContext): (row: Row) => number
  /** Amounts can lack prices and rates, which the answer refuses (D14, D26): of whole periods, or just before their ends. */
  readonly gaps?: 'within' | 'at_end'
  /** Fields that split and narrow events only. Groups by them share the sums of everything else (http-api.md 1.6). */
  readonly isEventField?: (field: Field) => boolean
  /** False for a row that makes no group. */
  makesGroup?(row: Row, dimensions: readonly Field[]): boolean
  readonly sums: Readonly<Record<Name, FactSum>>
}

/** A row's index of its period, as the statement numbers them. */
export function numberedBy(column: string): () => (row: Row) => number {
  return () => (row) => integerCell(row, column)
}

/** A row's index of its period, by the day or month that it names as its bucket. */
export function bucketed({ request }: MetricContext): (row: Row) => number {
  const slotOf = bucketSlots(rangeTime(request))
  return (row) => slotOf(dayCell(row, 'bucket')) - 1
}

/** The periods of a request. A day is a period that ends with it; `at` comes before the range of the request. */
export function axisOf({ request, now }: MetricContext): Axis {
  const { time, at, dimensions } = request
  if (time.kind === 'point') return { periods: [endingWith(time.before)], dimensions }
  return { periods: at === undefined ? ratioPeriods(time) : [endingWith(pointAt(at, now).before)], dimensions }
}

/** A period that ends just before an instant. */
export function endingWith(before: Date): Period {
  return { period: '', from: before, to: before }
}

/** Defines a fact that one statement reads. */
export function defineFact<Name extends string>(fact: StatementFact<Name>): Fact<Name> {
  return {
    sums: Object.keys(fact.sums) as Name[],
    tabulate: (context, axis) => tabulate(fact, context, axis),
    rowsOf: (name) => {
      const { rows, ...one } = fact.sums[name]
      return rows && ((cell) => counted(fact, one, rows(cell), cell))
    },
  }
}

async function tabulate<Name extends string>(fact: StatementFact<Name>, context: MetricContext, axis: Axis): Promise<Cube> {
  const { periods, dimensions } = axis
  const { isEventField = () => false } = fact
  const names = Object.keys(fact.sums) as Name[]
  const kept = dimensions.map((field) => !isEventField(field))
  const isShared = kept.includes(false)
  const table = new Map<string, { readonly values: readonly DimensionValue[]; readonly sums: Record<string, number[]> }>()
  const shared = new Map<string, Record<string, number[]>>()
  const ownNames = isShared ? names.filter((name) => fact.sums[name].isEvent === true) : names
  const sharedNames = names.filter((name) => !ownNames.includes(name))
  const zeros = (those: readonly Name[]) =>
    Object.fromEntries(those.map((name) => [name, new Array<number>(periods.length).fill(0)]))
  const sharedKey = (values: readonly DimensionValue[]) => JSON.stringify(values.filter((_, index) => kept[index]))
  const groupOf = (values: readonly DimensionValue[]): GroupSums => ({
    values,
    sums: {
      ...(table.get(JSON.stringify(values))?.sums ?? zeros(ownNames)),
      ...(shared.get(sharedKey(values)) ?? zeros(sharedNames)),
    },
  })
  const [first, last] = [periods[0], periods.at(-1)]
  if (first === undefined || last === undefined) return { groups: [], groupOf, isShared }
  const rows = await context.run(fact.statement(context, axis))
  if (fact.gaps) await refuseRowGaps(context, rows, { from: fact.gaps === 'within' ? first.from : first.to, to: last.to })
  const periodOf = fact.periodOf(context)
  const columns = new Map(names.map((name) => [name, columnOf(fact.sums[name], context)]))
  const add = (sums: Record<string, number[]>, those: readonly Name[], row: Row, period: number) => {
    for (const name of those) {
      const column = columns.get(name)
      const list = sums[name]
      if (column === undefined || list === undefined) continue
      if (fact.sums[name].isEvent && integerCell(row, 'event_matched') !== 1) continue
      list[period] = exactly((list[period] ?? 0) + integerCell(row, column), column, row)
    }
  }
  await eachInSlices(rows, (row) => {
    const period = periodOf(row)
    if (period < 0 || period >= periods.length) return
    const values = dimensions.map((field) => dimensionValue(row, field))
    if (isShared)
      add(
        getOrCreate(shared, sharedKey(values), () => zeros(sharedNames)),
        sharedNames,
        row,
        period,
      )
    if (fact.makesGroup?.(row, dimensions) === false) return
    const group = getOrCreate(table, JSON.stringify(values), () => {
      checkTallied(context, (table.size + 1) * periods.length)
      return { values, sums: zeros(ownNames) }
    })
    add(group.sums, ownNames, row, period)
  })
  const groups = isShared ? [...table.values()].map(({ values }) => groupOf(values)) : [...table.values()]
  return { groups, groupOf, isShared }
}

function columnOf({ column }: FactSum, { request }: MetricContext): string {
  return typeof column === 'string' ? column : column[request.unit]
}

function counted<Name extends string>(
  fact: StatementFact<Name>,
  { unit, isEvent }: Omit<FactSum, 'rows'>,
  { fact: columns, measure, where = [], total, dimensions }: SummedRows,
  cell: CellContext,
): Counted {
  const axis = axisOf(cell)
  const { isEventField = () => false } = fact
  const part: CountedPart = {
    run: fact.statement(cell, dimensions === undefined ? axis : { ...axis, dimensions }),
    fact: columns,
    measure,
    where: [
      ...where,
      ...(isEvent ? [sql`event_matched = 1`] : []),
      ...inGroups(cell, (field) => isEvent === true || !isEventField(field)),
    ],
  }
  return { kind: unit, parts: [part], total: total ?? (unit === 'cents' ? SUM : ONCE) }
}
