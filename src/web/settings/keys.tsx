import { Dialog } from '@base-ui/react/dialog'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import type { components } from '../../client/index.ts'
import { client } from '../api/client.ts'
import type { Scope } from '../auth/who.ts'
import { dayOf, daysLater, formatDay } from '../format/days.ts'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { Problem } from '../parts/problem.tsx'
import { Empty, Skeleton } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Section } from './section.tsx'

type ApiKey = components['schemas']['ApiKey']

const HEIGHT = 160

/** API keys: list, create, revoke. */
export function KeysCard() {
  const [isMaking, setMaking] = useState(false)
  const queries = useQueryClient()
  const answer = useQuery({
    queryKey: ['keys'],
    queryFn: async ({ signal }) => (await client.get('/api/keys', { signal })).data,
    staleTime: 0,
  })
  const revoke = useMutation({
    mutationFn: (id: string) => client.delete('/api/keys/{id}', { path: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  })
  const all = answer.data ?? []
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
  const failed = answer.error ?? revoke.error
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
      {answer.isPending && <Skeleton height={HEIGHT} />}
      {answer.data?.length === 0 && <Empty>No API keys yet.</Empty>}
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

const SCOPES: readonly { readonly scope: Scope; readonly text: string }[] = [
  { scope: 'read:aggregate', text: 'Totals only, no customer data' },
  { scope: 'read', text: 'Read everything' },
  { scope: 'write', text: 'Also change segments, attributes and expenses' },
  { scope: 'admin', text: 'Everything, including keys and sources' },
]

/** Creates a key and shows it once. */
function KeyDialog({ onClose }: { onClose: () => void }) {
  const id = useId()
  const queries = useQueryClient()
  const make = useMutation({
    mutationFn: async (body: { name: string; scopes: Scope[]; expires_at: string | null }) =>
      (await client.post('/api/keys', { body })).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
    // The page forgets the key when the dialog closes.
    gcTime: 0,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const scope = SCOPES.find((one) => one.scope === form.get('scope'))?.scope ?? 'read'
    const day = String(form.get('expires_at') ?? '')
    make.mutate({ name: String(form.get('name')).trim(), scopes: [scope], expires_at: day === '' ? null : day })
  }
  const made = make.data
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()} disablePointerDismissal>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog">
          <header className="panel-head">
            <Dialog.Title className="panel-title">{made === undefined ? 'New API key' : `API key “${made.name}”`}</Dialog.Title>
          </header>
          {made === undefined ? (
            <form id={id} className="panel-body settings-form" onSubmit={submit}>
              <label className="field">
                Name
                <input name="name" className="input" required maxLength={200} />
              </label>
              <label className="field">
                Scope
                <select name="scope" className="input" defaultValue="read">
                  {SCOPES.map(({ scope, text }) => (
                    <option key={scope} value={scope}>
                      {scope}: {text}
                    </option>
                  ))}
                </select>
              </label>
              <label className="field">
                Expires on (optional)
                <input type="date" name="expires_at" className="input" min={daysLater(dayOf(new Date()), 1)} />
              </label>
              {make.error !== null && <Problem error={make.error} />}
            </form>
          ) : (
            <div className="panel-body settings-form">
              <Dialog.Description>Copy the key now. You won’t be able to see it again.</Dialog.Description>
              <code className="settings-secret">{made.key}</code>
            </div>
          )}
          <footer className="panel-foot">
            {made === undefined ? (
              <button type="submit" form={id} className="button is-main" disabled={make.isPending}>
                Create key
              </button>
            ) : (
              <CopyButton text={made.key} label="Copy key" />
            )}
            <Dialog.Close className="button">{made === undefined ? 'Cancel' : 'Done'}</Dialog.Close>
          </footer>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
