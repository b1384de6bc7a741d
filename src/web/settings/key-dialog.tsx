import { Dialog } from '@base-ui/react/dialog'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { client } from '../api/client.ts'
import type { Scope } from '../auth/who.ts'
import { dayOf, daysLater } from '../format/days.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Problem } from '../parts/problem.tsx'

const SCOPES: readonly { readonly scope: Scope; readonly text: string }[] = [
  { scope: 'read:aggregate', text: 'Totals only, no customer data' },
  { scope: 'read', text: 'Read everything' },
  { scope: 'write', text: 'Also change segments, attributes and expenses' },
  { scope: 'admin', text: 'Everything, including keys and sources' },
]

/** Makes a key, and shows it the only time that it can be seen. */
export function KeyDialog({ onClose }: { onClose: () => void }) {
  const id = useId()
  const queries = useQueryClient()
  const make = useMutation({
    mutationFn: async (body: { name: string; scopes: Scope[]; expires_at: string | null }) =>
      (await client.post('/api/keys', { body })).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
    // The key itself stays nowhere once the dialog is closed.
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
