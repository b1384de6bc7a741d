import { Dialog } from '@base-ui/react/dialog'
import { useState } from 'react'
import { curlOf, isOfMetric, type Query, type Question, withParams } from '../api/question.ts'
import { currencyIn, currencyOf, type Row, rowsOf, totalOf, useAnswer } from '../api/use-answer.ts'
import { type DrillLists, isSelected } from '../controls/panel.ts'
import { type PageState, useNow, usePage } from '../controls/use-page.ts'
import { Figure } from '../format/figure.tsx'
import { labelOf } from '../format/labels.ts'
import { formatValue } from '../format/numbers.ts'
import { unitOf } from '../format/units.ts'
import { ChoiceTabs } from './choice-tabs.tsx'
import { CopyButton } from './copy.tsx'
import { DownloadLink } from './download.tsx'
import { type Drill, usePanel } from './drill.tsx'
import { WhySentences } from './sentences.tsx'
import { Answered, Warnings } from './states.tsx'
import { columnsOf, NO_AMOUNT, Table } from './table.tsx'
import { sumOf } from './table-order.ts'

/** Rows loaded first. */
const FIRST = 500
/** The API's limit for a list. */
const MOST = 1_000

/** Rules for the rows behind a number inside a panel, by their name in `leads`. */
export type Leads = ReadonlyMap<string, (page: PageState, row: Row, field: string) => Drill | undefined>

/** The side panel with the rows behind a number, downloads and the API call. */
export function DrillPanel({ leads }: { leads: Leads }) {
  const { drill, close } = usePanel()
  return (
    <Dialog.Root open={drill !== undefined} onOpenChange={(isOpen) => !isOpen && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="panel">{drill !== undefined && <Content drill={drill} leads={leads} />}</Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Content({ drill: { question, ...drill }, leads }: { drill: Drill; leads: Leads }) {
  return (
    <>
      <header className="panel-head">
        <Dialog.Title className="panel-title">{drill.title}</Dialog.Title>
        <Dialog.Close className="button is-quiet" aria-label="Close">
          ✕
        </Dialog.Close>
      </header>
      {drill.note !== undefined && <Dialog.Description className="muted">{drill.note}</Dialog.Description>}
      {question !== undefined && (
        <Parts key={`${drill.title} ${curlOf(question)}`} question={question} drill={drill} leads={leads} />
      )}
    </>
  )
}

interface PartsProps {
  readonly question: Question
  readonly drill: Omit<Drill, 'question'>
  readonly leads: Leads
}

function Parts({ question, drill, leads }: PartsProps) {
  const page = usePage()
  const [limit, setLimit] = useState(FIRST)
  const [order, setOrder] = useState<string>()
  const { only, lists } = drill
  const [chosen, setChosen] = useState<number>()
  const lead = leads.get(drill.leads ?? '')
  const hasAll = only !== undefined || question.query['limit'] !== undefined
  const rest = drill.sum !== undefined && addsUp(question) ? { rest: true } : {}
  const answer = useAnswer(
    hasAll ? question : withParams(question, { limit, ...rest, ...(order === undefined ? {} : { order }) }),
  )
  const answered = rowsOf(answer.data?.data)
  const selected = only === undefined ? answered : answered.filter((row) => isSelected(row, only))
  const choices = choicesOf(lists, selected)
  const list = choices.find(({ value }) => value === chosen) ?? choices.find((choice) => choice.rows.length > 0)
  const rows = list?.rows ?? selected
  const counted = !hasAll && answer.data !== undefined ? totalOf(answer.data) : undefined
  const listed = rows.filter((row) => row['is_rest'] !== true).length
  const total = counted ?? listed
  const { currency: base } = useNow()
  const own = currencyOf(answer.data)
  const currency = own === '' ? base : own
  const { fields } = drill
  // If every row of a limited list is selected, the next ones may be too.
  const isCut = only !== undefined && selected.length > 0 && selected.length === Number(question.query['limit'])
  const isWhole = total <= listed && !isCut
  const columns = columnsOf(rows)
    .filter(({ key }) => fields?.includes(key) ?? true)
    .map((column) => ({
      ...column,
      isSorted: isOfMetric(question.path),
      ...(lead === undefined ? {} : { drill: (row: Row) => lead(page, row, column.key) }),
    }))
  return (
    <>
      <Warnings answer={answer} />
      <div className="panel-body">
        {drill.why === true && question.without === undefined && <WhySentences query={whyOf(question)} />}
        <Answered answer={answer} height={320} empty="No rows behind this number.">
          {list !== undefined && (
            <ChoiceTabs
              label="List"
              value={String(list.value)}
              choices={choices.map((choice) => ({
                value: String(choice.value),
                label: `${choice.label} (${formatValue(choice.rows.length, 'count')})`,
              }))}
              onChoose={(value) => setChosen(Number(value))}
            />
          )}
          <p className="panel-sum">
            {drill.sum !== undefined && (isWhole || rows.length > listed) && (
              <Sum rows={rows} field={drill.sum} currency={currency} />
            )}
            <span className="muted">{countText(total, kindOf(question, rows))}</span>
          </p>
          <Table
            caption={drill.title}
            columns={columns}
            rows={rows}
            currency={currency}
            order={order ?? orderOf(question)}
            onOrder={setOrder}
            isWhole={isWhole}
          />
          {total > listed && limit < MOST && (
            <button type="button" className="button" onClick={() => setLimit(MOST)}>
              Show more of {total}
            </button>
          )}
          {total > listed && limit === MOST && <p className="muted">Download CSV or Excel for all {total} rows.</p>}
        </Answered>
      </div>
      <footer className="panel-foot">
        <DownloadLink className="button" question={question} format="csv">
          CSV
        </DownloadLink>
        <DownloadLink className="button" question={question} format="xlsx">
          Excel
        </DownloadLink>
        <CopyButton text={curlOf(question)} label="Copy API call" />
      </footer>
    </>
  )
}

// One more row adds up the rows that are not loaded. The API refuses it by currency, because such amounts do not add up.
function addsUp({ path, query: { dimensions } }: Question): boolean {
  return isOfMetric(path) && !String(dimensions).split(',').includes('currency')
}

function orderOf({ query: { order } }: Question): string | undefined {
  return typeof order === 'string' ? order : undefined
}

/** The filters and days of a question, for the sentences about them. */
function whyOf({ query }: Question): Query {
  const { dimensions: _, order: __, ...asked } = query
  return asked
}

/** The lists of a panel with their rows. */
function choicesOf(lists: DrillLists | undefined, rows: readonly Row[]) {
  return (lists?.choices ?? []).map((choice) => ({
    ...choice,
    rows: rows.filter((row) => row[lists?.field ?? ''] === choice.value),
  }))
}

/** Paths that return one row per customer. Paths grouped by customer are not in the list. */
const OF_CUSTOMERS: readonly string[] = [
  '/api/metrics/churn/customers',
  '/api/metrics/churn/revenue-events',
  '/api/metrics/usage-revenue/by-customer',
]
const KINDS: Readonly<Record<string, string>> = {
  '/api/invoices': 'invoice',
  '/api/subscriptions': 'subscription',
  '/api/expenses/lines': 'line',
}

/** The noun for the rows. “Customer” only if no customer has several rows, such as one per month. */
function kindOf({ path, query }: Question, rows: readonly Row[]): string {
  const isByCustomer = OF_CUSTOMERS.includes(path) || String(query['dimensions']).startsWith('customer_id,customer_name')
  const isOneEach = new Set(rows.map((row) => row['customer_id'])).size === rows.length
  return KINDS[path] ?? (isByCustomer && isOneEach ? 'customer' : 'row')
}

function countText(count: number, kind: string): string {
  return `${formatValue(count, 'count')} ${kind}${count === 1 ? '' : 's'}`
}

function Sum({ rows, field, currency }: { rows: readonly Row[]; field: string; currency: string }) {
  const sum = sumOf(field, rows) ?? null
  // All rows of a sum have the same currency.
  const of = currencyIn(rows[0], field, currency)
  return (
    <strong className="panel-total">
      {labelOf(field)} <Figure value={sum} unit={unitOf(field)} currency={of} precise reason={NO_AMOUNT} />
    </strong>
  )
}
