import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { components } from '../../client/index.ts'
import { client } from '../api/client.ts'
import { useMay } from '../auth/who.ts'
import { Problem } from '../parts/problem.tsx'
import { Empty, Skeleton } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { AttributeDialog } from './attribute-dialog.tsx'
import { AttributeImport } from './attribute-import.tsx'
import { TYPE_TEXTS } from './attribute-types.ts'
import { AttributeValues } from './attribute-values.tsx'
import { Section } from './section.tsx'

type Attribute = components['schemas']['Attribute']

const HEIGHT = 200
const COMPUTED = 'computed'

/** What is known of customers beyond their accounts: definitions, values, import. */
export function AttributesCard() {
  const mayWrite = useMay('write')
  const [changed, setChanged] = useState<Attribute | 'new'>()
  const [shown, setShown] = useState<Attribute>()
  const [isImporting, setImporting] = useState(false)
  const asked = useQuery({
    queryKey: ['attributes'],
    queryFn: async ({ signal }) => (await client.get('/api/attributes', { signal })).data,
    staleTime: 0,
  })
  const all = asked.data ?? []
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
      {asked.error !== null && <Problem error={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.isPending && <Skeleton height={HEIGHT} />}
      {asked.data !== undefined &&
        (all.length === 0 ? (
          <Empty>No attributes yet.</Empty>
        ) : (
          <Table
            caption="Attributes"
            stacks
            columns={[...columns, actions]}
            rows={all.map(({ key, label, type, source }) => ({ key, label, type, source }))}
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
