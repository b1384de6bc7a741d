import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { client } from '../api/client.ts'
import type { Query } from '../api/question.ts'
import { useSegments } from '../api/resources.ts'
import { isRow, type Row, textIn } from '../api/use-answer.ts'
import { useHasScope } from '../auth/who.ts'
import type { Days } from '../controls/ranges.ts'
import { lastingSearch } from '../controls/search.ts'
import { useChangeSearch, useSearchState } from '../controls/use-page.ts'
import { formatDay } from '../format/days.ts'
import { traitsOf } from '../format/traits.ts'
import { Card } from '../parts/card.tsx'
import { Page } from '../parts/page.tsx'
import { Problem } from '../parts/problem.tsx'
import { Empty, Skeleton } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { SegmentForm } from '../segments/segment-form.tsx'
import { errorsByPlace } from '../segments/validation.ts'
import { headlineDrill } from './explore-drill.ts'

const MOST_COMPARED = 10
const HEIGHT = 240
/** Fields of the summary. */
const COMPARED = [
  ...['active_customers', 'mrr', 'arpu', 'net_new_mrr', 'logo_churn_rate', 'revenue_churn_rate'],
  ...['nrr_12_months', 'grr_12_months', 'ltv', 'trial_conversion_rate'],
]

/** The field of the summary with the days of a figure. */
const DAYS = {
  level: 'as_of',
  year: 'year_window',
  month: 'month_window',
  rate: 'rate_window',
  trailing: 'trailing_window',
} as const

/** Saved segments, and a comparison of up to ten. */
export function Segments() {
  const answer = useSegments()
  const search = useSearchState()
  const mayWrite = useHasScope('write')
  const all = answer.data ?? []
  // Leave out segments with warnings, because one of them would make the whole comparison fail.
  const sound = all.filter(({ warnings }) => warnings.length === 0).slice(0, MOST_COMPARED)
  const shown = search.compare_segments ?? sound.map(({ id }) => id)
  return (
    <Page
      title="Segments"
      isOfTenant={false}
      lead="Saved groups of customers. Use them to filter and compare any metric."
      actions={
        mayWrite && (
          <Link to="/segments/new" search={lastingSearch(search)} className="button is-main">
            New segment
          </Link>
        )
      }
    >
      {answer.error !== null && <Problem error={answer.error} onRetry={() => void answer.refetch()} />}
      {answer.isPending && <Skeleton height={HEIGHT} />}
      {answer.data !== undefined && (
        <section className="card" aria-label="Saved segments">
          {all.length === 0 ? (
            <Empty>
              No segments yet. A segment is a saved filter, for example customers in Germany or customers who pay by invoice.
            </Empty>
          ) : (
            <SegmentList />
          )}
        </section>
      )}
      {shown.length > 0 && <Compared ids={shown} />}
    </Page>
  )
}

function SegmentList() {
  const { data: all = [] } = useSegments()
  const search = useSearchState()
  const change = useChangeSearch()
  const compared = search.compare_segments ?? []
  const named = new Map(all.map((segment) => [segment.id, segment]))
  const of = (row: Readonly<Record<string, unknown>>) => named.get(String(row['id']))
  const toggle = (id: string) =>
    change(
      { compare_segments: compared.includes(id) ? compared.filter((one) => one !== id) : [...compared, id] },
      { replace: true },
    )
  const columns: Column[] = [
    {
      key: 'compare',
      label: 'Compare',
      render: (row) => {
        const id = String(row['id'])
        return (
          <input
            type="checkbox"
            className="check"
            aria-label={`Compare ${String(row['title'])}`}
            checked={compared.includes(id)}
            disabled={!compared.includes(id) && compared.length >= MOST_COMPARED}
            onChange={() => toggle(id)}
          />
        )
      },
    },
    {
      key: 'title',
      label: 'Segment',
      render: (row) => (
        <>
          <Link to="/segments/$id" params={{ id: String(row['id']) }} search={lastingSearch(search)} className="name">
            {String(row['title'])}
          </Link>
          {[...errorsByPlace(of(row)?.warnings ?? []).values()].flat().map((warning) => (
            <p key={warning} className="field-error">
              {warning}
            </p>
          ))}
        </>
      ),
    },
    { key: 'description', label: 'Description', render: (row) => of(row)?.description ?? '' },
    { key: 'updated_at', label: 'Updated', render: (row) => formatDay(String(row['updated_at'])) },
    {
      key: 'overview',
      label: 'Metrics',
      render: (row) => (
        <Link
          to="/"
          search={{ ...lastingSearch(search), compare_segments: undefined, segment: String(row['id']) }}
          className="name"
          aria-label={`Overview of ${String(row['title'])}`}
        >
          Overview
        </Link>
      ),
    },
  ]
  const rows = all.map(({ id, name, updated_at }) => ({ id, title: name, updated_at }))
  return <Table stacks caption="Saved segments" columns={columns} rows={rows} currency="" />
}

/** The key metrics of each segment. Explore compares all other metrics. */
function Compared({ ids }: { ids: readonly string[] }) {
  const search = useSearchState()
  return (
    <Card
      title="Comparison"
      question={{ path: '/api/metrics/summary', query: { compare_segments: ids } }}
      controls={
        <Link
          to="/explore"
          search={{ ...lastingSearch(search), segment: undefined, compare_segments: [...ids] }}
          className="button"
        >
          Compare in Explore
        </Link>
      }
      columns={() => [
        { key: 'segment_name', label: 'Segment' },
        ...COMPARED.map((key) => ({
          key,
          isNumber: true,
          drill: (row: Row) => headlineDrill(key, { audience: {}, step: 'month', ...windowOf(row, key) }, ['segment_name'], row),
        })),
      ]}
    />
  )
}

/** The date range of a metric in the summary, read from the row. */
function windowOf(row: Row, field: string): { readonly days: Days; readonly level: Query; readonly range: Query } {
  const window = row[DAYS[traitsOf(field).window ?? 'level']]
  const { start, end } = isRow(window)
    ? { start: textIn(window, 'start'), end: textIn(window, 'end') }
    : { start: null, end: null }
  const last = end ?? textIn(row, 'as_of') ?? ''
  return { days: { start: start ?? undefined, end: last }, level: { at: last }, range: { start: start ?? last, end: last } }
}

const route = getRouteApi('/segments/$id')
const FORM_HEIGHT = 480
const LEAD = 'Customers who match these conditions, evaluated at the date of each figure.'

/** Edits a segment. */
export function Segment() {
  const { id } = route.useParams()
  const answer = useQuery({
    queryKey: ['segment', id],
    queryFn: async ({ signal }) => (await client.get('/api/segments/{id}', { path: { id }, signal })).data,
    // A reload must not replace the form that the user is editing.
    staleTime: 0,
    refetchOnReconnect: false,
  })
  return (
    <Page title={answer.data?.name ?? 'Segment'} lead={LEAD} isOfTenant={false}>
      {answer.error !== null && <Problem error={answer.error} onRetry={() => void answer.refetch()} />}
      {answer.error === null && answer.data === undefined && <Skeleton height={FORM_HEIGHT} />}
      {answer.data !== undefined && <SegmentForm key={`${id} ${answer.data.updated_at}`} segment={answer.data} />}
    </Page>
  )
}

/** Creates a segment. */
export function NewSegment() {
  return (
    <Page title="New segment" lead={LEAD} isOfTenant={false}>
      <SegmentForm />
    </Page>
  )
}
