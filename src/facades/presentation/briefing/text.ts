import { withoutControls } from '../../../core/text.ts'
import { tableLines } from '../text-table.ts'
import type { Block, Briefing } from './briefing.ts'
import { barsOf, changeText, factsOf, figureText, goalOfFigure, moreText, valueText } from './values.ts'

const BAR_WIDTH = 24

/** The form of a briefing for terminals, and the text part of a mail. `heading` styles titles. */
export function briefingText(briefing: Briefing, heading: (text: string) => string = (text) => text): string {
  const blocks = briefing.blocks.map((block) =>
    [heading(withoutControls(block.title)), ...blockLines(block, briefing)].join('\n'),
  )
  return `${[heading(briefing.title), ...blocks, factsOf(briefing).join('\n')].join('\n\n')}\n`
}

/** The lines of a block without its title. */
export function blockLines(block: Block, { base_currency: currency }: Pick<Briefing, 'base_currency'>): readonly string[] {
  switch (block.kind) {
    case 'sentences':
      return block.sentences.map(withoutControls)
    case 'figures': {
      const columns = (['left', 'right', 'right', 'left', 'left'] as const).map((align) => ({ title: '', align }))
      const rows = block.figures.map((figure) => [
        ...[figure.title, figureText(figure, currency), changeText(figure, currency), `(${figure.days})`],
        goalOfFigure(figure, currency),
      ])
      return tableLines(columns, rows).slice(1)
    }
    case 'table': {
      const shares = barsOf(block)
      const columns = block.columns.map(({ title, unit }) => ({ title, align: unit === undefined ? 'left' : 'right' }) as const)
      const rows = block.rows.map((row, place) => [
        ...row.map((value, index) => valueText(value, block.columns[index]?.unit, currency)),
        ...(shares === undefined ? [] : ['█'.repeat(Math.round((shares[place] ?? 0) * BAR_WIDTH))]),
      ])
      const bars = shares === undefined ? [] : [{ title: '', align: 'left' as const }]
      return [...tableLines([...columns, ...bars], rows), ...(block.more === 0 ? [] : [moreText(block.more)])]
    }
  }
}
