import { Dialog } from '@base-ui/react/dialog'
import { type ReactNode, useState } from 'react'
import { asFile, curlOf, MOST_RECORDS, type Query, type Question, withParams } from '../api/question.ts'
import { currencyOf, type Row, rowsOf, totalOf, useAnswer } from '../api/use-answer.ts'
import { isOfNumber, isSelected } from '../controls/panel.ts'
import { type PageState, usePage } from '../controls/use-page.ts'
import { CopyButton } from './copy.tsx'
import { CountedRows, countText, PanelSum } from './counted-rows.tsx'
import { DownloadLink } from './download.tsx'
import { type Drill, usePanel } from './drill.tsx'
import { WhySentences } from './sentences.tsx'
import { Answered } from './states.tsx'
import { columnsOf, Table } from './table.tsx'
import { sumOf } from './table-order.ts'
import { Warnings } from './warnings.tsx'

/** Records loaded first. */
const FIRST = 500
const HEIGHT = 320

/** Rules for the rows behind a number inside a panel, by their name in `leads`. */
export type Leads = ReadonlyMap<string, (page: PageState, row: Row, field: string) => Drill | undefined>

/** The side panel with what is behind a number, downloads and the API call. */
export function DrillPanel({ leads }: { leads: Leads }) {
  const { drill, close } = usePanel()
  return (
    <Dialog.Root open={drill !== undefined} onOpenChange={(isOpen) => !isOpen && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className={isWide(drill) ? 'panel is-wide' : 'panel'}>
          {drill !== undefined && <Content drill={drill} leads={leads} />}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

// Rows of numbers have more columns than lists of records.
function isWide(drill: Drill | undefined): boolean {
  return drill?.question !== undefined && isOfNumber(drill.question)
}

function Content({ drill, leads }: { drill: Drill; leads: Leads }) {
  const { title, note, question, measures, why = false } = drill
  const key = question && `${title} ${curlOf(question)}`
  return (
    <>
      <header className="panel-head">
        <Dialog.Title className="panel-title">{title}</Dialog.Title>
        <Dialog.Close className="button is-quiet" aria-label="Close">
          ✕
        </Dialog.Close>
      </header>
      {note !== undefined && <Dialog.Description className="muted">{note}</Dialog.Description>}
      {question !== undefined &&
        (isOfNumber(question) ? (
          <CountedRows
            key={key}
            title={title}
            question={question}
            measures={measures ?? []}
            head={why && isOfAll(question) && <WhySentences query={whyOf(question)} />}
            foot={footOf}
          />
        ) : (
          <Records key={key} question={question} drill={drill} leads={leads} />
        ))}
    </>
  )
}

/** Whether the rows are not those of a group. The sentences are about all groups. */
function isOfAll({ query }: Question): boolean {
  return query['group'] === undefined
}

/** The audience and days of a question, for the sentences about them. */
function whyOf({ query: { start, end, range, filter, segment } }: Question): Query {
  return { start, end, range, filter, segment }
}

function footOf(question: Question): ReactNode {
  return (
    <footer className="panel-foot">
      <DownloadLink className="button" question={question} format="csv">
        CSV
      </DownloadLink>
      <DownloadLink className="button" question={question} format="xlsx">
        Excel
      </DownloadLink>
      <CopyButton text={curlOf(question)} label="Copy API call" />
    </footer>
  )
}

/** Records such as invoices, or rows of an answer whose numbers lead on. */
function Records({ question, drill, leads }: { question: Question; drill: Drill; leads: Leads }) {
  const page = usePage()
  const [limit, setLimit] = useState(FIRST)
  const [order, setOrder] = useState<string>()
  const { only, fields, sum } = drill
  const lead = leads.get(drill.leads ?? '')
  const asked = only === undefined ? withParams(question, { limit, ...(order === undefined ? {} : { order }) }) : question
  const answer = useAnswer(asked)
  const answered = rowsOf(answer.data?.data)
  const rows = only === undefined ? answered : answered.filter((row) => isSelected(row, only))
  const total = (only === undefined && answer.data !== undefined ? totalOf(answer.data) : undefined) ?? rows.length
  const isWhole = total <= rows.length
  // Files of metrics have all rows.
  const isOfMetric = question.path.startsWith('/api/metrics/')
  const given = question.query['order']
  const currency = currencyOf(answer.data) || page.currency
  const columns = columnsOf(rows)
    .filter(({ key }) => fields?.includes(key) ?? true)
    .map((column) => (lead === undefined ? column : { ...column, drill: (row: Row) => lead(page, row, column.key) }))
  return (
    <>
      <Warnings answer={answer} isPanel />
      <div className="panel-body">
        <Answered answer={answer} height={HEIGHT} empty="No rows behind this number.">
          <p className="panel-sum">
            {sum !== undefined && isWhole && (
              <PanelSum field={sum} value={sumOf(sum, rows) ?? null} row={rows[0]} currency={currency} />
            )}
            <span className="muted">{countText(total, NOUNS[question.path] ?? 'row')}</span>
          </p>
          <Table
            caption={drill.title}
            columns={columns}
            rows={rows}
            currency={currency}
            order={order ?? (typeof given === 'string' ? given : undefined)}
            onOrder={setOrder}
            isWhole={isWhole}
          />
          {!isWhole && limit < MOST_RECORDS && (
            <button type="button" className="button" onClick={() => setLimit(MOST_RECORDS)}>
              Show more of {total}
            </button>
          )}
          {!isWhole && limit === MOST_RECORDS && (
            <p className="muted">
              {isOfMetric ? `Download CSV or Excel for all ${total} rows.` : `The first ${rows.length} of ${total} rows.`}
            </p>
          )}
        </Answered>
      </div>
      {footOf(isOfMetric ? question : asFile(question))}
    </>
  )
}

const NOUNS: Readonly<Record<string, string>> = {
  '/api/invoices': 'invoice',
  '/api/ledger/open-invoices': 'invoice',
  '/api/subscriptions': 'subscription',
  '/api/expenses/lines': 'line',
}
