import type { PdfDocument } from './pdf.ts'

/** A bar with the texts below and above it. `share` is its height as a share of the highest. */
export interface Bar {
  readonly name: string
  readonly value: string
  readonly share: number
}

export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const FILL = '#2f6fed'
const LABEL = '#5b6272'
const LABEL_SIZE = 8
/** Room above and below the bars for their labels. */
const LABEL_ROOM = 16
/** Share of its place that a bar takes. */
const THICKNESS = 0.62

// The library of the dashboard would bring 62 MB to an installation, for rectangles and labels.
/**
 * Draws bars as shapes of the document, as a picture with a name for readers that do not see it. Labels that do not fit next to each other are left out
 * but for every second, third or further one before the last; the table next to them has all numbers.
 */
export function barChart(document: PdfDocument, bars: readonly Bar[], area: Area, title: string): void {
  const step = area.width / bars.length
  const highest = area.height - 2 * LABEL_ROOM
  const base = area.y + LABEL_ROOM + highest
  document.addStructure(
    document.struct('Figure', { alt: `Bars: ${title}. The table next to them has the numbers.` }, () => {
      document.save().fillColor(FILL)
      for (const [place, { share }] of bars.entries()) {
        const x = area.x + place * step + (step * (1 - THICKNESS)) / 2
        document.rect(x, base - share * highest, step * THICKNESS, share * highest)
      }
      document.fill().restore()
      document.font('text').fontSize(LABEL_SIZE).fillColor(LABEL)
      const widest = Math.max(...bars.flatMap(({ name, value }) => [document.widthOfString(name), document.widthOfString(value)]))
      const each = Math.ceil((widest + 4) / step)
      for (const [place, { name, value, share }] of bars.entries()) {
        if ((bars.length - 1 - place) % each !== 0) continue
        const middle = area.x + (place + 0.5) * step
        const label = (text: string, y: number) =>
          document.text(text, middle - document.widthOfString(text) / 2, y, { lineBreak: false })
        label(value, base - share * highest - LABEL_SIZE - 4)
        label(name, base + 5)
      }
    }),
  )
  document.x = area.x
  document.y = area.y
}
