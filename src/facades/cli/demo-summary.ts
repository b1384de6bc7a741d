import { dayOf, dayStart } from '../../core/periods.ts'
import type { Answer, Engine } from '../../engine/engine.ts'
import { formatAmount, formatNumber } from '../presentation/cells.ts'
import { tableLines } from '../presentation/text-table.ts'
import { paint } from './terminal-text.ts'

/** The answers shown in the summary of the demo. */
interface SummaryAnswers {
  readonly today: string
  readonly mrr: Answer
  /** MRR by month, the last twelve. */
  readonly series: Answer
  /** Movements of the current month. */
  readonly breakdown: Answer
}

/** Asks the engine for the summary. `today` is the day of the engine's clock. */
export async function askSummary(engine: Engine, today: string): Promise<SummaryAnswers> {
  const monthStart = `${today.slice(0, 7)}-01`
  const start = monthsBefore(monthStart, 11)
  return {
    today,
    mrr: await engine.query('mrr', { query_type: 'current', at: today }),
    series: await engine.query('mrr', {
      query_type: 'series',
      start,
      end: today,
      interval: 'month',
    }),
    breakdown: await engine.query('mrr', {
      query_type: 'breakdown',
      start: monthStart,
      end: today,
    }),
  }
}

/** Paths of further requests for the sample data. `today` is the day of the engine's clock. */
export function furtherQuestions(today: string): readonly string[] {
  const monthStart = `${today.slice(0, 7)}-01`
  const range = `start=${monthsBefore(monthStart, 6)}&end=${dayOf(new Date(dayStart(monthStart).getTime() - 1))}`
  return [
    '/api/metrics/summary',
    `/api/metrics/churn?${range}&granularity=month`,
    `/api/metrics/retention?${range}`,
    `/api/metrics/ltv?${range}`,
  ]
}

function monthsBefore(monthStart: string, months: number): string {
  const first = dayStart(monthStart)
  return dayOf(new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() - months, 1)))
}

const BAR_WIDTH = 32

/** The summary of the demo: MRR today, the last twelve months with bars, the movements of this month. */
export function summaryText(answers: SummaryAnswers, bold: boolean): string {
  const heading = (text: string) => paint('bold', text, bold)
  const currency = answers.mrr.meta.base_currency
  const total = typeof answers.mrr.data === 'number' ? formatAmount(answers.mrr.data, currency) : '–'
  return [
    heading(`MRR on ${answers.today}: ${total} ${currency}`),
    '',
    heading('The last twelve months'),
    ...monthLines(rowsOf(answers.series.data), currency),
    '',
    heading(`Movements in ${answers.today.slice(0, 7)}`),
    ...movementLines(rowsOf(answers.breakdown.data), currency),
    '',
  ].join('\n')
}

function monthLines(rows: readonly Readonly<Record<string, unknown>>[], currency: string): string[] {
  const levels = rows.map((row) => numberOf(row['mrr']))
  const highest = Math.max(1, ...levels)
  const cells = rows.map((row, index) => {
    const level = levels[index] ?? 0
    return [
      String(row['period']).slice(0, 7),
      formatAmount(level, currency),
      '█'.repeat(Math.round((Math.max(0, level) / highest) * BAR_WIDTH)),
    ]
  })
  return tableLines(
    [
      { title: 'month', align: 'left' },
      { title: `mrr (${currency})`, align: 'right' },
      { title: '', align: 'left' },
    ],
    cells,
  )
}

function movementLines(rows: readonly Readonly<Record<string, unknown>>[], currency: string): string[] {
  return tableLines(
    [
      { title: 'movement', align: 'left' },
      { title: `amount (${currency})`, align: 'right' },
      { title: 'events', align: 'right' },
    ],
    rows.map((row) => [
      String(row['movement_type']),
      formatAmount(numberOf(row['amount_base']), currency),
      formatNumber(numberOf(row['event_count']), 'count'),
    ]),
  )
}

function rowsOf(data: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(data) ? data : []
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
