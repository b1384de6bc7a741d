import { Dialog } from '@base-ui/react/dialog'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import type { components } from '../../client/index.ts'
import { client } from '../api/client.ts'
import { useHasScope } from '../auth/who.ts'
import { labelOfField } from '../format/labels.ts'
import { Problem } from '../parts/problem.tsx'
import { Empty, Skeleton } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { AttributeImport, AttributeValues, TYPE_TEXTS } from './attribute-values.tsx'
import { Section } from './section.tsx'

type Attribute = components['schemas']['Attribute']

const HEIGHT = 200
const COMPUTED = 'computed'

/** Attributes of customers: definitions, values, import. */
export function AttributesCard() {
  const mayWrite = useHasScope('write')
  const [changed, setChanged] = useState<Attribute | 'new'>()
  const [shown, setShown] = useState<Attribute>()
  const [isImporting, setImporting] = useState(false)
  const answer = useQuery({
    queryKey: ['attributes'],
    queryFn: async ({ signal }) => (await client.get('/api/attributes', { signal })).data,
    staleTime: 0,
  })
  const all = answer.data ?? []
  const named = new Map(all.map((attribute) => [attribute.key, attribute]))
  const columns: Column[] = [
    { key: 'key', label: 'Key', render: (row) => <code>{String(row['key'])}</code> },
    { key: 'label', label: 'Name' },
    { key: 'type', label: 'Type', render: (row) => TYPE_TEXTS[named.get(String(row['key']))?.type ?? 'string'] },
    { key: 'source', label: 'Source', render: (row) => sourceText(String(row['source'])) },
    { key: 'description', label: 'Description', render: (row) => named.get(String(row['key']))?.description ?? '' },
  ]
  const actions: Column = {
    key: 'actions',
    label: 'Actions',
    render: (row) => {
      const attribute = named.get(String(row['key']))
      if (attribute === undefined || attribute.source === COMPUTED) return ''
      return (
        <span className="form-buttons">
          <button
            type="button"
            className="link-button"
            aria-label={`Values of ${attribute.key}`}
            onClick={() => setShown(attribute)}
          >
            Values
          </button>
          {mayWrite && attribute.editable && (
            <button
              type="button"
              className="link-button"
              aria-label={`Edit ${attribute.key}`}
              onClick={() => setChanged(attribute)}
            >
              Edit
            </button>
          )}
        </span>
      )
    },
  }
  return (
    <Section
      title="Attributes"
      lead="Extra fields on customers. Use them in filters, groups and segments."
      tools={
        mayWrite && (
          <span className="form-buttons">
            <button type="button" className="button" onClick={() => setImporting(!isImporting)} aria-expanded={isImporting}>
              Import CSV
            </button>
            <button type="button" className="button" onClick={() => setChanged('new')}>
              New attribute
            </button>
          </span>
        )
      }
    >
      {isImporting && <AttributeImport known={all} onClose={() => setImporting(false)} />}
      {answer.error !== null && <Problem error={answer.error} onRetry={() => void answer.refetch()} />}
      {answer.isPending && <Skeleton height={HEIGHT} />}
      {answer.data !== undefined &&
        (all.length === 0 ? (
          <Empty>No attributes yet.</Empty>
        ) : (
          <Table
            caption="Attributes"
            stacks
            columns={[...columns, actions]}
            rows={all.map(({ key, label, type, source }) => ({
              key,
              label: labelOfField({ key: `attr.${key}`, label }),
              type,
              source,
            }))}
            currency=""
          />
        ))}
      {changed !== undefined && (
        <AttributeDialog attribute={changed === 'new' ? undefined : changed} onClose={() => setChanged(undefined)} />
      )}
      {shown !== undefined && <AttributeValues attribute={shown} onClose={() => setShown(undefined)} />}
    </Section>
  )
}

function sourceText(source: string): string {
  return { csv: 'File', api: 'API', [COMPUTED]: 'Computed' }[source] ?? 'Billing engine'
}

const TYPES = ['string', 'number', 'boolean', 'timestamp'] as const satisfies readonly Attribute['type'][]
/** Creates an attribute, or changes its name and description. Key and type never change. */
function AttributeDialog({ attribute, onClose }: { attribute: Attribute | undefined; onClose: () => void }) {
  const id = useId()
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: ({ key, label, description, type }: Pick<Attribute, 'key' | 'type' | 'label' | 'description'>) =>
      attribute === undefined
        ? client.post('/api/attributes', { body: { key, type, label: label === '' ? null : label, description } })
        : client.put('/api/attributes/{key}', { path: { key: attribute.key }, body: { label, description } }),
    onSuccess: async () => {
      await queries.invalidateQueries()
      onClose()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? '').trim()
    save.mutate({
      key: text('key'),
      type: TYPES.find((type) => type === text('type')) ?? 'string',
      label: text('label'),
      description: text('description') === '' ? null : text('description'),
    })
  }
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog">
          <header className="panel-head">
            <Dialog.Title className="panel-title">
              {attribute === undefined ? 'New attribute' : `Edit “${attribute.key}”`}
            </Dialog.Title>
          </header>
          <form id={id} className="panel-body settings-form" onSubmit={submit}>
            {attribute === undefined && (
              <>
                <label className="field">
                  Key
                  <input name="key" className="input" required maxLength={128} />
                </label>
                <label className="field">
                  Type
                  <select name="type" className="input">
                    {TYPES.map((type) => (
                      <option key={type} value={type}>
                        {TYPE_TEXTS[type]}
                      </option>
                    ))}
                  </select>
                </label>
              </>
            )}
            <label className="field">
              Name
              <input
                name="label"
                className="input"
                required={attribute !== undefined}
                maxLength={200}
                defaultValue={attribute?.label ?? ''}
              />
            </label>
            <label className="field">
              Description
              <input name="description" className="input" defaultValue={attribute?.description ?? ''} />
            </label>
            {save.error !== null && <Problem error={save.error} />}
          </form>
          <footer className="panel-foot">
            <button type="submit" form={id} className="button is-main" disabled={save.isPending}>
              Save
            </button>
            <Dialog.Close className="button">Cancel</Dialog.Close>
          </footer>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
