import { BarChart, type BarSeriesOption, LineChart, type LineSeriesOption } from 'echarts/charts'
import {
  GridComponent,
  type GridComponentOption,
  MarkLineComponent,
  type MarkLineComponentOption,
  TooltipComponent,
  type TooltipComponentOption,
} from 'echarts/components'
import { type ComposeOption, init, use } from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { CanvasRenderer } from 'echarts/renderers'
import { formatShort, formatTick } from '../format/numbers.ts'
import { boundsOf, ghostsOf, goalOf, notesOf, type ReadColour, referenceOf } from './marks.ts'
import { type Frame, framed } from './picture.ts'
import { type ChartSeries, type ChartSpec, FEW } from './spec.ts'
import { tooltipOf } from './tooltip.ts'

use([BarChart, LineChart, GridComponent, MarkLineComponent, TooltipComponent, LabelLayout, CanvasRenderer])

/** A chart on the page. */
export interface Drawn {
  /** Draws at once, without a movement, if `isStill`. */
  show(spec: ChartSpec, isStill?: boolean): void
  /** The chart as a picture, with its title, legend and sources. */
  png(frame: Frame): Promise<Blob | null>
  dispose(): void
}

const SHARPNESS = 2

/** Draws into an element, follows its size, and reads colours from the style sheet at each `show`. */
export function draw(element: HTMLElement): Drawn {
  const chart = init(element, undefined, { renderer: 'canvas' })
  let shown: ChartSpec | undefined
  const observer = new ResizeObserver(() => chart.resize())
  observer.observe(element)
  chart.on('click', ({ dataIndex, seriesName, seriesType }) => {
    if (seriesType === 'bar') shown?.onPick?.(dataIndex, seriesName)
    else if (shown?.kind === 'bars') shown.onPick?.(dataIndex, undefined)
  })
  // Lines and some bars are thin, so a click above or below a place also counts.
  chart.getZr().on('click', ({ offsetX, offsetY, target }) => {
    if (shown === undefined || shown.kind === 'waterfall') return
    if (shown.kind === 'bars' && target !== undefined) return
    if (!chart.containPixel('grid', [offsetX, offsetY])) return
    const [at, value] = chart.convertFromPixel({ xAxisIndex: 0, yAxisIndex: 0 }, [offsetX, offsetY])
    if (at === undefined || value === undefined) return
    const place = Math.round(at)
    shown.onPick?.(place, shown.kind === 'bars' ? undefined : seriesAt(shown, place, value))
  })
  return {
    show: (spec, isStill = false) => {
      shown = spec
      const option = optionOf(spec, colourReader(element))
      chart.setOption(isStill ? { ...option, animation: false } : option, { notMerge: true })
    },
    png: (frame) => {
      if (shown === undefined) return Promise.resolve(null)
      const colour = colourReader(element)
      const canvas = chart.renderToCanvas({ pixelRatio: SHARPNESS, backgroundColor: colour('surface') })
      const font = getComputedStyle(element).fontFamily
      const picture = framed(canvas, shown, frame, { colour, font, scale: SHARPNESS })
      return new Promise((resolve) => picture.toBlob(resolve, 'image/png'))
    },
    dispose: () => {
      observer.disconnect()
      chart.dispose()
    },
  }
}

function colourReader(element: HTMLElement): (name: string) => string {
  const style = getComputedStyle(element)
  return (name) => style.getPropertyValue(`--${name}`).trim()
}

/** The series at a point of a line or area chart: the area that contains it, else the nearest line. */
function seriesAt({ kind, series }: ChartSpec, place: number, value: number): string | undefined {
  if (kind === 'area') {
    let top = 0
    return series.find(({ values }) => {
      top += values[place] ?? 0
      return value <= top
    })?.name
  }
  const distances = series.flatMap(({ name, values }) => {
    const at = values[place]
    return at === null || at === undefined ? [] : [{ name, distance: Math.abs(at - value) }]
  })
  return distances.sort((one, other) => one.distance - other.distance)[0]?.name
}

type ChartOption = ComposeOption<
  BarSeriesOption | LineSeriesOption | GridComponentOption | MarkLineComponentOption | TooltipComponentOption
>
type Series = BarSeriesOption | LineSeriesOption

const FAINT = 0.45
/** Opacity of lines in the background. */
const BACKGROUND = 0.7
const AREA = 0.16
const STACKED_AREA = 0.75
const WIDEST_BAR = 46
/** Space between axis and labels, so that the lowest value and the first period do not touch. */
const BELOW_AXIS = 12
const MARKED_POINTS = 40
/** Least pixels between two labels. */
const LABEL_GAP = 4
/** Most steps of a waterfall with horizontal labels. */
const MOST_LEVEL = 5

/** The smallest step of an axis: one of a count, a cent. Rates and ratios have none. */
const SMALLEST_STEP: Readonly<Record<ChartSpec['unit'], number>> = { count: 1, money: 1, fraction: 0, ratio: 0 }

/** Options for ECharts. */
function optionOf(spec: ChartSpec, colour: ReadColour): ChartOption {
  const { labels, series, unit, currency } = spec
  const text = { color: colour('muted'), fontFamily: 'inherit', fontSize: 12 }
  const below = { ...text, margin: BELOW_AXIS }
  // If all values are zero, ECharts makes an axis of fractions, and all its labels would read as zero.
  const isFlat = series.every(({ values }) => values.every((value) => value === null || value === 0))
  return {
    animation: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    animationDuration: 250,
    grid: { left: 8, right: 12, top: isLabelled(spec) || (spec.notes ?? []).length > 0 ? 24 : 12, bottom: 4, containLabel: true },
    tooltip: {
      trigger: spec.kind === 'waterfall' ? 'item' : 'axis',
      confine: true,
      axisPointer: { type: spec.kind === 'bars' ? 'shadow' : 'line' },
      className: 'chart-tooltip',
      // The style sheet styles the tooltip.
      backgroundColor: colour('surface'),
      borderColor: colour('line'),
      padding: 0,
      formatter: (given) => tooltipOf(spec, [given].flat()[0]?.dataIndex ?? 0, colour),
    },
    xAxis: {
      type: 'category',
      data: [...labels],
      // A label needs room on both sides of its point, also at the ends.
      boundaryGap: spec.kind === 'bars' || spec.kind === 'waterfall' || isLabelled(spec),
      axisLabel:
        spec.kind === 'waterfall'
          ? { ...below, interval: 0, rotate: labels.length > MOST_LEVEL ? 30 : 0 }
          : // The running period says how far it is, so its label always shows.
            { ...below, hideOverlap: true, ...(spec.openFrom === labels.length - 1 ? { showMaxLabel: true } : {}) },
      axisTick: { show: false },
      axisLine: { lineStyle: { color: colour('line') } },
    },
    yAxis: {
      type: 'value',
      // A ratio is read from zero, a line of other units from near its lowest value.
      scale: spec.kind === 'line' && unit !== 'ratio',
      ...boundsOf(spec),
      splitNumber: 4,
      minInterval: SMALLEST_STEP[unit],
      axisLabel: { ...text, formatter: (value: number) => (isFlat && value !== 0 ? '' : formatTick(value, unit, currency)) },
      splitLine: { lineStyle: { color: colour('line-soft') } },
    },
    series:
      spec.kind === 'waterfall'
        ? waterfall(spec, colour)
        : [
            ...spec.series.flatMap((series) => seriesOf(series, spec, colour)),
            ...ghostsOf(spec, colour),
            ...referenceOf(spec, colour),
            ...goalOf(spec, colour),
            ...notesOf(spec, colour),
          ],
  }
}

function seriesOf(series: ChartSeries, spec: ChartSpec, colour: ReadColour): Series[] {
  if (spec.kind === 'bars' && series.isLine !== true) return [bars(series, spec, colour)]
  const { openFrom } = spec
  return openFrom === undefined ? [line(series, spec, colour, series.values)] : linesOf(series, spec, colour, openFrom)
}

function bars({ name, values, colour: own }: ChartSeries, spec: ChartSpec, colour: ReadColour): BarSeriesOption {
  const { openFrom = values.length } = spec
  const fill = colour(own)
  return {
    type: 'bar',
    name,
    stack: 'all',
    barMaxWidth: WIDEST_BAR,
    itemStyle: { color: fill },
    emphasis: { disabled: true },
    ...named(spec, colour),
    data: values.map((value, place) => (place < openFrom ? value : { value, itemStyle: openStyle(fill) })),
  }
}

function line(
  { name, colour: own, isFaint = false }: ChartSeries,
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
    ...(spec.isStep === true ? { step: 'end' as const } : {}),
    data: [...values],
    showSymbol: values.length <= MARKED_POINTS && !isFaint,
    symbol: 'circle',
    symbolSize: 5,
    ...named(spec, colour),
    itemStyle: { color: stroke },
    lineStyle: isFaint ? { color: stroke, width: 1, opacity: BACKGROUND } : { color: stroke, width: 2 },
    emphasis: { disabled: true },
    ...(spec.kind === 'area' ? { areaStyle: { color: stroke, opacity: isStacked ? STACKED_AREA : AREA } } : {}),
  }
}

/** Whether each value has its number in the chart: a series of a few values has. */
function isLabelled({ series, labels }: ChartSpec): boolean {
  return series.length === 1 && labels.length <= FEW
}

/** Labels for a series of a few values. Labels without room are left out. */
function named(spec: ChartSpec, colour: ReadColour): Pick<LineSeriesOption, 'label' | 'labelLayout'> {
  const { unit, currency } = spec
  if (!isLabelled(spec)) return {}
  const formatter = ({ value }: { readonly value?: unknown }) =>
    typeof value === 'number' ? formatShort(value, unit, currency) : ''
  const label = { show: true, position: 'top', color: colour('muted'), fontSize: 12, minMargin: LABEL_GAP, formatter } as const
  return { label, labelLayout: { hideOverlap: true } }
}

/** A bar of a period that is not over. */
function openStyle(fill: string) {
  return { color: fill, opacity: FAINT, borderType: 'dashed' as const, borderColor: fill }
}

/** A solid line for complete periods, and a dashed line through the open ones. */
function linesOf(series: ChartSeries, spec: ChartSpec, colour: ReadColour, openFrom: number): LineSeriesOption[] {
  const whole = line(series, spec, colour, series.values.slice(0, openFrom))
  const values = series.values.map((value, place) => (place >= openFrom - 1 ? value : null))
  const running = line(series, spec, colour, values)
  // The two lines share a point. The solid line already labels it.
  const data = values.map((value, place) => (value !== null && place < openFrom ? { value, label: { show: false } } : value))
  const faint = { ...running, data, lineStyle: { ...running.lineStyle, type: 'dashed' as const, opacity: FAINT } }
  // Stack solid areas only on solid areas, and dashed areas only on dashed areas.
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

/** Floating bars. Each bar is stacked on an invisible bar. A loss hangs from the end of the step before it. */
function waterfall({ series, totals = [], openFrom = series.length }: ChartSpec, colour: ReadColour): BarSeriesOption[] {
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
    data: places.map(({ height, fill }, place) => ({
      value: height,
      itemStyle: place < openFrom ? { color: fill } : openStyle(fill),
    })),
  }
  return [carried, shown]
}
