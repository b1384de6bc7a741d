import type { Query, Question } from '../api/question.ts'
import { type AnswerQuery, type Row, rowsOf, useAnswer } from '../api/use-answer.ts'
import { usePage } from '../controls/use-page.ts'
import type { LedgerMonth } from './months.ts'

/** The books of a month: its questions, and what of them is answered. */
export interface Books {
  readonly month: LedgerMonth
  /** The day of receivables. */
  readonly day: string
  readonly today: string
  readonly currency: string
  /** Filters and segment, as parameters of the API. */
  readonly audience: Query
}

/** The state of the page with its month. */
export function useBooks(month: LedgerMonth): Books {
  const { audience, currency, search, today } = usePage()
  return { month, day: search.at ?? month.end, today, currency, audience }
}

/** The statements that have a row for each month. Tiles, charts and tables ask the same questions, so they show the same numbers. */
export type Series = 'revenue' | 'receivables' | 'receivables/movements' | 'cash' | 'credits' | 'dso' | 'collections'

/** A statement of the twelve months that end with the month. */
export function seriesOf(name: Series, { month, audience }: Pick<Books, 'month' | 'audience'>): Question {
  return {
    path: `/api/metrics/ledger/${name}`,
    query: { ...audience, start: month.yearStart, end: month.end, interval: 'month' },
  }
}

/** The answer to a statement of twelve months, and its rows. */
export function useSeries(name: Series, books: Books): { readonly answer: AnswerQuery; readonly rows: readonly Row[] } {
  const answer = useAnswer(seriesOf(name, books))
  return { answer, rows: rowsOf(answer.data?.data) }
}
