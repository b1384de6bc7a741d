import { Dialog } from '@base-ui/react/dialog'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { BASE_PATH, client } from '../api/client.ts'
import { useHasScope, useSignInConfig } from '../auth/who.ts'
import { dayOf, daysLater } from '../format/days.ts'
import { CopyButton } from '../parts/copy.tsx'
import { Problem } from '../parts/problem.tsx'
import { LINKS } from './resources.ts'

/** The dashboard or the saved chart to share. */
export type ShareTarget = { readonly dashboard_id: string } | { readonly chart_id: string }

const DEFAULT_DAYS = 30
const MOST_DAYS = 365

/** Whether the user may create links. Without sign-in there are none. */
export function useMayShare(): boolean {
  const mayWrite = useHasScope('write')
  const { data: signIn } = useSignInConfig()
  return mayWrite && signIn?.auth_enabled === true
}

/** A button that opens the form for a link to a dashboard. */
export function ShareButton({ name, target }: { name: string; target: ShareTarget }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        Share…
      </button>
      {isOpen && <ShareDialog name={name} target={target} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Creates a link and shows it once. */
export function ShareDialog({ name, target, onClose }: { name: string; target: ShareTarget; onClose: () => void }) {
  const id = useId()
  const queries = useQueryClient()
  const isPage = 'dashboard_id' in target
  const make = useMutation({
    mutationFn: async (body: { moment?: 'live' | 'fixed'; names?: boolean; expires_at?: string }) =>
      (await client.post('/api/links', { body: { kind: isPage ? 'page' : 'feed', ...target, ...body } })).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: LINKS }),
    // The page forgets the token when the dialog closes.
    gcTime: 0,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const expires_at = String(form.get('expires_at') ?? '')
    make.mutate({
      ...(expires_at !== '' && { expires_at }),
      ...(isPage && form.get('moment') === 'fixed' && { moment: 'fixed' as const }),
      ...(isPage && form.get('moment') !== 'fixed' && form.get('names') !== null && { names: true }),
    })
  }
  const made = make.data
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()} disablePointerDismissal>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog">
          <header className="panel-head">
            <Dialog.Title className="panel-title">{made === undefined ? `Share “${name}”` : `Link to “${name}”`}</Dialog.Title>
          </header>
          {made === undefined ? (
            <form id={id} className="panel-body settings-form" onSubmit={submit}>
              <p className="muted">
                {isPage
                  ? 'Everybody who has the link sees this dashboard, and nothing else, without signing in.'
                  : 'For spreadsheets, such as IMPORTDATA. The address contains the secret, because spreadsheets cannot send it otherwise. Everybody who has the address reads the rows of this chart.'}
              </p>
              {isPage && <PageChoices />}
              <label className="field">
                Ends on
                <input
                  type="date"
                  name="expires_at"
                  className="input"
                  required
                  defaultValue={daysLater(dayOf(new Date()), DEFAULT_DAYS)}
                  min={daysLater(dayOf(new Date()), 1)}
                  max={daysLater(dayOf(new Date()), MOST_DAYS)}
                />
              </label>
              {make.error !== null && <Problem error={make.error} />}
            </form>
          ) : (
            <div className="panel-body settings-form">
              <Dialog.Description>Copy the link now. You won’t be able to see it again.</Dialog.Description>
              <code className="settings-secret">{addressOf(made.path)}</code>
            </div>
          )}
          <footer className="panel-foot">
            {made === undefined ? (
              <button type="submit" form={id} className="button is-main" disabled={make.isPending}>
                Create link
              </button>
            ) : (
              <CopyButton text={addressOf(made.path)} label="Copy link" />
            )}
            <Dialog.Close className="button">{made === undefined ? 'Cancel' : 'Done'}</Dialog.Close>
          </footer>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** The moment of the numbers, and whether they name customers. Fixed numbers name none. */
function PageChoices() {
  const [moment, setMoment] = useState('live')
  return (
    <>
      <label className="field">
        Numbers
        <select name="moment" className="input" value={moment} onChange={(event) => setMoment(event.target.value)}>
          <option value="live">Live: those of the moment in which it is opened</option>
          <option value="fixed">Fixed: those of now, without customers</option>
        </select>
      </label>
      {moment === 'live' && (
        <label className="share-names">
          <input type="checkbox" name="names" /> Show charts of customers, with their names
        </label>
      )}
    </>
  )
}

/** The path begins with the prefix of the service, which its origin does not have. */
function addressOf(path: string): string {
  return `${location.origin}${path.startsWith(BASE_PATH) ? path : BASE_PATH + path}`
}
