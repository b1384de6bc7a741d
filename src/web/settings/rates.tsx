import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { components } from '../../client/index.ts'
import { client } from '../api/client.ts'
import { useHasScope } from '../auth/who.ts'
import { formatDay } from '../format/days.ts'
import { formatValue } from '../format/numbers.ts'
import { Problem } from '../parts/problem.tsx'
import { Empty, Skeleton } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { CsvImport, FirstRows } from './csv-import.tsx'
import type { CsvPreview } from './csv-preview.ts'
import { Section } from './section.tsx'

const HEIGHT = 160
const COLUMNS: readonly Column[] = [
  { key: 'from', label: 'From' },
  { key: 'to', label: 'To' },
  { key: 'rate', label: 'Rate', isNumber: true },
  { key: 'date', label: 'Valid from' },
]

/** Exchange rates: the latest of each pair, the missing ones, and import. */
export function RatesCard() {
  const isAdmin = useHasScope('admin')
  const [isImporting, setImporting] = useState(false)
  const answer = useQuery({
    queryKey: ['fx', 'latest'],
    queryFn: async ({ signal }) => (await client.get('/api/fx/rates', { query: { latest: 'true' }, signal })).data,
    staleTime: 0,
  })
  return (
    <Section
      id="exchange-rates"
      title="Exchange rates"
      lead="Used to convert amounts in other currencies. A rate applies until the next one of the same pair. Without a stored rate, the billing engine’s rates apply."
      tools={
        isAdmin && (
          <button type="button" className="button" onClick={() => setImporting(!isImporting)} aria-expanded={isImporting}>
            Import rates
          </button>
        )
      }
    >
      <MissingRates />
      {isImporting && <RateImport onClose={() => setImporting(false)} />}
      {answer.error !== null && <Problem error={answer.error} onRetry={() => void answer.refetch()} />}
      {answer.isPending && <Skeleton height={HEIGHT} />}
      {answer.data?.length === 0 && <Empty>No exchange rates yet.</Empty>}
      {answer.data !== undefined && answer.data.length > 0 && (
        <Table
          stacks
          caption="Latest exchange rates"
          columns={COLUMNS}
          rows={answer.data.map((rate) => ({ ...rate }))}
          currency=""
        />
      )}
    </Section>
  )
}

type Missing = components['schemas']['MissingFxRate']

const MISSING_HEIGHT = 44
/** Answers stay fresh for a minute, because the service scans all amounts to answer. */
const FRESH_MS = 60_000

/** Exchange rates that amounts need and that are missing. */
function MissingRates() {
  const answer = useQuery({
    queryKey: ['fx', 'missing'],
    queryFn: async ({ signal }) => (await client.get('/api/fx/missing', { signal })).data,
    staleTime: FRESH_MS,
  })
  if (answer.error !== null) return <Problem error={answer.error} onRetry={() => void answer.refetch()} />
  if (answer.data === undefined) return <Skeleton height={MISSING_HEIGHT} />
  if (answer.data.length === 0) return <p>No exchange rates are missing.</p>
  const currencies = [...new Set(answer.data.map(({ to }) => to))]
  return (
    <div className="problem">
      <p className="problem-title">Missing exchange rates. Totals in {currencies.join(', ')} are unavailable until you add:</p>
      <ul>
        {answer.data.map((each) => (
          <li key={`${each.from} ${each.to}`}>{sentence(each)}</li>
        ))}
      </ul>
    </div>
  )
}

function sentence({ from, to, first_day, last_day, count }: Missing): string {
  const days =
    first_day === last_day ? `on ${formatDay(first_day)}` : `between ${formatDay(first_day)} and ${formatDay(last_day)}`
  return `${from} to ${to}: needed for ${count === 1 ? '1 amount' : `${formatValue(count, 'count')} amounts`} ${days}.`
}

const FILE_COLUMNS = ['date', 'from', 'to', 'rate']

/** Imports a file of exchange rates: preview, first day, report. */
function RateImport({ onClose }: { onClose: () => void }) {
  return (
    <CsvImport
      title="Import exchange rates"
      asks="CSV file with the columns date, from, to and rate, or the file of the European Central Bank (CSV or ZIP)"
      takesArchive
      send={async (client, body) => (await client.post('/api/fx/rates/import', { body })).data}
      beginning={(preview) => <Beginning preview={preview} />}
      report={(result) => <RateReport result={result} />}
      onClose={onClose}
    />
  )
}

function Beginning({ preview }: { preview: CsvPreview | 'archive' }) {
  const isWide = preview === 'archive' || isOfCentralBank(preview.header)
  const missing =
    preview === 'archive' || isWide ? [] : FILE_COLUMNS.filter((name) => !preview.header.some((cell) => cell.trim() === name))
  return (
    <>
      <div className="settings-fields">
        <label className="field">
          Skip rates before
          <input type="date" name="since" className="input" />
        </label>
        {isWide && (
          <label className="field">
            Convert European Central Bank rates into
            <input name="to" className="input" pattern="[A-Za-z]{3}" maxLength={3} placeholder="Base currency" />
          </label>
        )}
      </div>
      {missing.length > 0 && (
        <p className="field-error">Missing columns: {missing.join(', ')}. The import will reject this file.</p>
      )}
      {preview === 'archive' ? (
        <p className="muted">ZIP archive. Plumbline reads the CSV file in it.</p>
      ) : (
        <>
          <p className="muted">
            First {preview.rows.length} rows.
            {isWide && ' Each row is one day, with the amount of each currency per euro.'}
          </p>
          <FirstRows preview={preview} />
        </>
      )}
    </>
  )
}

function isOfCentralBank(header: readonly string[]): boolean {
  const [first, ...others] = header.map((name) => name.trim()).filter((name) => name !== '')
  return first === 'Date' && others.length > 0 && others.every((name) => /^[A-Z]{3}$/.test(name))
}

type Result = components['schemas']['FxRateImport']

/** Result of an import: rates stored, rows rejected and why. */
function RateReport({ result }: { result: Result }) {
  const { rows_read, rows_upserted, rows_rejected, rows_rejected_total } = result
  return (
    <div className="stack">
      <p className="notice" role="status">
        {count(rows_read)} rows read, {rows_upserted === 1 ? '1 rate' : `${count(rows_upserted)} rates`} stored.
        {rows_rejected_total > 0 && ` Rejected: ${count(rows_rejected_total)}.`}
        {rows_rejected.length < rows_rejected_total && ` The first ${count(rows_rejected.length)}:`}
      </p>
      {rows_rejected.length > 0 && (
        <Table
          caption="Rejected rows"
          stacks
          columns={[
            { key: 'row', label: 'Row', isNumber: true },
            { key: 'reason', label: 'Reason' },
          ]}
          rows={rows_rejected.map((each) => ({ ...each }))}
          currency=""
        />
      )}
    </div>
  )
}

function count(value: number): string {
  return formatValue(value, 'count')
}
