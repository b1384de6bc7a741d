import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useId, useMemo, useState } from 'react'
import type { components } from '../../client/index.ts'
import { client } from '../api/client.ts'
import { useMay } from '../auth/who.ts'
import { kept, type Search } from '../controls/search.ts'
import { Problem } from '../parts/problem.tsx'
import { DeleteButton } from './delete-button.tsx'
import { type DraftGroup, definitionOf, draftOf, isComplete, newCondition, newGroup } from './draft.ts'
import { ROOT } from './errors.ts'
import { GroupEditor } from './group-editor.tsx'
import { Preview } from './preview.tsx'
import { useSettled } from './use-settled.ts'
import { useVerdict } from './use-verdict.ts'

type Segment = components['schemas']['Segment']

/** Name, conditions, and who they count; saves a new segment or changes one. */
export function SegmentForm({ segment }: { segment?: Segment }) {
  const id = useId()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const mayWrite = useMay('write')
  const [name, setName] = useState(segment?.name ?? '')
  const [description, setDescription] = useState(segment?.description ?? '')
  const [root, setRoot] = useState<DraftGroup>(() =>
    segment === undefined ? { ...newGroup('and'), nodes: [newCondition()] } : draftOf(segment.definition),
  )
  const settled = useSettled(root)
  const definition = useMemo(() => definitionOf(settled), [settled])
  const isReady = isComplete(settled)
  const { errors, isValid } = useVerdict(definition, isReady)
  const leave = () => navigate({ to: '/segments', search: (before: Search) => kept(before) })
  const save = useMutation({
    mutationFn: () => {
      const body = {
        name: name.trim(),
        description: description.trim() === '' ? null : description,
        definition: definitionOf(root),
      }
      return segment === undefined
        ? client.post('/api/segments', { body })
        : client.put('/api/segments/{id}', { path: { id: segment.id }, body })
    },
    onSuccess: async () => {
      await queries.invalidateQueries()
      await leave()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <>
      <section className="card" aria-label="Name and description">
        {/* The conditions stand outside: Enter in one of their fields saves nothing. */}
        <form id={id} className="segment-names" onSubmit={submit}>
          <div className="field">
            <label htmlFor={`${id}-name`}>Name</label>
            <input
              id={`${id}-name`}
              className="input"
              required
              maxLength={200}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </div>
          <div className="field">
            <label htmlFor={`${id}-description`}>Description</label>
            <input
              id={`${id}-description`}
              className="input"
              maxLength={10_000}
              value={description}
              onChange={(event) => setDescription(event.target.value)}
            />
          </div>
        </form>
      </section>
      <section className="card" aria-label="Conditions">
        <header className="card-head">
          <h2>Conditions</h2>
        </header>
        <GroupEditor
          group={root}
          place={ROOT}
          number=""
          errors={errors}
          onChange={(group) => setRoot(group ?? newGroup('and'))}
        />
      </section>
      <Preview definition={definition} isAsked={isReady && isValid} />
      {save.error !== null && <Problem error={save.error} />}
      <div className="form-buttons">
        {mayWrite && (
          <button
            type="submit"
            form={id}
            className="button is-main"
            disabled={save.isPending || !isComplete(root) || name.trim() === ''}
          >
            {segment === undefined ? 'Save segment' : 'Save changes'}
          </button>
        )}
        <button type="button" className="button" onClick={() => void leave()}>
          {mayWrite ? 'Cancel' : 'Back'}
        </button>
        {segment !== undefined && mayWrite && <DeleteButton segment={segment} onDone={() => void leave()} />}
      </div>
    </>
  )
}
