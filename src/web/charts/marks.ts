import type { LineSeriesOption } from 'echarts/charts'
import { formatShort } from '../format/numbers.ts'
import type { ChartSpec } from './spec.ts'

/** Reads a colour of the theme by its name. */
export type ReadColour = (name: string) => string

/** Shares that come near the top of the axis. An axis that ends above them would show 102 %. */
const NEAR_WHOLE = 0.8

/** Bounds of the axis: shares end at 100 %, and a reference is always on it. */
export function boundsOf({ kind, unit, series, ghosts = [], reference }: ChartSpec): {
  readonly min?: number
  readonly max?: number
} {
  const values = [...series, ...ghosts].flatMap((one) => one.values.flatMap((value) => value ?? []))
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
