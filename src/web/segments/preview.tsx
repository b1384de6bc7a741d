import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { currencyOf, numberIn, rowsOf } from '../api/use-answer.ts'
import { Figure } from '../format/figure.tsx'
import { useDrill } from '../parts/drill.tsx'
import { Problem } from '../parts/problem.tsx'
import { rowsBehind } from '../parts/rows-behind.ts'
import { Skeleton } from '../parts/states.tsx'
import type { Definition } from './draft.ts'

const HEIGHT = 104

/** Number, MRR and average revenue of matching customers, before the segment is saved. */
export function Preview({ definition, isAsked }: { definition: Definition; isAsked: boolean }) {
  const { open } = useDrill()
  const segment = JSON.stringify(definition)
  const answer = useQuery({
    queryKey: ['segment-preview', segment],
    queryFn: ({ signal }) =>
      client.post('/api/metrics/{metric}', {
        path: { metric: 'ltv' },
        // Compares this single segment, because only a comparison returns the number of customers.
        body: { params: { query_type: 'arpu' }, spec: { compare: [segment] } },
        signal,
      }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  })
  const row = rowsOf(answer.data?.data)[0]
  const currency = currencyOf(answer.data)
  const figures = [
    { label: 'Paying customers', key: 'active_customers', unit: 'count' },
    { label: 'MRR', key: 'mrr', unit: 'money' },
    { label: 'Revenue per customer', key: 'arpu', unit: 'money' },
  ] as const
  return (
    <section className="card" aria-label="Matching customers" aria-busy={answer.isPlaceholderData}>
      <header className="card-head">
        <h2>Matching customers</h2>
        {isAsked && (
          <div className="card-tools">
            <button
              type="button"
              className="button is-quiet"
              onClick={() =>
                open({
                  title: 'Customers in this segment',
                  ...rowsBehind('ltv', { query_type: 'arpu', segment }, ['active_customers', 'mrr']),
                })
              }
            >
              Show customers
            </button>
          </div>
        )}
      </header>
      {!isAsked && <p className="muted">Add a condition, or complete the ones above, to preview matching customers.</p>}
      {isAsked && answer.error !== null && <Problem error={answer.error} onRetry={() => void answer.refetch()} />}
      {isAsked && answer.error === null && row === undefined && <Skeleton height={HEIGHT} />}
      {isAsked && answer.error === null && row !== undefined && (
        <dl className="preview-figures" aria-live="polite">
          {figures.map(({ label, key, unit }) => (
            <div key={key} data-field={key}>
              <dt className="muted">{label}</dt>
              <dd>
                <Figure value={numberIn(row, key)} unit={unit} currency={currency} reason="No paying customers match." />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}
