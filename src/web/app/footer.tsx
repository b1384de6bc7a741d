import { BASE_URL } from '../api/base.ts'
import { useNow } from '../controls/use-page.ts'
import { formatInstant } from '../format/days.ts'

/** How fresh the figures are and by which definitions they are made. */
export function Footer() {
  const { dataThrough, definitions, currency, today } = useNow()
  return (
    <footer className="footer">
      {dataThrough !== undefined && <span>Data through {formatInstant(dataThrough)}</span>}
      {dataThrough === undefined && today !== undefined && <span>Data freshness unknown</span>}
      {currency !== '' && <span>Amounts in {currency}</span>}
      {definitions !== undefined && (
        <span title="Fingerprint of the metric definitions in use">
          Definitions <code>{definitions}</code>
        </span>
      )}
      <span>Dates in UTC</span>
      <a href={`${BASE_URL}/docs`}>API</a>
    </footer>
  )
}
