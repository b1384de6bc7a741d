import type { Answer } from '../../../engine/engine.ts'
import { unitsOfColumns } from '../../presentation/table.ts'
import { type CellFormat, figureLines } from '../cells.ts'
import type { Command } from '../command.ts'
import { QUERY_OPTIONS, RANGE_OPTIONS } from '../options.ts'
import { paint, withoutControls } from '../terminal-text.ts'
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

const AT_THE_END = ['mrr', 'arr', 'arpu', 'active_customers', 'active_subscriptions', 'mrr_in_trial', 'mrr_scheduled_to_cancel']
const OVER_RATE_WINDOW = ['net_new_mrr', 'logo_churn_rate', 'revenue_churn_rate', 'nrr', 'grr']
const OVER_TRAILING_WINDOW = ['ltv', 'trial_conversion_rate', 'quick_ratio', 'gross_margin', 'operating_margin']
/** Shown only if there are books, or with a forecast. */
const SOMETIMES = ['gross_margin', 'operating_margin', 'mrr_in_trial', 'mrr_scheduled_to_cancel']

/** The summary as text: figures grouped by their day or time window. Compared segments follow one after the other. */
export function figuresText(answer: Answer, bold: boolean): string {
  const { data, kind, meta } = answer
  const reading = { units: unitsOfColumns(answer), currency: meta.base_currency }
  if (kind !== 'rows') return oneSummary(data as Figures, reading, bold)
  return (data as readonly Figures[])
    .map(
      (figures) =>
        `segment ${withoutControls(String(figures['segment_name']))} (${String(figures['segment_id'])})\n${oneSummary(figures, reading, bold)}`,
    )
    .join('\n')
}

function oneSummary(figures: Figures, reading: CellFormat, bold: boolean): string {
  const heading = (text: string) => paint('bold', text, bold)
  const isShown = (key: string) => !SOMETIMES.includes(key) || typeof figures[key] === 'number'
  const keys = [...AT_THE_END, ...OVER_RATE_WINDOW, ...OVER_TRAILING_WINDOW].filter(isShown)
  const lines = figureLines(figures, keys, reading)
  const section = (title: string, names: readonly string[]) => [
    heading(title),
    ...lines.filter((_, index) => names.includes(keys[index] ?? '')),
  ]
  const sections = [
    section(`At the end of ${String(figures['as_of'])}`, AT_THE_END),
    section(`From ${windowText(figures['rate_window'])}`, OVER_RATE_WINDOW),
    section(`From ${windowText(figures['trailing_window'])}`, OVER_TRAILING_WINDOW),
  ]
  return `${sections.map((part) => part.join('\n')).join('\n\n')}\n`
}

function windowText(window: unknown): string {
  const { start, end } = window as {
    readonly start: string
    readonly end: string
  }
  return `${start} to ${end}`
}
