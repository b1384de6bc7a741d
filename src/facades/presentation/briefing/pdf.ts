import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { onDemand } from '../../../core/on-demand.ts'
import { withoutControls } from '../../../core/text.ts'
import { barChart } from './bar-chart.ts'
import type { Block, BlockColumn, Briefing, Figure } from './briefing.ts'
import { barsOf, changeText, factsOf, figureText, moreText, valueText } from './values.ts'

export type PdfDocument = PDFKit.PDFDocument

/** The fonts of the document by their names in it: files of a package in a source checkout, copies of them in a build. */
export const PDF_FONTS: Readonly<Record<'text' | 'strong', string>> = {
  text: '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  strong: '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf',
}
/** Folder of the copies. */
export const PDF_FONTS_FOLDER = fileURLToPath(new URL('./fonts/', import.meta.url))

const INK = '#1b1f27'
const QUIET = '#5b6272'
const LINE = '#d5d9e2'
const MARGIN = 48
/** Share of the width that a chart takes next to the table of its numbers, and the room between them. */
const CHART_SHARE = 0.66
const GAP = 28
/** The widest place of a column, so that the eye finds the number of a name. */
const WIDEST_COLUMN = 180
/** Figures in a row of a page. */
const FIGURES_ACROSS = 3
const FIGURE_HEIGHT = 130

// Most processes make no PDF.
const pdfkit = onDemand(() => import('pdfkit'))
const fonts = onDemand(() => Promise.all([readFont('text'), readFont('strong')]))

/**
 * The PDF form: A4 landscape, a cover and one block a page, the chart of a series next to its numbers. Its text can be selected and read aloud, because
 * it is tagged. The same briefing gives the same bytes.
 */
export async function briefingPdf(briefing: Briefing, origin?: string): Promise<Uint8Array> {
  const [{ default: Document }, [text, strong]] = await Promise.all([pdfkit(), fonts()])
  const document = new Document({
    ...{
      size: 'A4',
      layout: 'landscape',
      margin: MARGIN,
      tagged: true,
      pdfVersion: '1.7',
      lang: 'en',
      displayTitle: true,
      font: text as never,
    },
    // The page number is below the margin, which would otherwise begin a new page.
    ...{
      bufferPages: true,
      info: { Title: withoutControls(briefing.title), Creator: 'Plumbline', CreationDate: dateOf(briefing) },
    },
  })
  const chunks: Uint8Array[] = []
  const ended = new Promise<void>((resolve, reject) => {
    document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    document.on('end', resolve)
    document.on('error', reject)
  })
  document.registerFont('text', text)
  document.registerFont('strong', strong)
  cover(document, briefing)
  for (const block of briefing.blocks) blockPage(document, block, briefing.base_currency, origin)
  numberPages(document, briefing)
  document.end()
  await ended
  return Buffer.concat(chunks)
}

function readFont(name: keyof typeof PDF_FONTS): Promise<Uint8Array> {
  const copy = `${PDF_FONTS_FOLDER}${name}.ttf`
  return readFile(existsSync(copy) ? copy : createRequire(import.meta.url).resolve(PDF_FONTS[name]))
}

/** The instant of the document. It names the file, so it is one of the briefing's own. */
function dateOf({ data_through, days }: Briefing): Date {
  return new Date(data_through ?? `${days.end}T00:00:00Z`)
}

/** A paragraph at the place where the document is, as an element that is read aloud. */
function paragraph(
  document: PdfDocument,
  tag: 'H1' | 'H2' | 'P',
  content: string,
  {
    font = 'text',
    size,
    color = INK,
    gap = 0,
    link,
  }: { font?: string; size: number; color?: string; gap?: number; link?: string | undefined },
): void {
  const element = document.struct(tag, {}, () => {
    document
      .font(font)
      .fontSize(size)
      .fillColor(color)
      .text(withoutControls(content), { ...(link !== undefined && { link }) })
  })
  document.addStructure(element)
  document.y += gap
}

function cover(document: PdfDocument, briefing: Briefing): void {
  document.y = 190
  paragraph(document, 'H1', briefing.title, { font: 'strong', size: 34, gap: 12 })
  paragraph(document, 'P', `${briefing.days.start} to ${briefing.days.end}`, { size: 16, color: QUIET, gap: 36 })
  for (const fact of factsOf(briefing)) paragraph(document, 'P', fact, { size: 10, color: QUIET, gap: 4 })
}

function blockPage(document: PdfDocument, block: Block, currency: string, origin: string | undefined): void {
  document.addPage()
  const link = origin === undefined ? undefined : `${origin}/${block.page}`
  paragraph(document, 'H2', block.title, { font: 'strong', size: 20, gap: 16, link })
  switch (block.kind) {
    case 'sentences':
      for (const sentence of block.sentences) paragraph(document, 'P', sentence, { size: 13, gap: 8 })
      break
    case 'figures':
      figureCards(document, block.figures, currency)
      break
    case 'table':
      seriesOrTable(document, block, currency)
  }
}

/** Large numbers, three in a row, each with its name, its change and its days. */
function figureCards(document: PdfDocument, figures: readonly Figure[], currency: string): void {
  const width = (document.page.width - 2 * MARGIN) / FIGURES_ACROSS
  let top = document.y
  for (const [index, figure] of figures.entries()) {
    const across = index % FIGURES_ACROSS
    if (across === 0 && index > 0) top += FIGURE_HEIGHT
    if (top + FIGURE_HEIGHT > document.page.height - MARGIN) {
      document.addPage()
      top = MARGIN
    }
    document.x = MARGIN + across * width
    document.y = top
    const change = changeText(figure, currency)
    const element = document.struct('P', {}, () => {
      const line = (font: string, size: number, color: string, text: string) =>
        document
          .font(font)
          .fontSize(size)
          .fillColor(color)
          .text(withoutControls(text), { width: width - 16 })
      line('text', 13, QUIET, figure.title)
      line('strong', 28, INK, figureText(figure, currency))
      line('text', 11, QUIET, change === '' ? figure.days : `${change}, ${figure.days}`)
    })
    document.addStructure(element)
  }
  document.x = MARGIN
}

function seriesOrTable(document: PdfDocument, block: Extract<Block, { readonly kind: 'table' }>, currency: string): void {
  const shares = barsOf(block)
  const { y } = document
  const width = document.page.width - 2 * MARGIN
  if (shares !== undefined) {
    const [first, second] = block.columns
    const bars = block.rows.map(([name, value], place) => ({
      name: valueText(name ?? null, first?.unit, currency),
      value: valueText(value ?? null, second?.unit, currency),
      share: shares[place] ?? 0,
    }))
    barChart(
      document,
      bars,
      { x: MARGIN, y, width: width * CHART_SHARE - GAP, height: document.page.height - MARGIN - 40 - y },
      block.title,
    )
    document.x = MARGIN + width * CHART_SHARE
  }
  document.font('text').fontSize(10)
  document.table({
    ...{ structParent: document, columnStyles: block.columns.map(({ unit }) => styleOf(unit !== undefined)) },
    maxWidth: shares === undefined ? Math.min(width, block.columns.length * WIDEST_COLUMN) : width * (1 - CHART_SHARE),
    defaultStyle: { border: [0, 0, 0.5, 0], borderColor: LINE, padding: [4, 8, 4, 0], textColor: INK },
    data: [
      block.columns.map((column) => headCell(column)),
      ...block.rows.map((row) => row.map((value, index) => valueText(value, block.columns[index]?.unit, currency))),
    ],
  })
  if (block.more > 0) {
    document.y += 8
    paragraph(document, 'P', moreText(block.more), { size: 10, color: QUIET })
  }
  document.x = MARGIN
}

/** Numbers end at one edge, and each digit is below another. */
function styleOf(isNumber: boolean): PDFKit.Mixins.ColumnStyle {
  return isNumber ? { align: { x: 'right' }, textOptions: { features: ['tnum'] } } : {}
}

function headCell({ title }: BlockColumn) {
  return { text: withoutControls(title), type: 'TH', scope: 'Column', font: { src: 'strong' } } as const
}

/** The title, the page and the number of pages at the foot of each page but the cover. */
function numberPages(document: PdfDocument, { title }: Briefing): void {
  const { count } = document.bufferedPageRange()
  for (let page = 1; page < count; page += 1) {
    document.switchToPage(page)
    document.page.margins.bottom = 0
    document.markContent('Artifact', { type: 'Pagination' })
    const place = document.page.height - 30
    document.font('text').fontSize(8).fillColor(QUIET)
    document.text(withoutControls(title), MARGIN, place, { lineBreak: false })
    const width = document.page.width - 2 * MARGIN
    document.text(`${page + 1} of ${count}`, MARGIN, place, { width, align: 'right', lineBreak: false })
    document.endMarkedContent()
  }
}
