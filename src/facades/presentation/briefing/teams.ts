import { clipped, withoutControls } from '../../../core/text.ts'
import type { Block, Briefing } from './briefing.ts'
import { barsOf, changeText, factsOf, figureText, moreText, valueText } from './values.ts'

/** Most bytes of a message that Teams takes, and characters of a text in it. */
const MOST_BYTES = 28 * 1024
const MOST_TEXT = 1_000
/** A table with more lines than this never fits. */
const MOST_LINES = 500
/** Characters of the longest bar. */
const BAR_WIDTH = 12

type Element = Readonly<Record<string, unknown>>

/** A message to the webhook of a workflow of Teams: an Adaptive Card. */
export interface TeamsMessage {
  readonly type: 'message'
  readonly attachments: readonly [
    { readonly contentType: string; readonly contentUrl: null; readonly content: Readonly<Record<string, unknown>> },
  ]
}

/**
 * The form of a briefing for Teams. All text is in rich texts, which have no markup: names of the data link nowhere and mention nobody. A message that is
 * too long for Teams loses lines of its longest tables first, and then blocks.
 */
export function briefingTeams(briefing: Briefing, origin?: string): TeamsMessage {
  let { blocks } = briefing
  for (let isWhole = true; ; isWhole = false) {
    const message = messageOf({ ...briefing, blocks }, isWhole, origin)
    if (Buffer.byteLength(JSON.stringify(message)) <= MOST_BYTES || blocks.length === 0) return message
    blocks = shortened(blocks)
  }
}

function shortened(blocks: readonly Block[]): readonly Block[] {
  const lengths = blocks.map((block) =>
    block.kind === 'table' ? block.rows.length : block.kind === 'sentences' ? block.sentences.length : 0,
  )
  const most = Math.max(...lengths)
  const longest = lengths.indexOf(most)
  if (most <= 1) return blocks.slice(0, -1)
  // A part of a long table, so that few cards are made on the way.
  const lost = Math.max(Math.ceil(most / 10), most - MOST_LINES)
  return blocks.map((block, place) => {
    if (place !== longest) return block
    if (block.kind === 'table') return { ...block, rows: block.rows.slice(0, 0 - lost), more: block.more + lost }
    return block.kind === 'sentences' ? { ...block, sentences: block.sentences.slice(0, 0 - lost) } : block
  })
}

function messageOf(briefing: Briefing, isWhole: boolean, origin: string | undefined): TeamsMessage {
  const facts = [...(isWhole ? [] : ['Teams takes no more, so the last lines are left out.']), ...factsOf(briefing)]
  const body = [
    rich([run(briefing.title, { size: 'Large', weight: 'Bolder' })]),
    ...briefing.blocks.flatMap((block) => elementsOf(block, briefing.base_currency, origin)),
    ...facts.map((fact, place) => rich([run(fact, { size: 'Small', isSubtle: true })], place === 0 ? 'Medium' : 'None')),
  ]
  const card = { $schema: 'http://adaptivecards.io/schemas/adaptive-card.json', type: 'AdaptiveCard', version: '1.5' }
  const content = { ...card, msteams: { width: 'Full' }, fallbackText: shownText(briefing.title), body }
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  }
}

function elementsOf(block: Block, currency: string, origin: string | undefined): readonly Element[] {
  const opens = origin === undefined ? {} : { selectAction: { type: 'Action.OpenUrl', url: `${origin}/${block.page}` } }
  const head = rich([run(block.title, { weight: 'Bolder', ...opens })], 'Large')
  switch (block.kind) {
    case 'sentences':
      return [head, ...block.sentences.map((sentence) => rich([run(sentence)], 'Small'))]
    case 'figures': {
      const rows = block.figures.map((figure) => [
        ...[figure.title, figureText(figure, currency), changeText(figure, currency), `(${figure.days})`],
      ])
      return [head, table([3, 2, 2, 3], [false, true, true, false], rows, false)]
    }
    case 'table': {
      const shares = barsOf(block)
      const cells = block.rows.map((row, place) => [
        ...row.map((value, index) => valueText(value, block.columns[index]?.unit, currency)),
        ...(shares === undefined ? [] : ['█'.repeat(Math.round((shares[place] ?? 0) * BAR_WIDTH))]),
      ])
      const titles = [...block.columns.map(({ title }) => title), ...(shares === undefined ? [] : [''])]
      const isNumber = [...block.columns.map(({ unit }) => unit !== undefined), ...(shares === undefined ? [] : [false])]
      const widths = isNumber.map((number) => (number ? 2 : 3))
      const more = block.more === 0 ? [] : [rich([run(moreText(block.more), { isSubtle: true })], 'None')]
      return [head, table(widths, isNumber, [titles, ...cells], true), ...more]
    }
  }
}

function table(
  widths: readonly number[],
  isNumber: readonly boolean[],
  rows: readonly (readonly string[])[],
  hasHead: boolean,
): Element {
  return {
    type: 'Table',
    ...{ firstRowAsHeaders: hasHead, showGridLines: false },
    columns: widths.map((width, place) => ({
      width,
      ...(isNumber[place] === true && { horizontalCellContentAlignment: 'Right' }),
    })),
    rows: rows.map((row) => ({
      type: 'TableRow',
      cells: row.map((text) => ({ type: 'TableCell', items: [{ type: 'RichTextBlock', inlines: [shownText(text)] }] })),
    })),
  }
}

function rich(inlines: readonly Element[], spacing?: string): Element {
  return { type: 'RichTextBlock', inlines, ...(spacing !== undefined && { spacing }) }
}

function run(text: string, look: Element = {}): Element {
  return { type: 'TextRun', text: shownText(text), ...look }
}

/** Text on one line. Teams refuses an empty text. */
function shownText(text: string): string {
  return clipped(withoutControls(text), MOST_TEXT) || ' '
}
