import type { LineSeriesOption } from 'echarts/charts'
import { formatShort } from '../format/numbers.ts'
import type { ChartSpec } from './spec.ts'

/** Reads a colour of the theme by its name. */
export type ReadColour = (name: string) => string

/** Shares that come near the top of the axis. An axis that ends above them would show 102 %. */
const NEAR_WHOLE = 0.8

/** Bounds of the axis: shares end at 100 %, and a reference is always on it. */
export function boundsOf({ kind, unit, series, ghosts = [], goal, reference }: ChartSpec): {
  readonly min?: number
  readonly max?: number
} {
  const values = [...series, ...ghosts, ...(goal === undefined ? [] : [goal])].flatMap((one) =>
    one.values.flatMap((value) => value ?? []),
  )
  if (values.length === 0 || kind === 'waterfall') return {}
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const isShare = unit === 'fraction' && high <= 1 && high > NEAR_WHOLE
  return {
    ...(reference !== undefined && low > reference ? { min: reference } : {}),
    ...(isShare ? { max: 1 } : reference !== undefined && high < reference ? { max: reference } : {}),
  }
}

/** The line at the reference, below all others. */
export function referenceOf({ reference, unit, currency }: ChartSpec, colour: ReadColour): LineSeriesOption[] {
  if (reference === undefined) return []
  return [
    {
      type: 'line',
      data: [],
      markLine: {
        silent: true,
        symbol: 'none',
        animation: false,
        data: [{ yAxis: reference }],
        lineStyle: { color: colour('muted'), width: 1, type: 'solid' },
        label: { formatter: formatShort(reference, unit, currency), position: 'insideEndTop', color: colour('muted') },
      },
    },
  ]
}

/** The goals: steps of a dashed line. Each place has a dash, so that a goal without neighbours is seen, too. */
export function goalOf({ goal }: ChartSpec, colour: ReadColour): LineSeriesOption[] {
  if (goal === undefined) return []
  const stroke = colour('text')
  return [
    {
      type: 'line',
      name: goal.name,
      data: [...goal.values],
      step: 'middle',
      silent: true,
      symbol: 'rect',
      symbolSize: [GOAL_WIDTH, 2],
      showAllSymbol: true,
      itemStyle: { color: stroke },
      lineStyle: { color: stroke, width: 1.5, type: 'dashed' },
      emphasis: { disabled: true },
      z: 4,
    },
  ]
}

const GOAL_WIDTH = 14

/** The numbers of the notes, above a thin line at their places. */
export function notesOf({ notes = [] }: ChartSpec, colour: ReadColour): LineSeriesOption[] {
  if (notes.length === 0) return []
  const places = [...new Set(notes.map(({ place }) => place))]
  const numbers = (at: number) => notes.filter(({ place }) => place === at).map(({ number }) => String(number))
  return [
    {
      type: 'line',
      data: [],
      markLine: {
        silent: true,
        symbol: 'none',
        animation: false,
        data: places.map((place) => ({ xAxis: place, label: { formatter: shortened(numbers(place)) } })),
        lineStyle: { color: colour('muted'), width: 1, type: 'dotted' },
        label: {
          position: 'end',
          distance: 3,
          color: colour('surface'),
          backgroundColor: colour('muted'),
          borderRadius: 8,
          padding: [2, 5],
          fontSize: 11,
        },
      },
    },
  ]
}

/** The first and the last number of many. */
function shortened(numbers: readonly string[]): string {
  return numbers.length < 3 ? numbers.join(', ') : `${numbers[0]}–${numbers.at(-1)}`
}

/** The period to compare with. */
export function ghostsOf({ ghosts = [] }: ChartSpec, colour: ReadColour): LineSeriesOption[] {
  return ghosts.map(({ name, values, colour: own }) => ({
    type: 'line',
    name,
    data: [...values],
    silent: true,
    showSymbol: false,
    itemStyle: { color: colour(own) },
    lineStyle: { color: colour(own), width: 2, type: 'dotted' },
    emphasis: { disabled: true },
  }))
}
