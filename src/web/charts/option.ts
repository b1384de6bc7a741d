import type { BarSeriesOption, LineSeriesOption } from 'echarts/charts'
import type { GridComponentOption, TooltipComponentOption } from 'echarts/components'
import type { ComposeOption } from 'echarts/core'
import { formatShort } from '../format/numbers.ts'
import { type ChartSeries, type ChartSpec, FEW } from './spec.ts'
import { tooltipOf } from './tooltip.ts'

export type ChartOption = ComposeOption<BarSeriesOption | LineSeriesOption | GridComponentOption | TooltipComponentOption>
type Series = BarSeriesOption | LineSeriesOption
type ReadColour = (name: string) => string

const FAINT = 0.45
const AREA = 0.16
const STACKED_AREA = 0.75
const WIDEST_BAR = 46
/** Between an axis and its labels, so that the lowest value and the first period do not touch. */
const BELOW_AXIS = 12
const MARKED_POINTS = 40
/** Steps of a waterfall whose names stand side by side. */
const MOST_LEVEL = 5

/** What the chart library is told. */
export function optionOf(spec: ChartSpec, colour: ReadColour): ChartOption {
  const { labels, series, unit, currency } = spec
  const text = { color: colour('muted'), fontFamily: 'inherit', fontSize: 12 }
  const below = { ...text, margin: BELOW_AXIS }
  // Of nothing but zeros the library makes an axis of fractions, which would all be written as zero.
  const isFlat = series.every(({ values }) => values.every((value) => value === null || value === 0))
  return {
    animation: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    animationDuration: 250,
    grid: { left: 8, right: 12, top: series.length === 1 && labels.length <= FEW ? 24 : 12, bottom: 4, containLabel: true },
    tooltip: {
      trigger: spec.kind === 'waterfall' ? 'item' : 'axis',
      confine: true,
      axisPointer: { type: spec.kind === 'bars' ? 'shadow' : 'line' },
      className: 'chart-tooltip',
      // Its look comes from the style sheet.
      backgroundColor: colour('surface'),
      borderColor: colour('line'),
      padding: 0,
      formatter: (given) => tooltipOf(spec, [given].flat()[0]?.dataIndex ?? 0, colour),
    },
    xAxis: {
      type: 'category',
      data: [...labels],
      boundaryGap: spec.kind === 'bars' || spec.kind === 'waterfall',
      axisLabel:
        spec.kind === 'waterfall'
          ? { ...below, interval: 0, rotate: labels.length > MOST_LEVEL ? 30 : 0 }
          : { ...below, hideOverlap: true },
      axisTick: { show: false },
      axisLine: { lineStyle: { color: colour('line') } },
    },
    yAxis: {
      type: 'value',
      scale: spec.kind === 'line',
      splitNumber: 4,
      axisLabel: { ...text, formatter: (value: number) => (isFlat && value !== 0 ? '' : formatShort(value, unit, currency)) },
      splitLine: { lineStyle: { color: colour('line-soft') } },
    },
    series: spec.kind === 'waterfall' ? waterfall(spec, colour) : spec.series.flatMap((series) => seriesOf(series, spec, colour)),
  }
}

function seriesOf(series: ChartSeries, spec: ChartSpec, colour: ReadColour): Series[] {
  if (spec.kind === 'bars' && series.isLine !== true) return [bars(series, spec, colour)]
  return spec.isLastRunning ? linesOf(series, spec, colour) : [line(series, spec, colour, series.values)]
}

function bars({ name, values, colour: own }: ChartSeries, spec: ChartSpec, colour: ReadColour): BarSeriesOption {
  const { isLastRunning } = spec
  const fill = colour(own)
  return {
    type: 'bar',
    name,
    stack: 'all',
    barMaxWidth: WIDEST_BAR,
    itemStyle: { color: fill },
    emphasis: { disabled: true },
    ...named(spec, colour),
    data: values.map((value, place) =>
      isLastRunning && place === values.length - 1
        ? { value, itemStyle: { color: fill, opacity: FAINT, borderType: 'dashed', borderColor: fill } }
        : value,
    ),
  }
}

function line(
  { name, colour: own }: ChartSeries,
  spec: ChartSpec,
  colour: ReadColour,
  values: ChartSeries['values'],
): LineSeriesOption {
  const stroke = colour(own)
  const isStacked = spec.kind === 'area' && spec.series.length > 1
  return {
    type: 'line',
    name,
    ...(isStacked ? { stack: 'all' } : {}),
    data: [...values],
    showSymbol: values.length <= MARKED_POINTS,
    symbol: 'circle',
    symbolSize: 5,
    ...named(spec, colour),
    itemStyle: { color: stroke },
    lineStyle: { color: stroke, width: 2 },
    emphasis: { disabled: true },
    ...(spec.kind === 'area' ? { areaStyle: { color: stroke, opacity: isStacked ? STACKED_AREA : AREA } } : {}),
  }
}

/** A few values of one series stand beside their places. */
function named({ series, labels, unit, currency }: ChartSpec, colour: ReadColour): Pick<LineSeriesOption, 'label'> {
  if (series.length > 1 || labels.length > FEW) return {}
  const formatter = ({ value }: { readonly value?: unknown }) =>
    typeof value === 'number' ? formatShort(value, unit, currency) : ''
  return { label: { show: true, position: 'top', color: colour('muted'), fontSize: 12, formatter } }
}

/** The part that is complete, and the way to the running period dashed. */
function linesOf(series: ChartSeries, spec: ChartSpec, colour: ReadColour): LineSeriesOption[] {
  const last = series.values.length - 1
  const whole = line(series, spec, colour, series.values.slice(0, last))
  const values = series.values.map((value, place) => (place >= last - 1 ? value : null))
  const running = line(series, spec, colour, values)
  // Where the two meet, the first has the value beside it.
  const data = values.map((value, place) => (value !== null && place < last ? { value, label: { show: false } } : value))
  const faint = { ...running, data, lineStyle: { ...running.lineStyle, type: 'dashed' as const, opacity: FAINT } }
  // What is stacked stands on what is drawn the same way: the complete parts on each other, and so the ways to the running period.
  const { areaStyle, stack } = running
  return [
    whole,
    {
      ...faint,
      ...(stack === undefined ? {} : { stack: 'running' }),
      ...(areaStyle === undefined ? {} : { areaStyle: { ...areaStyle, opacity: Number(areaStyle.opacity) * FAINT } }),
    },
  ]
}

/** Bars that float: an invisible one below each carries it. A loss hangs from where the one before it ended. */
function waterfall({ series, totals = [] }: ChartSpec, colour: ReadColour): BarSeriesOption[] {
  const steps = series.map(({ values }, place) => values[place] ?? 0)
  let level = 0
  const places = steps.map((step, place) => {
    const from = totals.includes(place) ? 0 : level
    const to = from + step
    level = to
    return { low: Math.min(from, to), height: Math.abs(step), fill: colour(series[place]?.colour ?? 'total') }
  })
  const carried: BarSeriesOption = {
    type: 'bar',
    stack: 'all',
    silent: true,
    itemStyle: { color: 'transparent' },
    emphasis: { disabled: true },
    data: places.map(({ low }) => low),
  }
  const shown: BarSeriesOption = {
    type: 'bar',
    stack: 'all',
    barMaxWidth: WIDEST_BAR * 2,
    emphasis: { disabled: true },
    data: places.map(({ height, fill }) => ({ value: height, itemStyle: { color: fill } })),
  }
  return [carried, shown]
}
