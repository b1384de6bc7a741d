import type { ChartSpec } from './spec.ts'

/** The texts around the chart of a picture. A reader may have nothing but the picture. */
export interface Frame {
  readonly title: string
  /** Days, filters and other choices of the page. */
  readonly subtitle: string
  /** Currency, freshness and definitions. */
  readonly footer: string
}

interface Style {
  readonly colour: (name: string) => string
  readonly font: string
  /** Pixels of the picture for each pixel of the page. */
  readonly scale: number
}

const EDGE = 20
const TITLE = 18
const SMALL = 12
const LINE = 20
const SWATCH = 10
const GAP = 16

/** The chart with its title and choices above, and its legend and sources below, in the colours of the page. */
export function framed(
  chart: HTMLCanvasElement,
  spec: ChartSpec,
  frame: Frame,
  { colour, font, scale }: Style,
): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  if (context === null) return chart
  const width = chart.width / scale + 2 * EDGE
  const small = `${SMALL}px ${font}`
  context.font = small
  const subtitle = linesOf(context, frame.subtitle, width - 2 * EDGE)
  const footer = linesOf(context, frame.footer, width - 2 * EDGE)
  const notes = (spec.notes ?? []).flatMap(({ number, text }) => linesOf(context, `${number}  ${text}`, width - 2 * EDGE))
  const entries = legendOf(context, spec, width - 2 * EDGE)
  const rows = Math.max(0, ...entries.map(({ row }) => row + 1))
  const chartTop = EDGE + TITLE + 6 + subtitle.length * LINE + 8
  const legendTop = chartTop + chart.height / scale + 8
  const notesTop = legendTop + rows * LINE + 8
  const footerTop = notesTop + notes.length * LINE + (notes.length > 0 ? 8 : 0)
  const height = footerTop + footer.length * LINE + EDGE / 2
  // A new size clears the canvas and its settings.
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  context.scale(scale, scale)
  context.textBaseline = 'top'
  context.fillStyle = colour('surface')
  context.fillRect(0, 0, width, height)
  context.fillStyle = colour('text')
  context.font = `600 ${TITLE}px ${font}`
  context.fillText(frame.title, EDGE, EDGE, width - 2 * EDGE)
  context.font = small
  context.fillStyle = colour('muted')
  for (const [at, line] of subtitle.entries()) context.fillText(line, EDGE, EDGE + TITLE + 6 + at * LINE)
  context.drawImage(chart, EDGE, chartTop, chart.width / scale, chart.height / scale)
  for (const { name, fill, isGhost, x, row } of entries) {
    const top = legendTop + row * LINE
    context.fillStyle = colour(fill)
    context.fillRect(EDGE + x, top + (isGhost ? 5 : 1), SWATCH, isGhost ? 2 : SWATCH)
    context.fillStyle = colour('muted')
    context.fillText(name, EDGE + x + SWATCH + 6, top)
  }
  context.fillStyle = colour('text')
  for (const [at, line] of notes.entries()) context.fillText(line, EDGE, notesTop + at * LINE)
  context.fillStyle = colour('muted')
  for (const [at, line] of footer.entries()) context.fillText(line, EDGE, footerTop + at * LINE)
  return canvas
}

/** A text in lines that fit. */
function linesOf(context: CanvasRenderingContext2D, text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ').filter((part) => part !== '')) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && context.measureText(longer).width <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

/** The entries of the legend with their places. A waterfall names its bars on the axis. */
function legendOf(
  context: CanvasRenderingContext2D,
  { kind, series, ghosts = [], goal, undrawn = 0, note }: ChartSpec,
  width: number,
) {
  const own = kind === 'waterfall' ? [] : series.filter(({ isFaint }) => isFaint !== true)
  const faint = series.filter(({ isFaint }) => isFaint === true)
  const named = [
    ...own.map(({ name, colour }) => ({ name, fill: colour as string, isGhost: false })),
    ...ghosts.map(({ name, colour }) => ({ name, fill: colour as string, isGhost: true })),
    ...(goal === undefined ? [] : [{ name: goal.name, fill: 'text', isGhost: true }]),
    ...faint.slice(0, 1).map(({ colour }) => ({ name: `${faint.length} more, in grey`, fill: colour as string, isGhost: false })),
    ...(undrawn > 0 ? [{ name: `${undrawn} more in the table`, fill: 'surface', isGhost: true }] : []),
    ...(note === undefined ? [] : [{ name: note, fill: 'surface', isGhost: true }]),
  ]
  let x = 0
  let row = 0
  return named.map((entry) => {
    const needed = SWATCH + 6 + context.measureText(entry.name).width
    if (x > 0 && x + needed > width) {
      x = 0
      row += 1
    }
    const placed = { ...entry, x, row }
    x += needed + GAP
    return placed
  })
}
