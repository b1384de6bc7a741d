import type { Unit } from '../../core/column.ts'
import { numberIn, type Row } from '../api/use-answer.ts'
import type { Step } from '../format/days.ts'
import { namesOf, rawOf } from '../format/labels.ts'
import { traitsOf, unitOf } from '../format/traits.ts'
import { MOVEMENTS } from './movements.ts'
import { areForecast, placesOf } from './places.ts'
import type { ChartSeries, ChartSpec, Colour } from './spec.ts'

interface Series {
  readonly name: string
  readonly measure: string
  readonly groups: readonly string[]
  readonly kind: ChartSpec['kind']
  readonly step: Step
  readonly isStep?: boolean
  /** Called with the clicked period and, if a group was clicked, its row. */
  readonly onPick?: ((period: string, row: Row | undefined) => void) | undefined
}

/** The chart of a metric over time; undefined if no period has a value. */
export function seriesSpec(
  rows: readonly Row[],
  { name, measure, groups, kind, step, isStep = false, onPick }: Series,
  { currency, dayThrough }: { readonly currency: string; readonly dayThrough: string | undefined },
): ChartSpec | undefined {
  const unit = unitOf(measure)
  const { periods, series, undrawn } = pivot({ rows, measure, unit, groups, name })
  const last = periods.at(-1)
  // Money that is zero all the time is nothing to draw, and the card says so in words.
  const isNothing = (value: number | null) => value === null || (value === 0 && unit === 'money')
  if (last === undefined || series.every(({ values }) => values.every(isNothing))) return undefined
  return {
    kind: isMixed(groups) ? 'line' : kind,
    ...placesOf(periods, step, { dayThrough, isForecast: areForecast(rows) }),
    series,
    undrawn,
    unit,
    isStep,
    ...(measure === KEPT ? { reference: 1 } : {}),
    currency,
    onPick:
      onPick === undefined
        ? undefined
        : (place, series) => {
            const period = periods[place] ?? last
            const nameOf = namesOf(rows, groups)
            const isThere = (row: Row) => row['period'] === period && nameOf(row) === series
            onPick(period, groups.length === 0 ? undefined : rows.find(isThere))
          },
  }
}

/** A share of revenue that can exceed 100 %. */
const KEPT = 'retention_rate'

/** Most groups with their own series. The other groups share one series. */
const MOST_GROUPS = 9

interface Pivoted {
  readonly periods: readonly string[]
  readonly series: readonly ChartSeries[]
  /** Number of groups that are not drawn because they do not add up. */
  readonly undrawn: number
}

interface Pivot {
  readonly rows: readonly Row[]
  readonly measure: string
  readonly unit: Unit
  /** Fields that name a group: dimensions, a segment. */
  readonly groups: readonly string[]
  readonly name: string
  readonly period?: string
}

/** One series per group, largest first. Groups after the ninth are added up if their values can be added up. */
export function pivot({ rows, measure, unit, groups, name, period = 'period' }: Pivot): Pivoted {
  const periods = [...new Set(rows.map((row) => String(row[period])))].sort()
  if (groups.length === 0)
    return { periods, series: [{ name, colour: 'series-1', values: valuesOf(rows, periods, period, measure) }], undrawn: 0 }
  const byGroup = Map.groupBy(rows, namesOf(rows, groups))
  const every = [...byGroup].map(([label, own]) => ({
    name: label,
    raw: rawOf(own[0], groups),
    values: valuesOf(own, periods, period, measure),
  }))
  // A group may be in the answer for another measure. Zeros in each period would only fill the legend.
  const drawn = every.filter(({ values }) => values.some((value) => value !== null && value !== 0))
  const all = drawn.length === 0 || groups[0] === 'segment_name' ? every : drawn
  // Compared segments keep the order in which the user chose them, so that they keep their colours.
  if (groups[0] !== 'segment_name') all.sort((one, other) => sizeOf(other.values) - sizeOf(one.values))
  const most = groups[0] === 'segment_name' ? MOST_GROUPS + 1 : MOST_GROUPS
  const first = all
    .slice(0, most)
    .map((series, place) => ({ ...series, colour: ofMovement(groups, series.name) ?? colourAt(place) }))
  const rest = all.slice(most)
  if (rest.length === 0) return { periods, series: first, undrawn: 0 }
  // Customers add up, although those with several plans then count in each.
  if ((unit !== 'count' && traitsOf(measure).adds === 'never') || isMixed(groups))
    return { periods, series: first, undrawn: rest.length }
  const values = periods.map((_, place) => rest.reduce((sum, series) => sum + (series.values[place] ?? 0), 0))
  return { periods, series: [...first, { name: `${rest.length} others`, colour: 'movement-other', values }], undrawn: 0 }
}

/** Whether groups cannot be added up: amounts in different currencies, or customers in several segments. */
export function isMixed(groups: readonly string[]): boolean {
  return groups.includes('currency') || groups.includes('segment_name')
}

export function colourAt(place: number): Colour {
  return place === MOST_GROUPS ? 'total' : `series-${(place % MOST_GROUPS) + 1}`
}

/** Movements have the same colours everywhere. */
function ofMovement(groups: readonly string[], name: string): Colour | undefined {
  return groups.length === 1 && groups[0] === 'movement_type' ? MOVEMENTS.find(({ label }) => label === name)?.colour : undefined
}

function valuesOf(rows: readonly Row[], periods: readonly string[], period: string, measure: string): (number | null)[] {
  const byPeriod = new Map(rows.map((row) => [String(row[period]), numberIn(row, measure)]))
  return periods.map((at) => byPeriod.get(at) ?? null)
}

// By the last value, then by the largest value, so that groups that are large today come first.
function sizeOf(values: readonly (number | null)[]): number {
  return Math.abs(values.at(-1) ?? 0) * 1_000 + Math.max(0, ...values.map((value) => Math.abs(value ?? 0)))
}
