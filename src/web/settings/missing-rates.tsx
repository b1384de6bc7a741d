import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { components } from '../../client/index.ts'
import { useActiveAnswers } from '../api/active-answers.ts'
import { client } from '../api/client.ts'
import { isMissingRate, isRow, type Row, rowsOf, textIn, useAnswer } from '../api/use-answer.ts'
import { useHasScope } from '../auth/who.ts'
import { usePage } from '../controls/use-page.ts'
import { formatDay } from '../format/days.ts'
import { formatValue } from '../format/numbers.ts'
import { CommandLine } from '../parts/copy.tsx'
import { Problem } from '../parts/problem.tsx'
import { Skeleton } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { RateImport } from './rate-import.tsx'

type Missing = components['schemas']['MissingFxRate']

const KEY = ['fx', 'missing']
/** Answers stay fresh for a minute, because the service scans all amounts to answer. */
const FRESH_MS = 60_000
const HEIGHT = 220

/** One card about missing exchange rates, if an answer on the page needs one. */
export function MissingRatesNotice() {
  const mayRead = useHasScope('read')
  const isNeeded = useActiveAnswers((active) => active.some(({ state }) => isMissingRate(state.error) || hasUnrated(state.data)))
  const answer = useMissingRates(isNeeded && mayRead)
  const [isImporting, setImporting] = useState(false)
  // The card stays while the page reloads, and until the user has closed the report of an import.
  const isShown = (answer.data?.length ?? 0) > 0 || (isNeeded && answer.data === undefined) || isImporting
  if (!isShown) return null
  return (
    <section className="card settings-section" aria-label="Missing exchange rates">
      <header className="card-head">
        <h2>Missing exchange rates</h2>
      </header>
      {mayRead ? (
        <MissingRates isImporting={isImporting} onImport={() => setImporting(!isImporting)} />
      ) : (
        <p>Totals need exchange rates. Ask an administrator of Plumbline to add them.</p>
      )}
      {isImporting && <RateImport onClose={() => setImporting(false)} />}
    </section>
  )
}

/** Whether an answer leaves out amounts because a rate is missing. */
function hasUnrated(data: unknown): boolean {
  return isRow(data) && Array.isArray(data['warnings']) && data['warnings'].includes('missing_fx_rate')
}

function useMissingRates(isAsked: boolean) {
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await client.get('/api/fx/missing', { signal })).data,
    enabled: isAsked,
    staleTime: FRESH_MS,
  })
}

/** The form that imports a file. The caller shows it. */
interface Importing {
  readonly isImporting: boolean
  readonly onImport: () => void
}

/** The missing rates, the figures that need none, and how to add rates. */
export function MissingRates(importing: Importing) {
  const isAdmin = useHasScope('admin')
  const answer = useMissingRates(true)
  if (answer.error !== null) return <Problem error={answer.error} onRetry={() => void answer.refetch()} />
  if (answer.data === undefined) return <Skeleton height={HEIGHT} />
  const [first] = answer.data
  if (first === undefined) return <p>No exchange rates are missing.</p>
  return (
    <div className="stack">
      <p>
        Totals in {first.to} need {answer.data.length === 1 ? 'this rate' : 'these rates'}. Until then, each currency is shown
        separately. A customer who pays in two currencies counts in both.
      </p>
      <ByCurrency missing={answer.data} />
      {isAdmin ? (
        <AddRates missing={answer.data} {...importing} />
      ) : (
        <p>
          To add rates, you need the scope “admin”. Ask an administrator of Plumbline, or the person who runs it:
          <CommandLine text={FETCH_COMMAND} />
        </p>
      )}
    </div>
  )
}

/** MRR and customers of each currency today, which need no rate, and the rate that each currency lacks. */
function ByCurrency({ missing }: { missing: readonly Missing[] }) {
  const { audience } = usePage()
  const answer = useAnswer({
    path: '/api/metrics/ltv/arpu',
    query: { ...audience, range: 'this-month', interval: 'month', dimensions: 'currency' },
  })
  const known = rowsOf(answer.data?.data)
  const lacking = missing.filter(({ from }) => !known.some((row) => textIn(row, 'currency') === from))
  const rows: readonly Row[] = [...known, ...lacking.map(({ from }) => ({ currency: from, mrr: null, active_customers: null }))]
  const lackOf = (row: Row) => missing.find(({ from }) => from === textIn(row, 'currency'))
  return (
    <Table
      caption="MRR today by currency"
      stacks
      columns={[
        { key: 'currency', label: 'Currency' },
        { key: 'mrr', label: 'MRR today', isNumber: true },
        { key: 'active_customers', label: 'Paying customers', isNumber: true },
        { key: 'lack', label: 'Exchange rate', render: (row) => lackText(lackOf(row)) },
      ]}
      rows={rows}
      currency=""
    />
  )
}

function lackText(missing: Missing | undefined): string {
  if (missing === undefined) return 'Not needed'
  const { from, to, first_day, last_day, count, rates_since } = missing
  const amounts = count === 1 ? '1 amount' : `${formatValue(count, 'count')} amounts`
  const days = first_day === last_day ? `on ${formatDay(first_day)}` : `since ${formatDay(first_day)}`
  if (rates_since === null) return `No rate from ${from} to ${to}. Needed for ${amounts} ${days}.`
  return `Rates begin on ${formatDay(rates_since)}. Earlier ones are needed for ${amounts} ${days}.`
}

const FETCH_COMMAND = 'plumbline fx fetch ecb'

/** Two ways to add rates, on the page and on the command line. */
function AddRates({ missing, isImporting, onImport }: Importing & { missing: readonly Missing[] }) {
  const queries = useQueryClient()
  const fetching = useMutation({
    mutationFn: async () => (await client.post('/api/fx/fetch/ecb', { body: {} })).data,
    // Everything on the page may need the new rates.
    onSuccess: () => queries.invalidateQueries(),
  })
  return (
    <>
      <div className="form-buttons">
        <button type="button" className="button is-main" disabled={fetching.isPending} onClick={() => fetching.mutate()}>
          {fetching.isPending ? 'Fetching…' : 'Fetch the rates of the European Central Bank'}
        </button>
        <button type="button" className="button" aria-expanded={isImporting} onClick={onImport}>
          Import a file
        </button>
      </div>
      {fetching.error !== null && (
        <Problem error={fetching.error} hint="You can also download the file yourself and import it." />
      )}
      {fetching.data !== undefined && !fetching.isPending && (
        <p className="notice" role="status">
          {formatValue(fetching.data.rows_upserted, 'count')} rates stored. Still missing:{' '}
          {missing.map(({ from, to }) => `${from} to ${to}`).join(', ')}. Import a file with these rates.
        </p>
      )}
      <div className="commands">
        <p className="muted">Or on the command line:</p>
        <CommandLine text={FETCH_COMMAND} />
        <CommandLine text="plumbline fx import FILE" />
      </div>
    </>
  )
}
