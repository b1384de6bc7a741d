import type { components } from '../../client/index.ts'
import { formatValue } from '../format/numbers.ts'
import { Table } from '../parts/table.tsx'
import { CsvImport, FirstRows } from './csv-import.tsx'
import type { CsvPreview } from './csv-preview.ts'

const FILE_COLUMNS = ['date', 'from', 'to', 'rate']

/** Imports a file of exchange rates: preview, first day, report. */
export function RateImport({ onClose }: { onClose: () => void }) {
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
