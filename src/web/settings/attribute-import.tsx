import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { components } from '../../client/index.ts'
import { type Progress, uploadingClient } from '../api/upload.ts'
import { Problem } from '../parts/problem.tsx'
import { Table } from '../parts/table.tsx'
import { TYPE_TEXTS } from './attribute-types.ts'
import { type CsvPreview, previewOf } from './csv-preview.ts'
import { ImportReport } from './import-report.tsx'
import { UploadProgress } from './upload-progress.tsx'

type Attribute = components['schemas']['Attribute']

/** Columns that say who the customer is, where none is chosen: the first that is there. */
const CUSTOMER_COLUMNS = ['customer_id', 'external', 'email']

interface AttributeImportProps {
  readonly known: readonly Attribute[]
  readonly onClose: () => void
}

/** A file of attributes: what it begins with before it is sent, and what became of it afterwards. */
export function AttributeImport({ known, onClose }: AttributeImportProps) {
  const [file, setFile] = useState<File>()
  const [progress, setProgress] = useState<Progress>()
  const queries = useQueryClient()
  const preview = useQuery({
    queryKey: ['csv-preview', file?.name, file?.size, file?.lastModified],
    queryFn: () => (file === undefined ? undefined : previewOf(file)),
    enabled: file !== undefined,
    retry: false,
    gcTime: 0,
  })
  const send = useMutation({
    mutationFn: async (body: FormData) => (await uploadingClient(setProgress).post('/api/attributes/import', { body })).data,
    onSettled: () => setProgress(undefined),
    onSuccess: () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'csv-preview' }),
  })
  const choose = (chosen: File | undefined) => {
    setFile(chosen)
    send.reset()
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    // Empty is the choice of the service, which it makes where the field is absent.
    for (const name of ['id_column', 'id_kind']) if (form.get(name) === '') form.delete(name)
    send.mutate(form)
  }
  return (
    <form className="settings-form settings-import" aria-label="Import attributes" onSubmit={submit}>
      <label className="field">
        CSV file with a header row; one column says who the customer is, every other one is an attribute
        <input
          type="file"
          name="file"
          accept=".csv,text/csv"
          required
          className="input"
          onChange={(event) => choose(event.target.files?.[0])}
        />
      </label>
      {preview.error !== null && (
        <div className="problem" role="alert">
          <p className="problem-title">This cannot be read as CSV.</p>
          <p>{preview.error.message}</p>
        </div>
      )}
      {preview.data !== undefined && <Beginning preview={preview.data} known={known} />}
      <div className="form-buttons">
        <button
          type="submit"
          className="button is-main"
          disabled={preview.data === undefined || send.isPending || send.isSuccess}
        >
          {send.isPending ? 'Importing …' : 'Import'}
        </button>
        <button type="button" className="button" onClick={onClose}>
          {send.isSuccess ? 'Close' : 'Cancel'}
        </button>
      </div>
      {progress !== undefined && <UploadProgress progress={progress} />}
      {send.error !== null && <Problem error={send.error} />}
      {send.data !== undefined && <ImportReport result={send.data} />}
    </form>
  )
}

function Beginning({ preview: { header, rows }, known }: { preview: CsvPreview; known: readonly Attribute[] }) {
  const [chosen, setChosen] = useState('')
  const columnOf = chosen === '' ? CUSTOMER_COLUMNS.find((name) => header.includes(name)) : chosen
  const definitions = new Map(known.map((attribute) => [attribute.key, attribute]))
  const attributes = header.filter((name) => name !== columnOf)
  const shown = rows.map((row) => Object.fromEntries(header.map((_, place) => [`cell ${place}`, row[place] ?? ''])))
  const foreign = attributes.filter((name) => definitions.get(name)?.editable === false)
  const labelOf = (name: string) => {
    const type = definitions.get(name)?.type
    return `${name} (${name === columnOf ? 'customer' : type === undefined ? 'new attribute' : TYPE_TEXTS[type]})`
  }
  return (
    <>
      <div className="settings-fields">
        <label className="field">
          Column of the customer
          <select name="id_column" className="input" value={chosen} onChange={(event) => setChosen(event.target.value)}>
            <option value="">By its name: {CUSTOMER_COLUMNS.join(', ')}</option>
            {header.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          What it holds
          <select name="id_kind" className="input">
            <option value="">As its name says</option>
            <option value="id">Account id, or else external key</option>
            <option value="external">External key</option>
            <option value="email">E-mail address</option>
          </select>
        </label>
      </div>
      {columnOf === undefined && <p className="field-error">No column says who the customer is: choose one.</p>}
      {foreign.length > 0 && (
        <p className="field-error">Not kept here and so refused, with the file: {foreign.join(', ')}. Leave these columns out.</p>
      )}
      <p className="muted">
        The first {rows.length} rows. Attributes that will be written: {attributes.length === 0 ? 'none' : attributes.join(', ')}.
      </p>
      <Table
        caption="First rows of the file"
        columns={header.map((name, place) => ({
          key: `cell ${place}`,
          label: labelOf(name),
          render: (row) => String(row[`cell ${place}`]),
        }))}
        rows={shown}
        currency=""
      />
    </>
  )
}
