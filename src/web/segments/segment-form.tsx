import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useId, useMemo, useState } from 'react'
import type { components } from '../../client/index.ts'
import { client } from '../api/client.ts'
import { useHasScope } from '../auth/who.ts'
import { useDebounced } from '../controls/debounced.ts'
import { lastingSearch, type Search } from '../controls/search.ts'
import { ChoiceTabs } from '../parts/choice-tabs.tsx'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { Problem } from '../parts/problem.tsx'
import { ConditionEditor } from './condition-editor.tsx'
import {
  type DraftGroup,
  type DraftNode,
  definitionOf,
  draftOf,
  isComplete,
  isGroup,
  newCondition,
  newGroup,
  replaced,
} from './draft.ts'
import { Preview } from './preview.tsx'
import { type Errors, placeWithin, ROOT, useValidation } from './validation.ts'

type Segment = components['schemas']['Segment']

/** Name, conditions and preview. Saves a new segment or changes one. */
export function SegmentForm({ segment }: { segment?: Segment }) {
  const id = useId()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const mayWrite = useHasScope('write')
  const [name, setName] = useState(segment?.name ?? '')
  const [description, setDescription] = useState(segment?.description ?? '')
  const [root, setRoot] = useState<DraftGroup>(() =>
    segment === undefined ? { ...newGroup('and'), nodes: [newCondition()] } : draftOf(segment.definition),
  )
  const debounced = useDebounced(root)
  const definition = useMemo(() => definitionOf(debounced), [debounced])
  const isReady = isComplete(debounced)
  const { errors, isValid } = useValidation(definition, isReady)
  const leave = () => navigate({ to: '/segments', search: (before: Search) => lastingSearch(before) })
  /** Goes back to the list, which must not compare the segment any more. */
  const leaveWithout = (gone: string) =>
    navigate({
      to: '/segments',
      search: (before: Search) => {
        const lasting = lastingSearch(before)
        const compared = lasting.compare_segments?.filter((one) => one !== gone) ?? []
        return { ...lasting, compare_segments: compared.length === 0 ? undefined : compared }
      },
    })
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
        {/* The conditions are outside the form, so that Enter in them does not save. */}
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
        {segment !== undefined && mayWrite && <DeleteButton segment={segment} onDone={() => leaveWithout(segment.id)} />}
      </div>
    </>
  )
}

interface GroupEditorProps {
  readonly group: DraftGroup
  /** The API's name for the place of the group. */
  readonly place: string
  /** The number of the group on the page, such as `2.1`. Empty for the outermost group. */
  readonly number: string
  readonly errors: Errors
  /** Whether the group was just added. Its first condition then takes the focus. */
  readonly isNew?: boolean
  readonly onChange: (group: DraftGroup | undefined) => void
}

const JOINTS = [
  { value: 'and', label: 'All' },
  { value: 'or', label: 'Any' },
] as const

/** Conditions and nested groups. Customers must match all or any of them. */
function GroupEditor({ group, place, number, errors, isNew = false, onChange }: GroupEditorProps) {
  const { joint, nodes } = group
  const name = number === '' ? 'The segment' : `Group ${number}`
  const [added, setAdded] = useState(isNew ? nodes[0]?.id : undefined)
  const add = (node: DraftNode) => {
    setAdded(node.id)
    onChange({ ...group, nodes: [...nodes, node] })
  }
  return (
    <fieldset className={number === '' ? 'segment-group is-outermost' : 'segment-group'}>
      <legend className="visually-hidden">{name}</legend>
      <div className="group-head">
        <ChoiceTabs
          label={`${name}: which conditions must match`}
          value={joint}
          choices={JOINTS}
          onChoose={(value) => onChange({ ...group, joint: value })}
        />
        <span className="muted">of these conditions must match</span>
        {number !== '' && (
          <button
            type="button"
            className="button is-quiet"
            aria-label={`Remove group ${number}`}
            onClick={() => onChange(undefined)}
          >
            Remove group
          </button>
        )}
      </div>
      {(errors.get(place) ?? []).map((message) => (
        <p key={message} className="field-error">
          {message}
        </p>
      ))}
      {nodes.map((node, index) => {
        const own = `${number === '' ? '' : `${number}.`}${index + 1}`
        const at = placeWithin(place, index)
        const change = (changed: typeof node | undefined) => onChange(replaced(group, node.id, changed))
        return isGroup(node) ? (
          <GroupEditor
            key={node.id}
            group={node}
            place={at}
            number={own}
            errors={errors}
            isNew={node.id === added}
            onChange={change}
          />
        ) : (
          <ConditionEditor
            key={node.id}
            condition={node}
            name={`condition ${own}`}
            errors={errors.get(at) ?? []}
            isNew={node.id === added}
            onChange={change}
          />
        )
      })}
      {nodes.length === 0 && <p className="muted">No conditions yet, so all customers match.</p>}
      <div className="form-buttons">
        <button type="button" className="button" onClick={() => add(newCondition())}>
          + Condition
        </button>
        <button
          type="button"
          className="button"
          onClick={() => add({ ...newGroup(joint === 'and' ? 'or' : 'and'), nodes: [newCondition()] })}
        >
          + Group
        </button>
      </div>
    </fieldset>
  )
}

/** Deletes a segment after confirmation. */
function DeleteButton({ segment, onDone }: { segment: { id: string; name: string }; onDone: () => Promise<void> }) {
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => client.delete('/api/segments/{id}', { path: { id: segment.id } }),
    onSuccess: async () => {
      // The list of segments compares those that it knows, so it must know first.
      await queries.refetchQueries({ queryKey: ['segments'] })
      await onDone()
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] !== segment.id })
    },
  })
  return (
    <>
      <ConfirmButton
        label="Delete"
        title={`Delete “${segment.name}”?`}
        consequence="Customers and metrics don’t change. Links and saved charts that use this segment will show an error."
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
      {remove.error !== null && <Problem error={remove.error} />}
    </>
  )
}
