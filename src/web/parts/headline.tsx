import type { ReactNode } from 'react'
import type { Good, Unit } from '../../core/column.ts'
import { type Query, type Question, withParams } from '../api/question.ts'
import {
  currencyOf,
  isMissingRate,
  isRow,
  numberIn,
  type Row,
  rowsOf,
  useAnswer,
  useAnswerWithoutRates,
} from '../api/use-answer.ts'
import { type Days, daysOf } from '../controls/ranges.ts'
import type { CompareTo } from '../controls/search.ts'
import { usePage } from '../controls/use-page.ts'
import { earlierDays, labelOfQuery, pageWindow } from '../controls/windows.ts'
import { Change, Figure } from '../format/figure.tsx'
import { formatValue } from '../format/numbers.ts'
import { traitsOf, unitOf } from '../format/traits.ts'
import { figureOf } from '../pages/explore-figures.ts'
import { GoalLine } from '../remarks/goal-line.tsx'
import { type Drill, DrillButton } from './drill.tsx'
import { Answered } from './states.tsx'
import { Warnings } from './warnings.tsx'

/** One more window of a headline’s number, such as the whole range for a monthly rate. */
export interface SecondWindow {
  /** The days in words. */
  readonly name: string
  readonly question: Question
  /** Field of the number, if it is another than that of the headline. */
  readonly field?: string
  readonly drill?: Drill | undefined
}

interface HeadlineProps {
  readonly label: string
  readonly question: Question
  /** Field that decides the unit. If the answer is an object, the number is also read from this field. */
  readonly field: string
  /** The days of the number in words, if the question has others. */
  readonly days?: string
  /** Content below the number. Shown if the answer is an object. */
  readonly foot?: (row: Row) => ReactNode
  readonly reason?: string
  /** The rows behind the number. */
  readonly drill?: Drill | undefined
  readonly over?: readonly SecondWindow[]
  /** The question for the number to compare with, and its days in words. By default the API compares. */
  readonly earlier?: { readonly question: Question; readonly name: string } | undefined
  /** The question to ask if an exchange rate is missing. Its rows add up to the number. */
  readonly unrated?: Question
  /** The number if an exchange rate is missing, counted in another way. */
  readonly counted?: number | undefined
}

/** The earlier days to compare with, as a parameter of the API. There are none before the first data. */
export function comparedTo({ range }: Query, to: CompareTo = 'previous'): Query {
  return range === 'all' ? {} : { compare_to: to }
}

/** The number of an answer with its change. The rows of a list add up. */
export function numbersIn(data: unknown, field: string) {
  // Without a comparison a figure is a plain number.
  if (typeof data === 'number') return { value: data, previous: null, change: null }
  if (isRow(data) && 'value' in data)
    return { value: numberIn(data, 'value'), previous: numberIn(data, 'previous'), change: numberIn(data, 'change') }
  const sum = (key: string) => {
    const known = rowsOf(data).flatMap((row) => numberIn(row, key) ?? [])
    return known.length === 0 ? null : known.reduce((before, one) => before + one, 0)
  }
  return { value: sum(field), previous: sum(`previous_${field}`), change: sum(`change_${field}`) }
}

/** Height of a number with its change. */
const HEIGHT = 60

/** A number with the days that it covers, and its change against the earlier days. */
export function Headline({
  label,
  question,
  field,
  days: ownDays,
  foot,
  reason,
  drill,
  over = [],
  earlier,
  unrated,
  counted,
}: HeadlineProps) {
  const { today, compareTo } = usePage()
  const compared = (one: Question) => (earlier === undefined ? withParams(one, comparedTo(one.query, compareTo)) : one)
  const { answer, isUnrated } = useAnswerWithoutRates(compared(question), unrated && compared(unrated))
  const currency = currencyOf(answer.data)
  const isCounted = counted !== undefined && isMissingRate(answer.error)
  const row = isRow(answer.data?.data) ? answer.data.data : undefined
  const before = useAnswer(earlier?.question)
  const numbers = numbersIn(answer.data?.data, field)
  const { value, previous, change } =
    earlier === undefined ? numbers : against(numbers.value, numbersIn(before.data?.data, field).value)
  const days = answer.data?.headers.get('x-compared-with') ?? ''
  const figure = <Figure value={value} unit={unitOf(field)} currency={currency} reason={reason} />
  return (
    <section className="headline">
      <div className="headline-head">
        <h2 className="headline-label">{label}</h2>
        <span className="headline-window">{ownDays ?? labelOfQuery(question.query, today)}</span>
      </div>
      <Warnings answer={answer} />
      {isCounted && (
        <p className="headline-value">
          <Figure value={counted} unit={unitOf(field)} currency={currency} />
        </p>
      )}
      {!isCounted && (
        <Answered answer={answer} height={HEIGHT}>
          <p className="headline-value">
            {drill === undefined || value === null || isUnrated ? figure : <DrillButton drill={drill}>{figure}</DrillButton>}
          </p>
          <ChangeLine
            previous={previous}
            change={change}
            unit={unitOf(field)}
            good={traitsOf(field).good ?? 'up'}
            currency={currency}
            against={earlier?.name ?? earlierDays(isRow(answer.data?.data) ? pageWindow(field) : undefined, days)}
            className="headline-foot"
          />
          <GoalLine
            value={value}
            field={field}
            question={goalQuestion(question, field)}
            measure={figureOf(field)?.measure ?? field}
            days={daysAsked(question.query, today)}
            currency={currency}
            className="headline-foot"
          />
          {row !== undefined && foot !== undefined && <p className="headline-foot">{foot(row)}</p>}
          {over.map((one) => (
            <Over key={one.name} over={{ field, ...one }} />
          ))}
        </Answered>
      )}
    </section>
  )
}

/** The question that goals name for a headline: a figure of the summary has its own. */
function goalQuestion(question: Question, field: string): Question {
  const figure = question.path === SUMMARY ? figureOf(field) : undefined
  return figure === undefined ? question : { path: figure.total.path, query: { ...question.query, ...figure.total.query } }
}

const SUMMARY = '/api/metrics/summary'

/** The days of a question; without parameters it is about now. */
function daysAsked({ at, start, end, range }: Query, today: string): Days {
  if (typeof at === 'string') return { start: at, end: at }
  if (typeof end === 'string') return { start: typeof start === 'string' ? start : end, end }
  return typeof range === 'string' ? daysOf({ range }, today) : { start: today, end: today }
}

function against(value: number | null, previous: number | null) {
  return { value, previous, change: value === null || previous === null ? null : value - previous }
}

interface ChangeLineProps {
  readonly previous: number | null
  readonly change: number | null
  readonly unit: Unit
  readonly good: Good
  readonly currency: string
  /** The days of the previous number in words. */
  readonly against: string
  readonly className: string
  /** Whether the page says elsewhere what the number is compared with. */
  readonly isShort?: boolean
}

/** A larger change says more as an amount: net new MRR easily is twenty times that of the month before, or of the other sign. */
const LARGEST_SHARE = 3

/** The change as a share of the earlier number. Undefined if a percentage would say little. */
function shareOf(change: number, previous: number, unit: Unit): number | undefined {
  const isOfOtherSign = (previous + change) * previous < 0
  if (unit === 'fraction' || previous === 0 || isOfOtherSign) return undefined
  const share = change / Math.abs(previous)
  return Math.abs(share) > LARGEST_SHARE ? undefined : share
}

/** A change with its percentage and the number that it starts from. Empty if there is no earlier number. */
export function ChangeLine({ previous, change, unit, good, currency, against, className, isShort = false }: ChangeLineProps) {
  if (change === null || previous === null) return null
  const share = shareOf(change, previous, unit)
  return (
    <span className={className}>
      <Change value={change} unit={unit} good={good} currency={currency} />
      {share !== undefined && <span className="figure">{formatValue(share, 'fraction', { signed: true })}</span>}
      {!isShort && (
        <span className="muted">
          vs. {against}: {formatValue(previous, unit, { currency })}
        </span>
      )}
    </span>
  )
}

/** The same number over other days, which it names. */
function Over({ over: { name, question, drill, field } }: { over: SecondWindow & { readonly field: string } }) {
  const answer = useAnswer(question)
  const { value } = numbersIn(answer.data?.data, field)
  const figure = <Figure value={value} unit={unitOf(field)} currency={currencyOf(answer.data)} />
  return (
    <p className="headline-foot headline-over">
      {answer.data !== undefined && (
        <>
          {drill === undefined || value === null ? figure : <DrillButton drill={drill}>{figure}</DrillButton>}
          <span className="muted">over {name}</span>
        </>
      )}
    </p>
  )
}
