import type { components } from '../../client/index.ts'
import { formatValue } from '../format/numbers.ts'
import { Table } from '../parts/table.tsx'

type Result = components['schemas']['AttributeImport']

const REASONS: Readonly<Record<Result['cells_rejected'][number]['reason'], string>> = {
  type_mismatch: 'Wrong type for this attribute',
  ambiguous_customer: 'More than one customer matches',
}
const MOST_NAMED = 50

/** What became of a file of attributes: what was written, whom nobody knows, which cells were refused. */
export function ImportReport({ result }: { result: Result }) {
  const { rows_read, rows_upserted, keys_created, unknown_customers, cells_rejected, kept_as_text } = result
  const named = unknown_customers.slice(0, MOST_NAMED)
  const more = result.unknown_customers_total - named.length
  return (
    <div className="stack">
      <p className="notice" role="status">
        {count(rows_read)} rows read, {count(rows_upserted)} imported.
        {keys_created.length > 0 && ` New attributes: ${keys_created.join(', ')}.`}
        {result.unknown_customers_total > 0 && ` Unknown customers: ${count(result.unknown_customers_total)}.`}
        {result.cells_rejected_total > 0 && ` Rejected cells: ${count(result.cells_rejected_total)}.`}
      </p>
      {kept_as_text.length > 0 && (
        <p className="settings-names">
          Kept as text, because a number would change the value:{' '}
          {kept_as_text.map(({ key, value }) => `${key} (${value})`).join(', ')}
        </p>
      )}
      {named.length > 0 && (
        <p className="settings-names">
          Unknown customers: {named.join(', ')}
          {more > 0 && ` and ${count(more)} more`}
        </p>
      )}
      {cells_rejected.length > 0 && (
        <Table
          caption="Rejected cells"
          stacks
          columns={[
            { key: 'row', label: 'Row', isNumber: true },
            { key: 'key', label: 'Attribute' },
            { key: 'value', label: 'Value', render: (row) => String(row['value']) },
            { key: 'why', label: 'Reason' },
          ]}
          rows={cells_rejected.map(({ row, key, value, reason }) => ({ row, key, value, why: REASONS[reason] }))}
          currency=""
        />
      )}
    </div>
  )
}

function count(value: number): string {
  return formatValue(value, 'count')
}
