import { Dialog } from '@base-ui/react/dialog'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { client } from '../api/client.ts'
import { useTenants } from '../api/resources.ts'
import { usePage } from '../controls/use-page.ts'
import { Problem } from '../parts/problem.tsx'
import type { Note } from './use-remarks.ts'

const LONGEST = 200

interface NoteDialogProps {
  /** The note to change. Absent: a new one. */
  readonly note?: Note
  /** The metric that a new note may be about. */
  readonly metric?: string | undefined
  readonly onClose: () => void
}

/** Adds a note to a day, changes one or deletes it. */
export function NoteDialog({ note, metric: offered, onClose }: NoteDialogProps) {
  const id = useId()
  const { today, search } = usePage()
  const { data: tenants = [] } = useTenants()
  const queries = useQueryClient()
  const saved = async () => {
    await queries.invalidateQueries({ queryKey: ['notes'] })
    onClose()
  }
  const save = useMutation({
    mutationFn: async (body: Pick<Note, 'day' | 'text' | 'metric' | 'tenant'>) => {
      if (note === undefined) await client.post('/api/notes', { body })
      else await client.put('/api/notes/{id}', { path: { id: note.id }, body })
    },
    onSuccess: saved,
  })
  const remove = useMutation({
    mutationFn: async (removed: Note) => void (await client.delete('/api/notes/{id}', { path: { id: removed.id } })),
    onSuccess: saved,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? '').trim()
    save.mutate({ day: text('day'), text: text('text'), metric: text('metric') || null, tenant: text('tenant') || null })
  }
  const metric = note?.metric ?? offered
  const isBusy = save.isPending || remove.isPending
  const error = save.error ?? remove.error
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog">
          <header className="panel-head">
            <Dialog.Title className="panel-title">{note === undefined ? 'Add note' : 'Edit note'}</Dialog.Title>
          </header>
          <form id={id} className="panel-body settings-form" onSubmit={submit}>
            <label className="field">
              Note
              <input name="text" className="input" required maxLength={LONGEST} defaultValue={note?.text ?? ''} />
            </label>
            <label className="field">
              Day
              <input name="day" type="date" className="input" required defaultValue={note?.day ?? today} />
            </label>
            {metric !== undefined && (
              <label className="field">
                Shown with
                <select name="metric" className="input" defaultValue={note?.metric ?? ''}>
                  <option value="">All metrics</option>
                  <option value={metric}>Only {metric.replaceAll('_', ' ')}</option>
                </select>
              </label>
            )}
            {tenants.length > 1 && (
              <label className="field">
                Tenant
                <select name="tenant" className="input" defaultValue={(note === undefined ? search.tenant : note.tenant) ?? ''}>
                  <option value="">All tenants</option>
                  {tenants.map(({ name, source_id }) => (
                    <option key={source_id} value={name}>
                      {name}
                    </option>
                  ))}
                </select>
              </label>
            )}
            {error !== null && <Problem error={error} />}
          </form>
          <footer className="panel-foot">
            <button type="submit" form={id} className="button is-main" disabled={isBusy}>
              Save
            </button>
            <Dialog.Close className="button">Cancel</Dialog.Close>
            {note !== undefined && (
              <button
                type="button"
                className="button is-danger note-delete"
                disabled={isBusy}
                onClick={() => remove.mutate(note)}
              >
                Delete note
              </button>
            )}
          </footer>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
