import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { components } from '../../client/index.ts'
import { client } from '../api/client.ts'
import { useHasScope } from '../auth/who.ts'
import { Pager } from '../parts/pager.tsx'
import { Problem } from '../parts/problem.tsx'
import { Skeleton } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'

const LIMIT = 20
const HEIGHT = 120

/** Failed notifications of a source, with their errors and buttons to retry or discard them. */
export function DeadLetters({ source: { id, name } }: { source: components['schemas']['Source'] }) {
  const [isOpen, setOpen] = useState(false)
  const [offset, setOffset] = useState(0)
  const queries = useQueryClient()
  const mayWrite = useHasScope('write')
  const answer = useQuery({
    queryKey: ['dead-letters', id, offset],
    queryFn: async ({ signal }) =>
      (await client.get('/api/sources/{id}/dead-letters', { path: { id }, query: { limit: LIMIT, offset }, signal })).data,
    enabled: isOpen,
    staleTime: 0,
  })
  const refresh = async () => {
    setOffset(0)
    // The records of notifications count in other answers.
    await queries.invalidateQueries()
  }
  const retry = useMutation({
    mutationFn: (ids: 'all' | readonly string[]) =>
      client.post('/api/sources/{id}/dead-letters/retry', { path: { id }, body: { ids: ids === 'all' ? ids : [...ids] } }),
    onSettled: refresh,
  })
  const drop = useMutation({
    mutationFn: (letter: string) => client.delete('/api/sources/{id}/dead-letters/{letter}', { path: { id, letter } }),
    onSettled: refresh,
  })
  const isBusy = retry.isPending || drop.isPending
  const columns: Column[] = [
    { key: 'entity', label: 'Record', render: (row) => `${String(row['entity'])} ${String(row['entity_id'])}` },
    { key: 'received_at', label: 'Received' },
    { key: 'attempts', label: 'Attempts', isNumber: true },
    { key: 'error', label: 'Error' },
  ]
  const actions: Column = {
    key: 'id',
    label: 'Actions',
    render: (row) => (
      <span className="form-buttons">
        <button
          type="button"
          className="link-button"
          aria-label={`Retry ${String(row['entity'])} ${String(row['entity_id'])}`}
          disabled={isBusy}
          onClick={() => retry.mutate([String(row['id'])])}
        >
          Retry
        </button>
        <button
          type="button"
          className="link-button"
          aria-label={`Discard ${String(row['entity'])} ${String(row['entity_id'])}`}
          disabled={isBusy}
          onClick={() => drop.mutate(String(row['id']))}
        >
          Discard
        </button>
      </span>
    ),
  }
  const failed = answer.error ?? retry.error ?? drop.error
  return (
    <div className="settings-action">
      <div className="form-buttons">
        <button type="button" className="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Failed notifications
        </button>
        {mayWrite && (
          <button type="button" className="button" disabled={isBusy} onClick={() => retry.mutate('all')}>
            Retry all
          </button>
        )}
      </div>
      {failed !== null && <Problem error={failed} />}
      {isOpen && answer.isPending && <Skeleton height={HEIGHT} />}
      {isOpen && answer.data !== undefined && (
        <>
          <Table
            caption={`Failed notifications of ${name}`}
            stacks
            columns={mayWrite ? [...columns, actions] : columns}
            rows={answer.data.rows}
            currency=""
          />
          <Pager
            total={answer.data.total}
            offset={offset}
            limit={LIMIT}
            onTurn={setOffset}
            label={`Pages of notifications of ${name}`}
          />
        </>
      )}
    </div>
  )
}
