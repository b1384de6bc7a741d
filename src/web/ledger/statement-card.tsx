import { Card, type CardProps } from '../parts/card.tsx'
import { type Books, type Series, seriesOf } from './use-ledger.ts'

interface StatementProps extends Omit<CardProps, 'question' | 'compareTo' | 'step'> {
  readonly statement: Series
  readonly books: Books
}

/** The card of a statement with a row for each month. It compares no periods, because its rows do. */
export function StatementCard({ statement, books, ...props }: StatementProps) {
  return <Card {...props} question={seriesOf(statement, books)} compareTo={null} step="month" />
}
