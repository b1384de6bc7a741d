import type { components } from '../../client/index.ts'
import { formatValue } from '../format/numbers.ts'
import { Table } from '../parts/table.tsx'

type Result = components['schemas']['FxRateImport']

/** What became of a file of exchange rates: what was stored, which rows were refused and why. */
export function RateReport({ result }: { result: Result }) {
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
