import { Dialog } from '@base-ui/react/dialog'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { components } from '../../client/index.ts'
import { client } from '../api/client.ts'
import { useMay } from '../auth/who.ts'
import { valueLabel } from '../format/labels.ts'
import { Pager } from '../parts/pager.tsx'
import { Problem } from '../parts/problem.tsx'
import { Empty, Skeleton } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'

type Attribute = components['schemas']['Attribute']

const LIMIT = 50
const HEIGHT = 320

/** Which customer has which value of an attribute, at the side; values that are kept here can be removed. */
export function AttributeValues({ attribute: { key, label, editable }, onClose }: { attribute: Attribute; onClose: () => void }) {
  const [offset, setOffset] = useState(0)
  const queries = useQueryClient()
  const mayWrite = useMay('write')
  const asked = useQuery({
    queryKey: ['attribute-values', key, offset],
    queryFn: async ({ signal }) =>
      (await client.get('/api/customer-attributes', { query: { key, limit: LIMIT, offset }, signal })).data,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const remove = useMutation({
    mutationFn: (id: string) => client.delete('/api/customers/{id}/attributes/{key}', { path: { id, key } }),
    onSettled: async () => {
      // Of the last page its only value may be gone.
      if (asked.data?.rows.length === 1) setOffset(Math.max(0, offset - LIMIT))
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
            {asked.error !== null && <Problem error={asked.error} onRetry={() => void asked.refetch()} />}
            {remove.error !== null && <Problem error={remove.error} />}
            {asked.isPending && <Skeleton height={HEIGHT} />}
            {asked.data?.rows.length === 0 && <Empty>No customer has a value.</Empty>}
            {asked.data !== undefined && asked.data.rows.length > 0 && (
              <>
                <Table
                  caption={`Values of ${label}`}
                  stacks
                  columns={mayWrite && editable ? [...columns, removal] : columns}
                  rows={asked.data.rows}
                  currency=""
                />
                <Pager total={asked.data.total} offset={offset} limit={LIMIT} onTurn={setOffset} label="Pages of values" />
              </>
            )}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
