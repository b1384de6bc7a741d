import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PlumblineError } from '../../client/index.ts'
import { useMay } from '../auth/who.ts'

const WAYS_OUT: Readonly<Record<string, ReactNode>> = {
  missing_fx_rate: <ToExchangeRates />,
  unknown_segment: 'The segment was deleted, or the address names another one. Choose a segment above, or none.',
  unknown_attribute: 'Choose another filter or group: nothing has this attribute now.',
  unknown_dimension: 'This figure cannot be grouped so. Choose another group above, or none.',
  unknown_filter: 'This figure cannot be filtered so. Remove the filter above.',
  unsupported_by_connector: 'The source does not have what this needs.',
  result_too_large: 'Choose fewer days or a longer step, or narrow it with a filter.',
  query_timeout: 'Choose fewer days or a longer step, or narrow it with a filter.',
  connector_unavailable: 'The database does not answer. “/readyz” of this service says how it is.',
  overloaded: 'More is asked at a time than can be answered. Try again in a few seconds.',
  replica_lagging: 'The replica is further behind than is allowed. “/readyz” of this service says how far.',
}

function ToExchangeRates() {
  if (!useMay('read')) return 'Somebody who may read more than numbers finds all that are missing in the settings.'
  return (
    <Link to="/settings" hash="exchange-rates">
      See all exchange rates that are missing
    </Link>
  )
}

/** What was refused or went wrong, in the words of the API, with a way out where one is known. */
export function Problem({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const isOurs = error instanceof PlumblineError
  const issues = isOurs ? error.issues.filter(({ message }) => message !== error.message) : []
  const wayOut = isOurs && error.code !== undefined ? WAYS_OUT[error.code] : undefined
  return (
    <div className="problem" role="alert">
      <p className="problem-title">{isOurs ? error.message : 'The service could not be reached.'}</p>
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
        {isOurs && error.requestId !== undefined && <span className="muted">Request {error.requestId}</span>}
      </p>
    </div>
  )
}
