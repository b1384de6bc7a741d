import { Dialog } from '@base-ui/react/dialog'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { components } from '../../client/index.ts'
import { client } from '../api/client.ts'
import { useHasScope } from '../auth/who.ts'
import { valueLabel } from '../format/labels.ts'
import { formatValue } from '../format/numbers.ts'
import { Pager } from '../parts/pager.tsx'
import { Problem } from '../parts/problem.tsx'
import { Empty, Skeleton } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { CsvImport, FirstRows } from './csv-import.tsx'
import type { CsvPreview } from './csv-preview.ts'

type Attribute = components['schemas']['Attribute']
type AttributeType = components['schemas']['AttributeType']

const LIMIT = 50
const HEIGHT = 320

/** Types of attributes on the page. */
export const TYPE_TEXTS: Readonly<Record<AttributeType, string>> = {
  string: 'Text',
  number: 'Number',
  boolean: 'Yes or no',
  timestamp: 'Date or time',
}

/** Values of an attribute by customer, in the side panel. Values stored by Plumbline can be removed. */
export function AttributeValues({ attribute: { key, label, editable }, onClose }: { attribute: Attribute; onClose: () => void }) {
  const [offset, setOffset] = useState(0)
  const queries = useQueryClient()
  const mayWrite = useHasScope('write')
  const answer = useQuery({
    queryKey: ['attribute-values', key, offset],
    queryFn: async ({ signal }) =>
      (await client.get('/api/customer-attributes', { query: { key, limit: LIMIT, offset }, signal })).data,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const remove = useMutation({
    mutationFn: (id: string) => client.delete('/api/customers/{id}/attributes/{key}', { path: { id, key } }),
    onSettled: async () => {
      // If the page had a single value, the page may be empty now.
      if (answer.data?.rows.length === 1) setOffset(Math.max(0, offset - LIMIT))
      await queries.invalidateQueries()
    },
  })
  const columns: Column[] = [
    { key: 'customer_name', label: 'Customer' },
    { key: 'value', label: 'Value', render: (row) => valueLabel(row['value']) },
    { key: 'updated_at', label: 'Updated' },
  ]
  const removal: Column = {
    key: 'customer_id',
    label: 'Actions',
    render: (row) => {
      const id = String(row['customer_id'])
      return (
        <button
          type="button"
          className="link-button"
          aria-label={`Remove the value of ${String(row['customer_name'] ?? id)}`}
          disabled={remove.isPending}
          onClick={() => remove.mutate(id)}
        >
          Remove
        </button>
      )
    },
  }
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="panel">
          <header className="panel-head">
            <Dialog.Title className="panel-title">Values of {label}</Dialog.Title>
            <Dialog.Close className="button is-quiet" aria-label="Close">
              ✕
            </Dialog.Close>
          </header>
          <div className="panel-body">
            {answer.error !== null && <Problem error={answer.error} onRetry={() => void answer.refetch()} />}
            {remove.error !== null && <Problem error={remove.error} />}
            {answer.isPending && <Skeleton height={HEIGHT} />}
            {answer.data?.rows.length === 0 && <Empty>No customer has a value.</Empty>}
            {answer.data !== undefined && answer.data.rows.length > 0 && (
              <>
                <Table
                  caption={`Values of ${label}`}
                  stacks
                  columns={mayWrite && editable ? [...columns, removal] : columns}
                  rows={answer.data.rows}
                  currency=""
                />
                <Pager total={answer.data.total} offset={offset} limit={LIMIT} onTurn={setOffset} label="Pages of values" />
              </>
            )}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Columns that identify the customer by default. The first of them in the file is used. */
const CUSTOMER_COLUMNS = ['customer_id', 'external', 'external_key', 'email']

interface AttributeImportProps {
  readonly known: readonly Attribute[]
  readonly onClose: () => void
}

/** Imports a file of attributes: customer column, preview, report. */
export function AttributeImport({ known, onClose }: AttributeImportProps) {
  return (
    <CsvImport
      title="Import attributes"
      asks="CSV file with a header row. One column identifies the customer; every other column is an attribute."
      send={async (client, body) => (await client.post('/api/attributes/import', { body })).data}
      beginning={(preview) => preview !== 'archive' && <Beginning preview={preview} known={known} />}
      report={(result) => <ImportReport result={result} />}
      onClose={onClose}
    />
  )
}

function Beginning({ preview, known }: { preview: CsvPreview; known: readonly Attribute[] }) {
  const { header, rows } = preview
  const [chosen, setChosen] = useState('')
  const columnOf = chosen === '' ? CUSTOMER_COLUMNS.find((name) => header.includes(name)) : chosen
  const definitions = new Map(known.map((attribute) => [attribute.key, attribute]))
  const attributes = header.filter((name) => name !== columnOf)
  const foreign = attributes.filter((name) => definitions.get(name)?.editable === false)
  const labelOf = (name: string) => {
    const type = definitions.get(name)?.type
    return `${name} (${name === columnOf ? 'customer' : type === undefined ? 'new attribute' : TYPE_TEXTS[type]})`
  }
  return (
    <>
      <div className="settings-fields">
        <label className="field">
          Customer column
          <select name="id_column" className="input" value={chosen} onChange={(event) => setChosen(event.target.value)}>
            <option value="">Automatic ({CUSTOMER_COLUMNS.join(', ')})</option>
            {header.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          Customer identifier
          <select name="id_kind" className="input">
            <option value="">Automatic, by column name</option>
            <option value="id">Account ID or external key</option>
            <option value="external">External key</option>
            <option value="email">Email address</option>
          </select>
        </label>
      </div>
      {columnOf === undefined && <p className="field-error">No column identifies the customer. Choose one.</p>}
      {foreign.length > 0 && (
        <p className="field-error">
          Read-only attributes: {foreign.join(', ')}. Remove these columns, or the import rejects the file.
        </p>
      )}
      <p className="muted">
        First {rows.length} rows. Attributes to import: {attributes.length === 0 ? 'none' : attributes.join(', ')}.
      </p>
      <FirstRows preview={preview} labelOf={labelOf} />
    </>
  )
}

type Result = components['schemas']['AttributeImport']

const REASONS: Readonly<Record<Result['cells_rejected'][number]['reason'], string>> = {
  type_mismatch: 'Wrong type for this attribute',
  ambiguous_customer: 'More than one customer matches',
}
const MOST_NAMED = 50

/** Result of an import: rows written, unknown customers, rejected cells. */
function ImportReport({ result }: { result: Result }) {
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
