import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { components } from '../../client/index.ts'
import { client } from '../api/client.ts'
import { formatDay } from '../format/days.ts'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { Problem } from '../parts/problem.tsx'
import { Empty, Skeleton } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { KeyDialog } from './key-dialog.tsx'
import { Section } from './section.tsx'

type ApiKey = components['schemas']['ApiKey']

const HEIGHT = 160

/** The API keys of programs: who has which, a new one, and the end of one. */
export function KeysCard() {
  const [isMaking, setMaking] = useState(false)
  const queries = useQueryClient()
  const asked = useQuery({
    queryKey: ['keys'],
    queryFn: async ({ signal }) => (await client.get('/api/keys', { signal })).data,
    staleTime: 0,
  })
  const revoke = useMutation({
    mutationFn: (id: string) => client.delete('/api/keys/{id}', { path: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  })
  const all = asked.data ?? []
  const of = new Map(all.map((key) => [key.id, key]))
  const columns: Column[] = [
    { key: 'title', label: 'Name' },
    { key: 'key_prefix', label: 'Prefix', render: (row) => <code>{String(row['key_prefix'])}</code> },
    { key: 'scopes', label: 'Scopes', render: (row) => of.get(String(row['id']))?.scopes.join(', ') ?? '' },
    { key: 'state', label: 'Status', render: (row) => stateOf(of.get(String(row['id']))) },
    { key: 'created_at', label: 'Created' },
    { key: 'last_used_at', label: 'Last used' },
    {
      key: 'actions',
      label: 'Actions',
      render: (row) => {
        const key = of.get(String(row['id']))
        if (key === undefined || key.revoked_at !== null) return ''
        return (
          <ConfirmButton
            label="Revoke"
            title={`Revoke “${key.name}”?`}
            consequence="Programs that use this key are rejected from their next request on. You can’t undo this."
            isBusy={revoke.isPending}
            onConfirm={() => revoke.mutate(key.id)}
          />
        )
      },
    },
  ]
  const failed = asked.error ?? revoke.error
  return (
    <Section
      title="API keys"
      lead="For programs, and for people if no identity provider is configured."
      tools={
        <button type="button" className="button" onClick={() => setMaking(true)}>
          New key
        </button>
      }
    >
      {failed !== null && <Problem error={failed} />}
      {asked.isPending && <Skeleton height={HEIGHT} />}
      {asked.data?.length === 0 && <Empty>No API keys yet.</Empty>}
      {all.length > 0 && (
        <Table
          caption="API keys"
          stacks
          columns={columns}
          rows={all.map(({ id, name, key_prefix, created_at, last_used_at }) => ({
            id,
            title: name,
            key_prefix,
            created_at,
            last_used_at,
          }))}
          currency=""
        />
      )}
      {isMaking && <KeyDialog onClose={() => setMaking(false)} />}
    </Section>
  )
}

function stateOf(key: ApiKey | undefined): string {
  if (key === undefined) return ''
  if (key.revoked_at !== null) return `Revoked ${formatDay(key.revoked_at)}`
  if (key.expires_at === null) return 'Active'
  return key.expires_at <= new Date().toISOString()
    ? `Expired ${formatDay(key.expires_at)}`
    : `Expires ${formatDay(key.expires_at)}`
}
