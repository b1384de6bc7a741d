import type { SummaryAnswers } from './demo-questions.ts'
import { formatAmount, formatNumber } from './numbers.ts'
import { paint } from './paint.ts'
import { tableLines } from './table.ts'

const BAR_WIDTH = 32

/** The demo's summary: MRR today, twelve months with bars, this month's movements. */
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
