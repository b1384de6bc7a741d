import { Dialog } from '@base-ui/react/dialog'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import type { components } from '../../client/index.ts'
import { client } from '../api/client.ts'
import { Problem } from '../parts/problem.tsx'
import { TYPE_TEXTS } from './attribute-types.ts'

type Attribute = components['schemas']['Attribute']

const TYPES = ['string', 'number', 'boolean', 'timestamp'] as const satisfies readonly Attribute['type'][]
/** A new attribute, or another name and description for one; its key and type never change. */
export function AttributeDialog({ attribute, onClose }: { attribute: Attribute | undefined; onClose: () => void }) {
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
