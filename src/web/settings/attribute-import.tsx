import { useState } from 'react'
import type { components } from '../../client/index.ts'
import { TYPE_TEXTS } from './attribute-types.ts'
import { CsvImport } from './csv-import.tsx'
import type { CsvPreview } from './csv-preview.ts'
import { FirstRows } from './first-rows.tsx'
import { ImportReport } from './import-report.tsx'

type Attribute = components['schemas']['Attribute']

/** Columns that say who the customer is, where none is chosen: the first that is there. */
const CUSTOMER_COLUMNS = ['customer_id', 'external', 'email']

interface AttributeImportProps {
  readonly known: readonly Attribute[]
  readonly onClose: () => void
}

/** A file of attributes: who the customer is, what will be written, and what became of it. */
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
