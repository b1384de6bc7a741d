import type { ReactNode } from 'react'
import { type AnswerQuery, dayThrough, isRow, textIn } from '../api/use-answer.ts'
import { formatDay, formatInstant } from '../format/days.ts'
import { Problem } from './problem.tsx'

const LAGGING = 'replica_lagging'
const CLAMPED = 'future_clamped'
/** Warnings that are shown in the API's own words, because these name plans and counts. */
const LOUD: readonly string[] = ['unpriced_plan', 'prices_in_doubt']
const MINUTE_MS = 60_000

const WARNINGS: Readonly<Record<string, string>> = {
  unpriced_plan: 'Subscriptions on plans without a price count as 0.',
  prices_in_doubt: 'Prices may be wrong: another catalog may set them.',
  [CLAMPED]: 'This period isn’t over: shown up to now.',
  forecast: 'A forecast: days after today count only what is already scheduled.',
  unused_parameter: 'One of the options above has no effect here.',
  inferred: 'Some values are inferred because the billing engine does not record them.',
  unknown_group: 'The number has no such group.',
  partial: 'Some data is not available.',
  [LAGGING]: 'The replica is behind. The newest changes may be missing.',
}

/** Placeholder of the final size while an answer is loading. It is invisible for the first moment. */
export function Skeleton({ height }: { height: number }) {
  return <div className="skeleton" style={{ height }} aria-hidden="true" />
}

export function Empty({ children }: { children: ReactNode }) {
  return (
    <div className="empty">
      <p>{children}</p>
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

/** Warnings of an answer. */
export function Warnings({ answer }: { answer: AnswerQuery }) {
  const { warnings: codes = [], dataThrough, headers } = answer.data ?? {}
  const day = dayThrough(answer.data)
  if (codes.length === 0) return null
  return (
    <ul className="warnings">
      {codes.map((code) => (
        <li key={code} className={LOUD.includes(code) ? 'is-loud' : undefined}>
          {code === CLAMPED && day !== undefined ? clampedText(day) : textOf(code, dataThrough, headers)}
        </li>
      ))}
    </ul>
  )
}

function textOf(code: string, dataThrough: string | undefined, headers: Headers | undefined): string {
  if (code === LAGGING && dataThrough !== undefined) return laggingText(dataThrough, headers?.get('date'))
  return (LOUD.includes(code) ? messageOf(code, headers) : undefined) ?? WARNINGS[code] ?? code
}

function clampedText(day: string): string {
  return `This period isn’t over: shown up to ${formatDay(day)}.`
}

/** The API's own message of a warning. */
function messageOf(code: string, headers: Headers | undefined): string | undefined {
  const details: unknown = JSON.parse(headers?.get('x-warning-details') ?? '[]')
  const found = Array.isArray(details) ? details.find((detail) => isRow(detail) && detail['code'] === code) : undefined
  return textIn(found, 'message') ?? undefined
}

/** The lag of an answer, by the service's clock. */
function laggingText(dataThrough: string, given: string | null | undefined): string {
  const minutes = Math.round((Date.parse(given ?? '') - Date.parse(dataThrough)) / MINUTE_MS)
  const behind = minutes > 0 ? `${minutes} ${minutes === 1 ? 'minute' : 'minutes'} behind` : 'behind'
  return `The replica is ${behind}. The newest changes may be missing. Data through ${formatInstant(dataThrough)}.`
}
