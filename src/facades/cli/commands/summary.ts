import { withoutControls } from '../../../core/text.ts'
import type { Answer, AnswerField } from '../../../engine/engine.ts'
import { figureLines, windowText } from '../../presentation/cells.ts'
import { unitsOfColumns } from '../../presentation/table.ts'
import type { Command } from '../command.ts'
import { QUERY_OPTIONS, RANGE_OPTIONS } from '../options.ts'
import { paint } from '../terminal-text.ts'
import { answerQuestion, type Question } from './question.ts'

const QUESTION: Question = {
  command: 'summary',
  metric: 'summary',
  operation: (engine) => (params, spec, settings) => engine.summary(params, spec, settings),
  text: figuresText,
  days: () => ({ isNeeded: false, usual: 'last-12-months' }),
}

/** `summary`: the headline figures. */
export const SUMMARY_COMMAND: Command = {
  name: 'summary',
  description: 'Show the headline figures at the end of a day, each with its time window',
  options: ['start', 'end', ...RANGE_OPTIONS, 'forecast', ...QUERY_OPTIONS],
  names: 'fields mrr',
  run: (invocation) => answerQuestion(QUESTION, invocation),
}

type Figures = Readonly<Record<string, unknown>>

/** Shown only if there are books, or with a forecast. */
const SOMETIMES = ['gross_margin', 'operating_margin', 'mrr_in_trial', 'mrr_scheduled_to_cancel']

/** The summary as text: figures grouped by their day or time window. Compared segments follow one after the other. */
export function figuresText(answer: Answer, bold: boolean): string {
  const { data, kind } = answer
  const text = (figures: Figures) => oneSummary(figures, answer, bold)
  if (kind !== 'rows') return text(data as Figures)
  return (data as readonly Figures[])
    .map(
      (figures) =>
        `segment ${withoutControls(String(figures['segment_name']))} (${String(figures['segment_id'])})\n${text(figures)}`,
    )
    .join('\n')
}

function oneSummary(figures: Figures, answer: Answer, bold: boolean): string {
  const { fields, base_currency: currency } = answer.meta
  const isShown = (key: string) => !SOMETIMES.includes(key) || typeof figures[key] === 'number'
  const shown = fields.filter(({ name, window }) => window !== undefined && isShown(name))
  const lines = figureLines(
    figures,
    shown.map(({ name }) => name),
    { units: unitsOfColumns(answer), currency },
  )
  const section = (title: string, own: AnswerField['window']) =>
    [paint('bold', title, bold), ...lines.filter((_, index) => shown[index]?.window === own)].join('\n')
  const sections = [
    section(`At the end of ${String(figures['as_of'])}`, 'level'),
    section(`The 12 months from ${windowText(figures['year_window'])}`, 'year'),
    section(`The month so far, from ${windowText(figures['month_window'])}`, 'month'),
    section(`From ${windowText(figures['rate_window'])}`, 'rate'),
    section(`From ${windowText(figures['trailing_window'])}`, 'trailing'),
  ]
  return `${sections.join('\n\n')}\n`
}
