import { instantNow } from '../../auth/deps.ts'
import { AppError, errorFromIssues } from '../../core/errors.ts'
import type { Viewer } from '../../core/workspace.ts'
import type { StoredLink } from '../../ports/link-store.ts'
import { bodyIssue } from '../records/body.ts'

/** True if a link of this kind is neither revoked nor expired. Links expire by the clock of the machine, as keys do. */
export function isOpen({ kind, revoked_at, expires_at }: StoredLink, wanted: StoredLink['kind']): boolean {
  return kind === wanted && revoked_at === null && expires_at > instantNow()
}

/** The viewer whose dashboards and charts a link may show: its creator. The command line sees those of everybody. */
export function viewerOfLink({ creator }: StoredLink): Viewer {
  const sees = creator.kind === 'command_line' ? 'all' : 'workspace'
  return { id: creator.id, name: null, sees, isAdministrator: false }
}

/** Refuses a link that names the wrong thing, or that would show customers where it may not. AppError `validation_failed`. */
export function checkTarget({
  kind,
  moment,
  names,
  dashboard_id,
  chart_id,
}: Pick<StoredLink, 'kind' | 'moment' | 'names' | 'dashboard_id' | 'chart_id'>): void {
  const [needed, other] = kind === 'page' ? (['dashboard_id', 'chart_id'] as const) : (['chart_id', 'dashboard_id'] as const)
  const given = { dashboard_id, chart_id }
  const issues = [
    ...(given[needed] === null ? [bodyIssue([needed], `A ${kind} needs "${needed}".`)] : []),
    ...(given[other] === null ? [] : [bodyIssue([other], `A ${kind} takes no "${other}", only "${needed}".`)]),
    ...(kind === 'feed' && moment === 'fixed' ? [bodyIssue(['moment'], 'A feed is live: leave out "moment".')] : []),
    ...(names && (kind === 'feed' || moment === 'fixed')
      ? [bodyIssue(['names'], 'A feed and a fixed page show no customers: leave out "names".')]
      : []),
  ]
  if (issues.length > 0) throw errorFromIssues(issues)
}

/** One answer for all links that do not open, so that nobody learns which have existed. */
export function linkGone(): AppError {
  return new AppError('not_found', 'This link does not exist, has expired or was revoked.')
}

/** Without sign-in, a link would promise a limit that does not exist. */
export function signInOff(): AppError {
  const detail =
    'Links need sign-in (auth.enabled = true). Without it, everybody who reaches the service reads everything anyway.'
  return new AppError('conflict', detail, { context: { reason: 'auth_disabled' } })
}

/** A fixed page is larger than the store keeps. */
export function tooLargeToKeep(limit: number): AppError {
  const message = `The numbers of this dashboard take more than ${limit} bytes, so they cannot be kept. Make the link live, or use fewer charts.`
  return errorFromIssues([bodyIssue(['moment'], message)])
}
