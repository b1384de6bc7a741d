import type { Briefing } from './briefing.ts'
import { figureText } from './values.ts'

/** The subject has the first figure, because many read no further. It names no customer. */
export function subjectOf({ title, blocks, base_currency }: Pick<Briefing, 'title' | 'blocks' | 'base_currency'>): string {
  const figure = blocks.flatMap((block) => (block.kind === 'figures' ? block.figures : []))[0]
  return figure === undefined ? title : `${title}: ${figure.title} ${figureText(figure, base_currency)}`
}
