import { Link } from '@tanstack/react-router'
import type { Question } from '../api/question.ts'
import { type AnswerQuery, currencyOf, isMissingRate, numberIn, type Row, rowsOf, textIn, useAnswer } from '../api/use-answer.ts'
import { lastingSearch } from '../controls/search.ts'
import { type PageState, usePage } from '../controls/use-page.ts'
import { daysLater, formatDay } from '../format/days.ts'
import { Dash } from '../format/figure.tsx'
import { valueLabel } from '../format/labels.ts'
import { CardTitle } from '../parts/card.tsx'
import { CardMenu } from '../parts/card-menu.tsx'
import type { Drill } from '../parts/drill.tsx'
import { narrowToGroups } from '../parts/drill-groups.ts'
import { Page } from '../parts/page.tsx'
import { Answered, Empty } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Warnings } from '../parts/warnings.tsx'
import { lossDrill, movementsOf } from './drills.ts'
import { figureDrill } from './explore-drill.ts'
import { byCurrency, customersByGroup } from './unrated.ts'

type Group = 'plan_id' | 'customer_country'

/** One table of all plans: MRR, customers, churn and trials of each. */
export function Plans() {
  return (
    <GroupPage
      title="Plans"
      by="plan_id"
      label="Plan"
      note="A customer with several plans counts once for each plan, so customers do not add up. Churned MRR of subscriptions that started in the range has no plan."
    />
  )
}

/** One table of all countries, with the columns of the plans. */
export function Countries() {
  return <GroupPage title="Countries" by="customer_country" label="Country" />
}

interface GroupPageProps {
  readonly title: string
  readonly by: Group
  readonly label: string
  readonly note?: string
}

const HEIGHT = 480

function GroupPage(props: GroupPageProps) {
  const { title, label } = props
  return (
    <Page
      title={title}
      lead={`Every ${label.toLowerCase()} at the end of the range, and what changed since its start.`}
      controls={{ metric: 'mrr', hasStep: false, hasCompare: false, hasPeriods: false }}
    >
      <GroupCard {...props} />
    </Page>
  )
}

function GroupCard({ title, by, label, note }: GroupPageProps) {
  const page = usePage()
  const questions = questionsOf(page, by)
  const level = useAnswer(questions.level)
  const names = useAnswer(questions.names)
  const before = useAnswer(questions.before)
  const lost = useAnswer(questions.lost)
  const trials = useAnswer(questions.trials)
  const asked = [level, lost, trials, ...(questions.before ? [before] : []), ...(questions.names ? [names] : [])]
  // The table needs all answers. It shows the first error, and waits for the last answer.
  const first = asked.find(({ error }) => error !== null) ?? asked.find(({ data }) => data === undefined) ?? level
  // Customers and trials need no exchange rate.
  const isUnrated = isMissingRate(first.error)
  const customers = useAnswer(isUnrated ? byCurrency(page, by) : undefined)
  const answer = isUnrated ? ([customers, trials].find(({ data }) => data === undefined) ?? customers) : first
  const isReady = answer.error === null && answer.data !== undefined
  const hasTrials = rowsOf(trials.data?.data).length > 0
  const rows = isUnrated ? unratedTable(by, customers, trials) : tableOf(by, { level, names, before, lost, trials })
  const columns = columnsOf(page, by, label, hasTrials)
  const isEmpty = isReady && rows.length === 0
  return (
    <section className="card" aria-label={title}>
      <header className="card-head">
        <CardTitle
          title={isReady ? headingOf(title, label, rows.filter((row) => (row[by] ?? '') !== '').length) : title}
          question={questions.lost}
        />
        <div className="card-tools">
          <CardMenu title={title} question={questions.level} png={undefined} />
        </div>
      </header>
      {note !== undefined && <p className="muted">{note}</p>}
      {page.compareTo !== undefined && (
        <p className="card-note">
          {page.days.start === undefined
            ? 'Not compared: no period comes before all time.'
            : 'Not compared: the table shows the change since the start of the range.'}
        </p>
      )}
      <Warnings answer={level} />
      {isEmpty ? (
        <Empty>No MRR, churn or trials in this period.</Empty>
      ) : (
        <Answered answer={answer} height={HEIGHT}>
          <Table
            caption={title}
            columns={isUnrated ? columns.filter(({ key }) => UNRATED.includes(key)).map(withoutRows) : columns}
            rows={rows}
            currency={currencyOf(level.data)}
            order={isUnrated ? '-active_customers' : '-mrr'}
          />
        </Answered>
      )}
    </section>
  )
}

function headingOf(title: string, label: string, count: number): string {
  return count === 1 ? `1 ${label.toLowerCase()}` : `${count} ${title.toLowerCase()}`
}

/** The calls of the table: one for each figure that another call cannot give. */
function questionsOf({ audience, days, level, range }: PageState, by: Group) {
  const { start } = days
  const mrr = (query: object): Question => ({ path: '/api/metrics/mrr', query: { ...audience, ...query } })
  return {
    level: { path: '/api/metrics/ltv/arpu', query: { ...audience, ...level, dimensions: by } },
    names: by === 'plan_id' ? mrr({ ...level, dimensions: 'plan_id,plan_name' }) : undefined,
    before: start === undefined ? undefined : mrr({ at: daysLater(start, -1), dimensions: by }),
    lost: { path: '/api/metrics/churn', query: { ...audience, ...range, type: 'revenue', dimensions: by } },
    trials: { path: '/api/metrics/trials', query: { ...audience, ...range, dimensions: by } },
  } satisfies Record<string, Question | undefined>
}

/** Columns that need no exchange rate. */
const UNRATED: readonly string[] = ['group_name', 'active_customers', 'started']

// The rows behind customers have amounts in the base currency.
function withoutRows({ drill, ...column }: Column): Column {
  return column.key === 'active_customers' || drill === undefined ? column : { ...column, drill }
}

/** One row for each group with customers or trials, most customers first. */
function unratedTable(by: Group, customers: AnswerQuery, trials: AnswerQuery): readonly Row[] {
  const counts = customersByGroup(rowsOf(customers.data?.data), by)
  const tried = new Map(rowsOf(trials.data?.data).map((row) => [row[by], numberIn(row, 'started') ?? 0]))
  return [...new Set([...counts.keys(), ...tried.keys()])]
    .map((group) => ({
      [by]: group,
      group_name: valueLabel(group, by),
      active_customers: counts.get(group) ?? 0,
      started: tried.get(group) ?? 0,
    }))
    .filter(({ active_customers, started }) => active_customers > 0 || started > 0)
    .sort((one, other) => other.active_customers - one.active_customers)
}

type Answers = Readonly<Record<'level' | 'names' | 'before' | 'lost' | 'trials', AnswerQuery>>

/** One row for each group that any answer has, largest MRR first. */
function tableOf(by: Group, { level, names, before, lost, trials }: Answers): readonly Row[] {
  const find = ({ data }: AnswerQuery) => new Map(rowsOf(data?.data).map((row) => [row[by], row]))
  const [now, named, then, gone, tried] = [level, names, before, lost, trials].map(find)
  const groups = new Set([now, then, gone, tried].flatMap((rows) => [...(rows?.keys() ?? [])]))
  const total = [...(now?.values() ?? [])].reduce((sum, row) => sum + (numberIn(row, 'mrr') ?? 0), 0)
  const rows = [...groups].map((group): Row => {
    const mrr = numberIn(now?.get(group), 'mrr') ?? 0
    return {
      [by]: group,
      group_name: textIn(named?.get(group), 'plan_name') ?? valueLabel(group, by),
      mrr,
      mrr_share: total === 0 ? null : mrr / total,
      active_customers: numberIn(now?.get(group), 'active_customers') ?? 0,
      arpu: numberIn(now?.get(group), 'arpu'),
      change_mrr: before.data === undefined ? null : mrr - (numberIn(then?.get(group), 'mrr') ?? 0),
      revenue_lost: numberIn(gone?.get(group), 'revenue_lost') ?? 0,
      revenue_churn_rate: numberIn(gone?.get(group), 'revenue_churn_rate'),
      started: numberIn(tried?.get(group), 'started') ?? 0,
    }
  })
  const isUsed = (row: Row) =>
    ['mrr', 'active_customers', 'change_mrr', 'revenue_lost', 'started'].some((key) => (row[key] ?? 0) !== 0)
  return rows.filter(isUsed).sort((one, other) => Number(other['mrr']) - Number(one['mrr']))
}

function columnsOf(page: PageState, by: Group, label: string, hasTrials: boolean): readonly Column[] {
  const { audience, days, range } = page
  const when = 'the selected period'
  const of = (drill: Drill | undefined) => (row: Row) => drill && narrowToGroups(drill, [by], row)
  const figure = (id: string) => (row: Row) => figureDrill(id, page, [by], row)
  const loss = of(lossDrill('revenue', audience, range, when))
  const change: Column = {
    key: 'change_mrr',
    label: 'Change',
    isNumber: true,
    totals: true,
    drill: of(movementsOf(range, when, audience)),
  }
  return [
    { key: 'group_name', label, render: (row) => <GroupName row={row} by={by} /> },
    { key: 'mrr', isNumber: true, drill: figure('mrr') },
    { key: 'mrr_share', label: 'Share', unit: 'fraction', isNumber: true, totals: true },
    ...(days.start === undefined ? [] : [{ ...change, label: `Change since ${formatDay(daysLater(days.start, -1))}` }]),
    {
      key: 'active_customers',
      label: 'Customers',
      isNumber: true,
      totals: by === 'customer_country',
      drill: figure('customers'),
    },
    { key: 'arpu', isNumber: true, drill: figure('arpu') },
    { key: 'revenue_lost', isNumber: true, drill: loss },
    { key: 'revenue_churn_rate', isNumber: true, drill: loss },
    ...(hasTrials ? [{ key: 'started', label: 'Trials', isNumber: true, drill: figure('trials') }] : []),
  ]
}

/** The name of a group. It leads to MRR, narrowed to the group. */
function GroupName({ row, by }: { row: Row; by: Group }) {
  const { search } = usePage()
  const value = textIn(row, by)
  const name = textIn(row, 'group_name')
  if (value === null) return <Dash reason="No value." />
  if (value === '') return name
  const { filter = [] } = search
  const narrowed = [...filter.filter((entry) => !entry.startsWith(`${by}=`)), `${by}=${value}`]
  return (
    <Link to="/mrr" search={{ ...lastingSearch(search), filter: narrowed }} className="name" title={`MRR of ${name}`}>
      {name}
    </Link>
  )
}
