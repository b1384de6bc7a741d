import type { ReactNode } from 'react'
import type { Question } from '../api/question.ts'
import { currencyOf, isRow, numberIn, type Row, useAnswer } from '../api/use-answer.ts'
import { formatPeriodOf } from '../format/days.ts'
import { Change, Figure, type GoodDirection } from '../format/figure.tsx'
import { unitOf } from '../format/units.ts'
import { type Drill, DrillButton } from './drill.tsx'
import { Answered, Warnings } from './states.tsx'

interface HeadlineProps {
  readonly label: string
  readonly question: Question
  /** Field that decides the unit. If the answer is an object, the number is also read from this field. */
  readonly field: string
  readonly good?: GoodDirection
  /** Content below the number. Shown if the answer is an object. */
  readonly foot?: (row: Row) => ReactNode
  readonly reason?: string
  /** The rows behind the number. */
  readonly drill?: Drill | undefined
}

/** Height of a number with its change. */
const HEIGHT = 60

/** A number with its change against the previous period of the same length. */
export function Headline({ label, question, field, good, foot, reason, drill }: HeadlineProps) {
  const answer = useAnswer({ ...question, query: { ...question.query, compare_to: 'previous' } })
  const currency = currencyOf(answer.data)
  const row = isRow(answer.data?.data) ? answer.data.data : undefined
  const isScalar = row !== undefined && 'value' in row
  const value = numberIn(row, isScalar ? 'value' : field)
  const change = numberIn(row, isScalar ? 'change' : `change_${field}`)
  const before = answer.data?.headers.get('x-compared-with')
  const figure = <Figure value={value} unit={unitOf(field)} currency={currency} reason={reason} />
  return (
    <section className="headline">
      <h2 className="headline-label">{label}</h2>
      <Warnings answer={answer} />
      <Answered answer={answer} height={HEIGHT}>
        <p className="headline-value">
          {drill === undefined || value === null ? figure : <DrillButton drill={drill}>{figure}</DrillButton>}
        </p>
        <p className="headline-foot">
          <Change value={change} unit={unitOf(field)} good={good ?? 'up'} currency={currency} />
          {change !== null && before !== null && before !== undefined && (
            <span className="muted">vs. {formatPeriodOf(before)}</span>
          )}
        </p>
        {row !== undefined && foot !== undefined && <p className="headline-foot">{foot(row)}</p>}
      </Answered>
    </section>
  )
}
