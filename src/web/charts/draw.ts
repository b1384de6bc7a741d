import { BarChart, LineChart } from 'echarts/charts'
import { GridComponent, TooltipComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { optionOf } from './option.ts'
import { seriesAt } from './series-at.ts'
import type { ChartSpec } from './spec.ts'

use([BarChart, LineChart, GridComponent, TooltipComponent, CanvasRenderer])

/** A chart on the page. */
export interface Drawn {
  show(spec: ChartSpec): void
  /** The chart as a picture with the background of the page. */
  png(): Promise<Blob | null>
  dispose(): void
}

const SHARPNESS = 2

/** Draws into an element, follows its size, and reads its colours from the style sheet at each `show`. */
export function draw(element: HTMLElement): Drawn {
  const chart = init(element, undefined, { renderer: 'canvas' })
  let shown: ChartSpec | undefined
  const observer = new ResizeObserver(() => chart.resize())
  observer.observe(element)
  chart.on('click', ({ dataIndex, seriesName, seriesType }) => {
    if (seriesType === 'bar') shown?.onPick?.(dataIndex, seriesName)
    else if (shown?.kind === 'bars') shown.onPick?.(dataIndex, undefined)
  })
  // A line is thin, and so are some bars: anywhere above or below a place means that place.
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
    show: (spec) => {
      shown = spec
      chart.setOption(optionOf(spec, colourReader(element)), { notMerge: true })
    },
    png: () => {
      const canvas = chart.renderToCanvas({ pixelRatio: SHARPNESS, backgroundColor: colourReader(element)('surface') })
      return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
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
