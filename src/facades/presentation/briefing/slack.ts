import { clipped, withoutControls } from '../../../core/text.ts'
import type { Block, Briefing } from './briefing.ts'
import { blockLines } from './text.ts'
import { factsOf } from './values.ts'

/** Limits of Slack: blocks of a message, and characters of a section and of a header. */
const MOST_BLOCKS = 50
const MOST_TEXT = 3_000
const MOST_HEADER = 150

/** A message to an incoming webhook of Slack. `text` is the notification. */
export interface SlackMessage {
  readonly text: string
  readonly blocks: readonly Readonly<Record<string, unknown>>[]
}

/** The form of a briefing for Slack. Text of the data is no markup: it mentions nobody, and links nowhere. */
export function briefingSlack(briefing: Briefing, origin?: string): SlackMessage {
  const header = {
    type: 'header',
    text: { type: 'plain_text', text: clipped(unmarked(briefing.title), MOST_HEADER - 1), emoji: false },
  }
  const blocks = briefing.blocks.flatMap((block) => sectionsOf(block, briefing, origin))
  const shown = blocks.slice(0, MOST_BLOCKS - 2)
  const lacking = shown.length < blocks.length ? ['Slack takes no more blocks, so the last ones are left out.'] : []
  const facts = { type: 'context', elements: [plain([...lacking, ...factsOf(briefing)].join('\n'))] }
  return { text: escaped(briefing.title), blocks: [header, ...shown, facts] }
}

/** Markup in which Slack adds no links and no mentions. */
const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } })
/** A character without width keeps what looks like a mention from being one. */
const unmarked = (text: string) => text.replaceAll('<', '<\u200b')
/** Text without any markup. */
const plain = (text: string) => ({ type: 'plain_text', text: cut(unmarked(text)), emoji: false })

function sectionsOf(block: Block, briefing: Briefing, origin: string | undefined): SlackMessage['blocks'] {
  const title = escaped(withoutControls(block.title))
  const head = origin === undefined ? `*${title}*` : `*<${origin}/${block.page}|${title}>*`
  const lines = blockLines(block, briefing)
  if (block.kind === 'sentences') return [section(head), { type: 'section', text: plain(lines.join('\n')) }]
  return [section(tableMarkup(head, lines.map(escaped)))]
}

function tableMarkup(head: string, lines: readonly string[]): string {
  const fenced = (kept: readonly string[]) => `${head}\n\`\`\`${kept.join('\n')}\`\`\``
  // A table loses whole lines, so that its end stays closed.
  let kept = lines
  while (fenced(kept).length > MOST_TEXT && kept.length > 1) kept = [...kept.slice(0, -2), '…']
  return cut(fenced(kept))
}

function cut(text: string): string {
  return clipped(text, MOST_TEXT - 1)
}

/** Text that Slack shows unchanged. Backticks become apostrophes, because three of them would end a table. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('`', "'")
}
