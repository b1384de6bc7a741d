import { errorBody } from '../presentation/error-body.ts'
import { whereInArguments } from './arguments.ts'
import { cellText } from './table-text.ts'

const MOST_ISSUES = 20
const MOST_NAMES = 100

/** An error as text that a model can act on: every issue with its argument, similar names and allowed values. */
export function errorText(thrown: unknown): string {
  const { body, code } = errorBody(thrown, '', whereInArguments, MOST_ISSUES)
  const { detail, code: _, request_id, issues, issues_total, ...context } = body
  const shown: readonly ShownIssue[] = Array.isArray(issues) ? issues : []
  const more = Number(issues_total ?? 0) - shown.length
  // Skip the summary when it repeats a listed issue.
  const isListed = shown.some(({ message }) => message === detail)
  return [
    isListed ? `Refused (${code}):` : `Refused (${code}): ${String(detail)}`,
    ...shown.map(issueLine),
    ...(more > 0 ? [`and ${more} more issues`] : []),
    ...Object.entries(context).map(([name, value]) => `${name}: ${valueText(value)}`),
    ...(code === 'overloaded' || code === 'connector_unavailable' ? ['Retry in a few seconds.'] : []),
  ].join('\n')
}

interface ShownIssue {
  readonly where: string
  readonly message: string
  readonly did_you_mean: readonly string[]
}

function issueLine({ where, message, did_you_mean }: ShownIssue): string {
  const near = did_you_mean.length === 0 ? '' : ` Did you mean ${did_you_mean.join(' or ')}?`
  return `- ${where}: ${message}${near}`
}

function valueText(value: unknown): string {
  if (!Array.isArray(value) || value.some((item) => typeof item === 'object')) return cellText(value)
  const more = value.length > MOST_NAMES ? ` and ${value.length - MOST_NAMES} more` : ''
  return `${value.slice(0, MOST_NAMES).map(cellText).join(', ')}${more}`
}
