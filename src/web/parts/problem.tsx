import type { ReactNode } from 'react'
import { PlumblineError } from '../../client/index.ts'
import { isMissingRate } from '../api/use-answer.ts'
import { useSearchState } from '../controls/use-page.ts'
import { labelOf } from '../format/labels.ts'
import { namesOfFilters, type UnfitFilter, useUnfitFilters } from './unfit-filters.ts'

const WAYS_OUT: Readonly<Record<string, ReactNode>> = {
  unknown_segment: 'The segment was deleted, or the link is wrong. Choose another segment above, or all customers.',
  unknown_attribute: 'No customer has this attribute. Choose another filter or group.',

  unknown_filter: 'This metric can’t be filtered by this field. Remove the filter above.',
  result_too_large: 'Choose a shorter date range or a longer interval, or add a filter.',
  query_timeout: 'Choose a shorter date range or a longer interval, or add a filter.',
  connector_unavailable: 'The billing database does not respond. See /readyz of this service for details.',
  overloaded: 'Too many requests at the moment. Try again in a few seconds.',
  replica_lagging: 'The replica is further behind than allowed. See /readyz of this service for the lag.',
}

/** Names the dimensions in the address. The dimensions of a chart on a dashboard are not in the address. */
function CannotGroup({ metric }: { metric: string }) {
  const { dimensions } = useSearchState()
  const names = dimensions?.split(',').map((key) => labelOf(key).toLowerCase())
  return `${metric} can’t be grouped ${names === undefined ? 'this way' : `by ${names.join(' and ')}`}. Choose another group above, or none.`
}

/** A short text for what is missing, if that is no error. The card at the head of the page names the exchange rates. */
function quietText(error: unknown, unfit: readonly UnfitFilter[]): string | undefined {
  if (isMissingRate(error)) return 'Needs exchange rates'
  if (unfit.length > 0) return `Can’t be narrowed by ${namesOfFilters(unfit)}`
  const isUnsupplied = error instanceof PlumblineError && error.code === 'unsupported_by_connector'
  return isUnsupplied && error.message.startsWith(UNSUPPLIED) ? 'Not available from this data source.' : undefined
}

/** The API's messages about what a connector cannot supply begin so. Other messages of this code say what to switch on. */
const UNSUPPLIED = 'The connector "'

interface ProblemProps {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
  /** Name of the metric that failed. */
  readonly metric?: string | undefined
  /** Replaces the hint that belongs to the error’s code. */
  readonly hint?: ReactNode
  /** Height of the content that is missing. */
  readonly height?: number
}

/**
 * An error in the words of the API, with a hint if there is one. Missing exchange rates, filters that do not apply to the metric, and
 * figures that the data source cannot supply are quiet states of the final size.
 */
export function Problem({ error, onRetry, metric = 'This metric', hint, height }: ProblemProps) {
  const unfit = useUnfitFilters(error)
  if (unfit.isPending) return <div style={{ minHeight: height }} />
  const quiet = quietText(error, unfit.filters)
  if (quiet !== undefined)
    return (
      <div className="quiet-state" style={{ minHeight: height }}>
        <p>{quiet}</p>
      </div>
    )
  const isOurs = error instanceof PlumblineError
  const issues = isOurs ? error.issues.filter(({ message }) => message !== error.message) : []
  const code = isOurs ? (error.code ?? '') : ''
  const wayOut = hint ?? (code === 'unknown_dimension' ? <CannotGroup metric={metric} /> : WAYS_OUT[code])
  return (
    <div className="problem" role="alert">
      <p className="problem-title">{isOurs ? error.message : 'Can’t reach Plumbline.'}</p>
      {issues.length > 0 && (
        <ul>
          {issues.map(({ where, message }) => (
            <li key={`${where} ${message}`}>{message}</li>
          ))}
        </ul>
      )}
      {wayOut !== undefined && <p>{wayOut}</p>}
      <p className="problem-foot">
        {onRetry !== undefined && (
          <button type="button" className="button" onClick={onRetry}>
            Try again
          </button>
        )}
        {isOurs && error.requestId !== undefined && <span className="muted">Request ID {error.requestId}</span>}
      </p>
    </div>
  )
}
