import type { ErrorCode } from '../../../core/errors.ts'

/** Error codes of reading dashboards and charts. */
export const DASHBOARD_READ: readonly ErrorCode[] = [
  'unsupported_by_connector',
  'connector_unavailable',
  'overloaded',
  'query_timeout',
  'internal',
]

/** Error codes of writing them. */
export const DASHBOARD_WRITE: readonly ErrorCode[] = ['payload_too_large', 'invalid_json', 'validation_failed', ...DASHBOARD_READ]

/** The tag that operations on dashboards and charts share. */
export const DASHBOARDS = { tags: ['Dashboards'] }
