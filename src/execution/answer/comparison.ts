import { InternalError } from '../../core/errors.ts'
import { ratio, roundFraction } from '../../core/money.ts'
import { eachInSlices, flatMapInSlices, mapInSlices, sortInSlices } from '../../core/slices.ts'
import { type Measure, PERIOD_COLUMNS } from '../../metrics/columns.ts'
import type { MetricResult } from '../../metrics/define-metric.ts'
import type { AnswerRow } from '../../metrics/readings/context.ts'
import type { Cell } from '../../ports/rows.ts'

type Measures = ReadonlyMap<string, Measure>

/** First days of the periods in both date ranges, in order. */
interface Positions {
  readonly current: readonly string[]
  readonly earlier: readonly string[]
}

/**
 * The rows of both times, read without the dimensions `shared`. These dimensions do not split every measure. For example, all reasons of a
 * cancellation have the same denominator. A reason that only one time has gets it from here.
 */
export interface Wholes {
  readonly shared: readonly string[]
  readonly current: readonly AnswerRow[]
  readonly earlier: readonly AnswerRow[]
}

/** Columns of a compared scalar. */
const SCALAR_COLUMNS = ['value', 'previous', 'change', 'change_rate']

/** No measure has more than six decimals, so differences are computed in whole millionths. */
const MILLION = 1_000_000

/**
 * Compares an answer with that of the earlier days (http-api.md 1.9). A scalar becomes an object. Each measure of an object or
 * row gets two more columns, `previous_…` and `change_…`. Rows are paired by the position of their period and by their other
 * columns. `positions` is undefined for answers without periods.
 */
export async function withPrevious(
  current: MetricResult,
  earlier: MetricResult,
  measures: Measures,
  positions: Positions | undefined,
  wholes?: Wholes,
): Promise<MetricResult> {
  if (current.kind === 'scalar' && earlier.kind === 'scalar') return comparedScalar(current.value, earlier.value)
  if (current.kind === 'object' && earlier.kind === 'object') {
    const value = comparedRow(current.value as AnswerRow, earlier.value as AnswerRow, current.columns, measures)
    return { kind: 'object', columns: comparedColumns(current.columns, measures), value }
  }
  if (current.kind !== 'rows' || earlier.kind !== 'rows') throw new InternalError('two times were answered in different shapes')
  const { columns } = current
  const pairs = await pairsOf(
    current.rows as readonly AnswerRow[],
    earlier.rows as readonly AnswerRow[],
    columns,
    measures,
    positions,
    wholes,
  )
  return {
    kind: 'rows',
    columns: comparedColumns(columns, measures),
    rows: await mapInSlices(pairs, ([row, before]) => comparedRow(row, before, columns, measures)),
  }
}

/** The exact difference of two measures, or null if one of them is null. */
export function changeOf(before: Cell, now: Cell): number | null {
  if (typeof before !== 'number' || typeof now !== 'number') return null
  if (Number.isInteger(before) && Number.isInteger(now)) return now - before
  const change = (Math.round(now * MILLION) - Math.round(before * MILLION)) / MILLION
  return change === 0 ? 0 : change
}

function comparedScalar(value: number | null, previous: number | null): MetricResult {
  const change = changeOf(previous, value)
  const change_rate = change === null || previous === null ? null : shareOf(change, previous)
  const plain = { value, previous, change }
  return { kind: 'object', columns: SCALAR_COLUMNS, value: change_rate === null ? plain : { ...plain, change_rate } }
}

// The divisor is the absolute value, so a rise is positive also from a negative number.
function shareOf(change: number, previous: number): number | null {
  const [top, bottom] = [change, previous].map((number) => BigInt(Math.round(number * MILLION)))
  if (top === undefined || bottom === undefined || bottom === 0n) return null
  return roundFraction(top, bottom < 0n ? -bottom : bottom, 6)
}

function comparedColumns(columns: readonly string[], measures: Measures): readonly string[] {
  return columns.flatMap((name) => (measures.has(name) ? [name, `previous_${name}`, `change_${name}`] : [name]))
}

function comparedRow(row: AnswerRow, before: AnswerRow, columns: readonly string[], measures: Measures): AnswerRow {
  return Object.fromEntries(
    columns.flatMap((name): readonly (readonly [string, Cell])[] => {
      const value = row[name] ?? null
      if (!measures.has(name)) return [[name, value]]
      const previous = before[name] ?? null
      return [
        [name, value],
        [`previous_${name}`, previous],
        [`change_${name}`, changeOf(previous, value)],
      ]
    }),
  )
}

type Pair = readonly [row: AnswerRow, before: AnswerRow]

// Rows that exist only in the earlier answer come last. In a series they come last in their period.
async function pairsOf(
  current: readonly AnswerRow[],
  earlier: readonly AnswerRow[],
  columns: readonly string[],
  measures: Measures,
  positions: Positions | undefined,
  wholes: Wholes | undefined,
): Promise<readonly Pair[]> {
  const keys = columns.filter((name) => !measures.has(name) && !PERIOD_COLUMNS.includes(name))
  const keyOf = (row: AnswerRow, at: number) => JSON.stringify([at, ...keys.map((name) => row[name] ?? null)])
  const placeIn = (names: readonly string[] = []) => {
    const places = new Map(names.map((name, index) => [name, index]))
    return (row: AnswerRow) => places.get(String(row['period'])) ?? 0
  }
  const [placeNow, placeThen] = [placeIn(positions?.current), placeIn(positions?.earlier)]
  const others = keys.filter((name) => wholes?.shared.includes(name) !== true)
  const wholeKey = (row: AnswerRow, at: number) => JSON.stringify([at, ...others.map((name) => row[name] ?? null)])
  const wholesNow = new Map(wholes?.current.map((row) => [wholeKey(row, placeNow(row)), row]))
  const wholesThen = new Map(wholes?.earlier.map((row) => [wholeKey(row, placeThen(row)), row]))
  // The measures of a group at the time that does not have it. `whole` holds the measures that it shares with other groups.
  const absent = (row: AnswerRow, at: number, whole: ReadonlyMap<string, AnswerRow>) =>
    absentRow(row, measures, wholes && { shared: wholes.shared, row: whole.get(wholeKey(row, at)) ?? {} })
  const before = new Map<string, AnswerRow>()
  await eachInSlices(earlier, (row) => before.set(keyOf(row, placeThen(row)), row))
  const known = new Set<string>()
  await eachInSlices(current, (row) => known.add(keyOf(row, placeNow(row))))
  const paired = await mapInSlices(current, (row): { at: number; pair: Pair } => {
    const at = placeNow(row)
    const isOutside = positions !== undefined && at >= positions.earlier.length
    return { at, pair: [row, before.get(keyOf(row, at)) ?? (isOutside ? {} : absent(row, at, wholesThen))] }
  })
  const places = positions === undefined ? 1 : positions.current.length
  const gone = await flatMapInSlices(earlier, (row): readonly { at: number; pair: Pair }[] => {
    const at = placeThen(row)
    if (at >= places || known.has(keyOf(row, at))) return []
    const periods = Object.fromEntries(PERIOD_COLUMNS.map((name) => [name, positions?.current[at] ?? null]))
    return [{ at, pair: [{ ...row, ...periods, ...absent(row, at, wholesNow) }, row] }]
  })
  const sorted = await sortInSlices([...paired, ...gone], (a, b) => a.at - b.at)
  return mapInSlices(sorted, ({ pair }) => pair)
}

/** The dimensions whose groups share a measure. */
export function sharingDimensions(measures: Measures, dimensions: readonly { readonly key: string }[]): readonly string[] {
  const shared = [...measures.values()].flatMap((measure) => (measure.kind === 'sum' ? (measure.shared_by ?? []) : []))
  return dimensions.map(({ key }) => key).filter((key) => shared.includes(key))
}

// Sums are 0, and those that all groups share are the whole. Ratios are computed from these sums. All other measures are null.
function absentRow(
  row: AnswerRow,
  measures: Measures,
  whole: { shared: readonly string[]; row: AnswerRow } | undefined,
): AnswerRow {
  const sumOf = (name: string): number | null => {
    const measure = measures.get(name)
    if (measure?.kind !== 'sum' || (row[name] ?? null) === null) return null
    const isShared = whole?.shared.every((key) => measure.shared_by?.includes(key)) === true
    return isShared ? Number(whole?.row[name] ?? 0) : 0
  }
  const total = (names: readonly string[]) =>
    names.reduce((sum: number | null, name) => {
      const part = sumOf(name)
      return sum === null || part === null ? null : sum + part
    }, 0)
  const measured = (name: string, measure: Measure): number | null => {
    if (measure.kind !== 'ratio') return sumOf(name)
    const [top, bottom] = [total(measure.top), total(measure.bottom)]
    return top === null || bottom === null ? null : ratio(top, bottom, measure.decimals)
  }
  return Object.fromEntries([...measures].map(([name, measure]) => [name, measured(name, measure)]))
}
