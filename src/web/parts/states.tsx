import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AnswerQuery } from '../api/use-answer.ts'
import { lastingSearch } from '../controls/search.ts'
import { useChangeSearch, useSearchState } from '../controls/use-page.ts'
import { Problem } from './problem.tsx'

/** Placeholder of the final size while an answer is loading. It is invisible for the first moment. */
export function Skeleton({ height }: { height: number }) {
  return (
    <div className="skeleton" style={{ height }} aria-busy="true">
      <span className="visually-hidden">Loading…</span>
    </div>
  )
}

export function Empty({ children }: { children: ReactNode }) {
  return (
    <div className="empty">
      <p>{children}</p>
    </div>
  )
}

/** In place of figures of days after today, if there are none. */
export function NoForecast() {
  const change = useChangeSearch()
  const search = useSearchState()
  return (
    <div className="empty stack">
      <p>These figures have no forecast. Only MRR, ARR and MRR movements have one.</p>
      <div className="form-buttons">
        <Link className="button" to="/mrr" search={lastingSearch(search)}>
          Show the MRR forecast
        </Link>
        <button type="button" className="button" onClick={() => change({ range: undefined, interval: undefined })}>
          Show the last 12 months
        </button>
      </div>
    </div>
  )
}

/** Shows the states of an answer: loading, error, empty, outdated. */
export function Answered({
  answer,
  height,
  empty,
  metric,
  children,
}: {
  answer: AnswerQuery
  height: number
  empty?: ReactNode
  metric?: string | undefined
  children: ReactNode
}) {
  if (answer.error !== null)
    return <Problem error={answer.error} onRetry={() => void answer.refetch()} metric={metric} height={height} />
  if (answer.data === undefined) return <Skeleton height={height} />
  const isEmpty = Array.isArray(answer.data.data) && answer.data.data.length === 0
  if (isEmpty) return <Empty>{empty ?? 'No data for this period.'}</Empty>
  return (
    <div className={answer.isPlaceholderData ? 'is-outdated' : undefined} aria-busy={answer.isPlaceholderData}>
      {children}
    </div>
  )
}
