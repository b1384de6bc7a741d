import { CsvImport } from './csv-import.tsx'
import type { CsvPreview } from './csv-preview.ts'
import { FirstRows } from './first-rows.tsx'
import { RateReport } from './rate-report.tsx'

const COLUMNS = ['date', 'from', 'to', 'rate']

/** A file of exchange rates: what it begins with, from which day on, and what became of it. */
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
    preview === 'archive' || isWide ? [] : COLUMNS.filter((name) => !preview.header.some((cell) => cell.trim() === name))
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
