import type { ClientAnswer } from '../../client/index.ts'
import { useActiveAnswers } from '../api/active-answers.ts'
import { type AnswerQuery, dayThrough, isRow, textIn } from '../api/use-answer.ts'
import { isQuestionOfNow } from '../controls/use-page.ts'
import { formatDay, formatInstant } from '../format/days.ts'

const LAGGING = 'replica_lagging'
const CLAMPED = 'future_clamped'
const FORECAST = 'forecast'
const UNRATED = 'missing_fx_rate'
/** Warnings that are shown in the API's own words, because these name plans and counts. */
const LOUD: readonly string[] = ['unpriced_plan', 'prices_in_doubt', 'unknown_time_zone', 'unknown_value']
/** Warnings about the data, the prices or the days of a page. Every answer on the page has them, so the page shows them once. */
const OF_PAGE: readonly string[] = [...LOUD, CLAMPED, FORECAST, 'inferred', LAGGING]
const MINUTE_MS = 60_000

const WARNINGS: Readonly<Record<string, string>> = {
  unpriced_plan: 'Subscriptions on plans without a price count as 0.',
  prices_in_doubt: 'Prices may be wrong: another catalog may set them.',
  [CLAMPED]: 'This period isn’t over: shown up to now.',
  [FORECAST]: 'A forecast: days after today count only what is already scheduled.',
  unused_parameter: 'One of the options above has no effect here.',
  inferred: 'Some values are inferred because the billing engine does not record them.',
  unknown_group: 'The number has no such group.',
  unknown_value: 'No data has one of the values of the filters.',
  unknown_time_zone: 'Days of customers in unknown time zones are days in UTC.',
  partial: 'Some data is not available.',
  [UNRATED]: 'Amounts without an exchange rate are unknown.',
  [LAGGING]: 'The replica is behind. The newest changes may be missing.',
}

/** The warnings of an answer that are about this answer alone. In the side panel, all of them. */
export function Warnings({ answer, isPanel = false }: { answer: AnswerQuery; isPanel?: boolean }) {
  const lines = answer.data === undefined ? [] : linesOf(answer.data).filter(({ code }) => isPanel || !OF_PAGE.includes(code))
  return <WarningList lines={lines} />
}

/**
 * The warnings that hold for the whole page, each once. On a page about days up to today, one figure may still be of a day to come, such as the next
 * renewal of a customer. The page is then no forecast.
 */
export function PageWarnings({ isForecast }: { readonly isForecast: boolean }) {
  const text = useActiveAnswers((active) => {
    const lines = active
      .filter(({ queryKey, state }) => isAnswer(state.data) && !isQuestionOfNow(queryKey))
      .flatMap(({ state }) => (isAnswer(state.data) ? linesOf(state.data) : []))
      .filter(({ code }) => OF_PAGE.includes(code) && (isForecast || code !== FORECAST))
    return JSON.stringify([...new Map(lines.map((line) => [line.text, line])).values()])
  })
  return <WarningList lines={JSON.parse(text)} />
}

/** A warning in words. */
interface Line {
  readonly code: string
  readonly text: string
}

function WarningList({ lines }: { readonly lines: readonly Line[] }) {
  if (lines.length === 0) return null
  return (
    <ul className="warnings">
      {lines.map(({ code, text }) => (
        <li key={text} className={LOUD.includes(code) ? 'is-loud' : undefined}>
          {text}
        </li>
      ))}
    </ul>
  )
}

function isAnswer(data: unknown): data is ClientAnswer<unknown> {
  return isRow(data) && Array.isArray(data['warnings']) && data['headers'] instanceof Headers
}

function linesOf(answer: ClientAnswer<unknown>): readonly Line[] {
  const { warnings, dataThrough, headers } = answer
  const day = dayThrough(answer)
  return warnings.map((code) => {
    if (code === CLAMPED && day !== undefined) return { code, text: `This period isn’t over: shown up to ${formatDay(day)}.` }
    if (code === LAGGING && dataThrough !== undefined) return { code, text: laggingText(dataThrough, headers.get('date')) }
    const own = LOUD.includes(code) || WARNINGS[code] === undefined ? messageOf(code, headers) : undefined
    return { code, text: own ?? WARNINGS[code] ?? 'The answer has a warning.' }
  })
}

/** The API's own message of a warning. */
function messageOf(code: string, headers: Headers): string | undefined {
  const details: unknown = JSON.parse(headers.get('x-warning-details') ?? '[]')
  const found = Array.isArray(details) ? details.find((detail) => isRow(detail) && detail['code'] === code) : undefined
  return textIn(found, 'message') ?? undefined
}

/** The lag of an answer, by the service's clock. */
function laggingText(dataThrough: string, given: string | null): string {
  const minutes = Math.round((Date.parse(given ?? '') - Date.parse(dataThrough)) / MINUTE_MS)
  const behind = minutes > 0 ? `${minutes} ${minutes === 1 ? 'minute' : 'minutes'} behind` : 'behind'
  return `The replica is ${behind}. The newest changes may be missing. Data through ${formatInstant(dataThrough)}.`
}
