import { useState } from 'react'
import { ChoiceTabs } from '../parts/choice-tabs.tsx'
import { ConditionEditor } from './condition-editor.tsx'
import { type DraftGroup, type DraftNode, isGroup, newCondition, newGroup, replaced } from './draft.ts'
import { type Errors, placeWithin } from './errors.ts'

interface GroupEditorProps {
  readonly group: DraftGroup
  /** Where it stands, as the API calls it. */
  readonly place: string
  /** Its number as people read it, `2.1`; empty for the outermost. */
  readonly number: string
  readonly errors: Errors
  /** Whether it was added just now: its first condition is written next. */
  readonly isNew?: boolean
  readonly onChange: (group: DraftGroup | undefined) => void
}

const JOINTS = [
  { value: 'and', label: 'All' },
  { value: 'or', label: 'Any' },
] as const

/** Conditions of which all or any must hold; among them may be groups of the same kind. */
export function GroupEditor({ group, place, number, errors, isNew = false, onChange }: GroupEditorProps) {
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
