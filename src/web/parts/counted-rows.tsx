import { type ReactNode, useId, useState } from 'react'
import { type Question, withParams } from '../api/question.ts'
import { currencyIn, currencyOf, isRow, numberIn, type Row, rowsOf, textIn, useAnswer } from '../api/use-answer.ts'
import { useNow } from '../controls/use-page.ts'
import { Figure } from '../format/figure.tsx'
import { labelOf } from '../format/labels.ts'
import { formatValue } from '../format/numbers.ts'
import { unitOf } from '../format/traits.ts'
import { ChoiceTabs } from './choice-tabs.tsx'
import { CountedDetail, columnsOfRows, type RowColumn } from './counted-cells.tsx'
import { Pager } from './pager.tsx'
import { ScrollArea } from './scroll-area.tsx'
import { Answered, Empty } from './states.tsx'
import { NO_AMOUNT } from './table.tsx'
import { Warnings } from './warnings.tsx'

/** Rows of a page. Evidence is read for each of them. */
const PAGE = 50
const HEIGHT = 320

interface CountedRowsProps {
  readonly title: string
  /** The rows of a number. */
  readonly question: Question
  /** Measures to choose from. Without any, the API chooses. */
  readonly measures: readonly string[]
  /** Content above the rows. */
  readonly head?: ReactNode
  /** Content below the rows of a measure. */
  readonly foot: (question: Question) => ReactNode
}

/** The rows that a number counts, a page at a time. Their sum is the number. Each row unfolds to the records that made it. */
export function CountedRows({ title, question, measures, head, foot }: CountedRowsProps) {
  const [chosen, setChosen] = useState(measures[0])
  const [offset, setOffset] = useState(0)
  const { currency: base } = useNow()
  const whole = withParams(question, { measure: chosen })
  const answer = useAnswer(withParams(whole, { limit: PAGE, offset }))
  const page = isRow(answer.data?.data) ? answer.data.data : undefined
  const rows = rowsOf(page)
  const total = numberIn(page, 'total') ?? 0
  const measure = textIn(page, 'measure') ?? chosen ?? ''
  // Without base amounts, all rows are in one currency.
  const isOriginal = rows.some((row) => row['amount_cents'] !== null) && rows.every((row) => row['amount_base_cents'] === null)
  const currency = isOriginal ? currencyIn(rows[0], measure, base) : currencyOf(answer.data) || base
  return (
    <>
      <Warnings answer={answer} isPanel />
      <div className="panel-body">
        {head}
        {measures.length > 1 && (
          <ChoiceTabs
            label="Part of the number"
            value={chosen ?? ''}
            choices={measures.map((value) => ({ value, label: labelOf(value) }))}
            onChoose={(value) => {
              setChosen(value)
              setOffset(0)
            }}
          />
        )}
        <Answered answer={answer} height={HEIGHT}>
          <p className="panel-sum" role="status">
            <PanelSum field={measure} value={numberIn(page, 'sum')} row={undefined} currency={currency} />
            <span className="muted">{nounOf(rows, total)}</span>
          </p>
          {total === 0 ? (
            <Empty>No rows behind this number.</Empty>
          ) : (
            // Another page begins with folded rows.
            <RowTable key={`${measure} ${offset}`} title={title} rows={rows} currency={currency} />
          )}
          {total > PAGE && <Pager total={total} offset={offset} limit={PAGE} onTurn={setOffset} label="Pages of the rows" />}
        </Answered>
      </div>
      {foot(whole)}
    </>
  )
}

interface PanelSumProps {
  readonly field: string
  readonly value: number | null
  /** A row of the list, if its own currency counts. */
  readonly row: Row | undefined
  readonly currency: string
}

/** The number of a panel, with its name. */
export function PanelSum({ field, value, row, currency }: PanelSumProps) {
  return (
    <strong className="panel-total">
      {labelOf(field)}{' '}
      <Figure value={value} unit={unitOf(field)} currency={currencyIn(row, field, currency)} precise reason={NO_AMOUNT} />
    </strong>
  )
}

function nounOf(rows: readonly Row[], total: number): string {
  const isOfCustomers = rows.every((row) => row['subscription_id'] === null && row['document_id'] === null)
  const noun = isOfCustomers && rows.length > 0 ? 'customer' : 'row'
  return countText(total, noun)
}

/** A number of things: `2 rows`. */
export function countText(count: number, noun: string): string {
  return `${formatValue(count, 'count')} ${noun}${count === 1 ? '' : 's'}`
}

function RowTable({ title, rows, currency }: { title: string; rows: readonly Row[]; currency: string }) {
  const columns = columnsOfRows(rows, currency)
  return (
    <ScrollArea label={`${title}, table`} className="is-stacked">
      <table className="counted">
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            {columns.map(({ key, label, isNumber }) => (
              <th key={key} scope="col" className={isNumber ? 'is-number' : undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <CountedRow key={place} row={row} columns={columns} />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

/** A row, and below it the records that made it once it is unfolded. */
function CountedRow({ row, columns }: { row: Row; columns: readonly RowColumn[] }) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const name = textIn(row, 'customer_name') ?? textIn(row, 'customer_id') ?? ''
  return (
    <>
      <tr className={isOpen ? 'is-open' : undefined}>
        {columns.map(({ key, label, isNumber, render }, at) => (
          <td key={key} className={isNumber ? 'is-number' : undefined} data-label={label}>
            {at === 0 ? (
              <span className="unfolding">
                <button
                  type="button"
                  className="unfold"
                  aria-expanded={isOpen}
                  aria-controls={isOpen ? id : undefined}
                  aria-label={`Evidence: ${name}`}
                  onClick={() => setOpen(!isOpen)}
                />
                {render(row)}
              </span>
            ) : (
              render(row)
            )}
          </td>
        ))}
      </tr>
      {isOpen && (
        <tr id={id} className="is-detail">
          <td colSpan={columns.length}>
            <CountedDetail row={row} />
          </td>
        </tr>
      )}
    </>
  )
}
