import { type ReactNode, useRef, useState } from 'react'
import { PlumblineError } from '../../client/index.ts'
import { asFile, curlOf, type Question, withParams } from '../api/question.ts'
import {
  type AnswerQuery,
  currencyOf,
  dayThrough,
  isMissingRate,
  type Row,
  rowsOf,
  totalOf,
  useAnswer,
} from '../api/use-answer.ts'
import { Chart, type ChartHandle } from '../charts/chart.tsx'
import type { ChartSpec } from '../charts/spec.ts'
import { COMPARISONS, type CompareTo } from '../controls/search.ts'
import { usePage, useSearchState } from '../controls/use-page.ts'
import { labelOfQuery } from '../controls/windows.ts'
import type { Step } from '../format/days.ts'
import { useRemarks, withGoals } from '../remarks/chart-remarks.tsx'
import { CardMenu } from './card-menu.tsx'
import { comparedColumns, rowsBefore, whyNotCompared, withBefore, withGhosts } from './compared.ts'
import { Pager } from './pager.tsx'
import { Answered, Empty } from './states.tsx'
import { type Column, columnsOf, Table } from './table.tsx'
import { Warnings } from './warnings.tsx'

const CHART_HEIGHT = 300

/** Currency and freshness of the answer that a chart shows. */
export interface ChartContext {
  readonly currency: string
  /** The day up to which the answer is complete. */
  readonly dayThrough: string | undefined
}

export interface CardProps {
  readonly title: string
  /** Name of the metric in messages. */
  readonly metric?: string
  readonly question: Question
  /** The chart of the rows. Without it the card shows a table only. */
  readonly draw?: (rows: readonly Row[], context: ChartContext) => ChartSpec | undefined
  /** Columns of the table; all fields of the answer by default. */
  readonly columns?: (rows: readonly Row[]) => readonly Column[]
  /** Rows of the table, if they differ from the answer. */
  readonly pick?: (rows: readonly Row[]) => readonly Row[]
  readonly step?: Step
  readonly empty?: ReactNode
  /** Content between title and chart. */
  readonly lead?: ReactNode
  readonly controls?: ReactNode
  /** Content below the table. */
  readonly tail?: ReactNode
  /** The period to compare with: that of the page by default, null for none. */
  readonly compareTo?: CompareTo | null
  /** The question and columns of the table if an exchange rate is missing. */
  readonly unrated?: { readonly question: Question; readonly columns: readonly Column[] }
  /** Whether each row becomes a list of values in a narrow window. */
  readonly stacks?: boolean
  /** The field that the chart draws, if it may have goals. */
  readonly measure?: string
  /** The days of the card in words, if they are not those of the question. */
  readonly days?: string
  /** Opens the form for a link to the rows, if there is one. */
  readonly onShare?: (() => void) | undefined
  /** Rows of a page of the table. Without it the table has the rows that the question asks for. */
  readonly pageRows?: number
}

/** A question with its chart and table, and a menu with CSV, workbook, picture, API call and definition. */
export function Card(given: CardProps) {
  const props = useUnrated(given)
  const { title, question: first, draw, lead, controls, tail, pageRows, onShare } = props
  const state = useSearchState()
  const [order, setOrder] = useState<string>()
  const whole = order === undefined ? first : withParams(first, { order })
  const [offset, turn] = useOffset(whole)
  const plain = pageRows === undefined ? whole : pageOf(whole, pageRows, offset)
  const compareTo = props.compareTo === undefined ? state.compare_to : props.compareTo
  const { question, answer, note } = useCompared(plain, compareTo ?? undefined)
  const total = (answer.data === undefined ? undefined : totalOf(answer.data)) ?? 0
  const offered = pageRows === undefined ? question : asFile(whole)
  const chart = useRef<ChartHandle>(null)
  const [isTable, setTable] = useState(draw === undefined)
  return (
    <section className="card" aria-label={title}>
      <header className="card-head">
        <CardTitle title={title} question={question} days={props.days} />
        <div className="card-tools">
          {controls}
          {draw !== undefined && (
            <button type="button" className="button is-quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
              {isTable ? 'Chart' : 'Table'}
            </button>
          )}
          <CardMenu
            title={title}
            question={offered}
            onShare={onShare}
            png={isTable ? undefined : () => chart.current?.png() ?? Promise.resolve(null)}
            hasNotes={draw !== undefined}
          />
        </div>
      </header>
      {lead}
      {note !== undefined && note !== '' && <p className="card-note">{note}</p>}
      <Warnings answer={answer} />
      <Answered answer={answer} height={CHART_HEIGHT} empty={props.empty} metric={props.metric}>
        <Content {...props} question={question} onOrder={setOrder} answer={answer} isTable={isTable} chart={chart} />
        {pageRows !== undefined && total > pageRows && (
          <Pager total={total} offset={offset} limit={pageRows} onTurn={turn} label={`Pages of ${title}`} />
        )}
      </Answered>
      {tail}
    </section>
  )
}

/** The card with its other question if an exchange rate is missing for the first one. */
function useUnrated(given: CardProps): CardProps {
  const { unrated } = given
  const { error } = useAnswer(unrated && given.question)
  if (unrated === undefined || !isMissingRate(error)) return given
  const { draw: _, pick: __, ...props } = given
  return { ...props, compareTo: null, question: unrated.question, columns: () => unrated.columns }
}

/** A page of the rows of a question. */
export function pageOf(question: Question, limit: number, offset = 0): Question {
  return withParams(question, { limit, offset: offset === 0 ? undefined : offset })
}

/** The offset of a page of a question, and how to turn the page. Another question begins with its first page. */
function useOffset(question: Question): readonly [offset: number, turn: (offset: number) => void] {
  const key = curlOf(question)
  const [turned, setTurned] = useState({ key, offset: 0 })
  return [turned.key === key ? turned.offset : 0, (offset) => setTurned({ key, offset })]
}

const REFUSED = 'query.compare_to'

/** Asks with a comparison if the answer can be compared. Otherwise, and if the API refuses, asks without one and says why. */
function useCompared(plain: Question, compareTo: CompareTo | undefined) {
  const why = compareTo === undefined ? undefined : whyNotCompared(plain)
  const compared = compareTo === undefined || why !== undefined ? plain : withParams(plain, { compare_to: compareTo })
  const first = useAnswer(compared)
  const issue = issuesOf(first.error).find(({ where }) => where === REFUSED)
  const second = useAnswer(issue === undefined ? undefined : plain)
  return issue === undefined
    ? { question: compared, answer: first, note: why }
    : { question: plain, answer: second, note: issue.message }
}

function issuesOf(error: unknown) {
  return error instanceof PlumblineError ? error.issues : []
}

interface ContentProps extends CardProps {
  readonly answer: AnswerQuery
  readonly isTable: boolean
  readonly onOrder: (order: string) => void
  readonly chart: React.RefObject<ChartHandle | null>
}

function Content(props: ContentProps) {
  const { title, question, answer, isTable, chart, draw, columns, pick, step, empty, onOrder, stacks } = props
  const all = rowsOf(answer.data?.data)
  const context = { currency: currencyOf(answer.data), dayThrough: dayThrough(answer.data) }
  const compareTo = COMPARISONS.find((one) => one === question.query['compare_to'])
  const days = answer.data?.headers.get('x-compared-with')
  const isCompared = compareTo !== undefined && days !== null && days !== undefined
  const { spec, list } = useRemarks(draw?.(all, context), props, context.currency)
  if (spec !== undefined && !isTable) {
    const shown = isCompared ? withGhosts(spec, draw?.(rowsBefore(all), context), { compareTo, days, step }) : spec
    return (
      <>
        <Chart spec={shown} label={title} handle={chart} />
        {list}
      </>
    )
  }
  const picked = pick?.(all) ?? all
  const rows = isCompared && pick !== undefined ? withBefore(picked, pick(rowsBefore(all))) : picked
  if (rows.length === 0 || (draw !== undefined && spec === undefined && !isTable))
    return <Empty>{empty ?? 'No data for this period.'}</Empty>
  const isWhole = answer.data === undefined || isComplete(question, answer.data, all, rows)
  const own = columns?.(rows) ?? columnsOf(rows)
  const shown = isCompared ? comparedColumns(own, rows) : own
  // The API sorts the answers of metrics by every field.
  const isSorted = (key: string) => question.path.startsWith(METRICS) && rows.some((row) => key in row)
  return (
    <>
      <Table
        caption={title}
        columns={withGoals(shown, spec).map((column) => ({ ...column, isSorted: isSorted(column.key) }))}
        rows={rows}
        currency={context.currency}
        step={step}
        order={typeof question.query['order'] === 'string' ? question.query['order'] : undefined}
        onOrder={pick === undefined ? onOrder : undefined}
        isWhole={isWhole}
        {...(stacks !== undefined && { stacks })}
      />
      {list}
    </>
  )
}

const METRICS = '/api/metrics/'

/** Whether the table has every row. An answer with a limit may have left some out. */
function isComplete(
  { query }: Question,
  answer: NonNullable<AnswerQuery['data']>,
  all: readonly Row[],
  picked: readonly Row[],
): boolean {
  if (query['limit'] === undefined) return true
  // A card that picks rows asks for them first, so rows that it drops come after all that it wants.
  if (picked.length < all.length) return true
  return (totalOf(answer) ?? all.length) <= all.length
}

interface CardTitleProps {
  readonly title: string
  readonly question: Question
  readonly days?: string | undefined
}

/** The title of a card with the days of its question, or with other ones. */
export function CardTitle({ title, question, days: own }: CardTitleProps) {
  const { today } = usePage()
  const days = own ?? labelOfQuery(question.query, today)
  return (
    <div className="card-title">
      <h2>{title}</h2>
      {days !== undefined && !title.endsWith(days) && <span className="card-days">{days}</span>}
    </div>
  )
}

interface AnsweredCardProps {
  readonly title: string
  readonly question: Question
  readonly answer: AnswerQuery
  readonly height: number
  readonly controls?: ReactNode
  readonly children: ReactNode
}

/** A card with other content than a chart or table. It keeps `height` until the answer arrives. */
export function AnsweredCard({ title, question, answer, height, controls, children }: AnsweredCardProps) {
  return (
    <section className="card" aria-label={title}>
      <header className="card-head">
        <CardTitle title={title} question={question} />
        <div className="card-tools">
          {controls}
          <CardMenu title={title} question={question} png={undefined} />
        </div>
      </header>
      <Warnings answer={answer} />
      <Answered answer={answer} height={height}>
        {children}
      </Answered>
    </section>
  )
}
