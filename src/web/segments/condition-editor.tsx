import { useEffect, useRef, useState } from 'react'
import { useSegmentFields } from '../api/resources.ts'
import { Suggest } from '../controls/suggest.tsx'
import { type DraftCondition, type Operator, valueCount } from './draft.ts'
import { fieldsByLabel, operatorLabel, operatorsOf, type SegmentField } from './operators.ts'
import { ValuesEditor } from './values-editor.tsx'

interface ConditionEditorProps {
  readonly condition: DraftCondition
  /** What stands before the names of its fields, so that they can be told apart by ear. */
  readonly name: string
  readonly errors: readonly string[]
  /** Whether it was added just now: it is written next. */
  readonly isNew: boolean
  readonly onChange: (condition: DraftCondition | undefined) => void
}

const NO_FIELDS: readonly SegmentField[] = []

/** A field, what is asked of it, and the values. */
export function ConditionEditor({ condition, name, errors, isNew, onChange }: ConditionEditorProps) {
  const { data: fields = NO_FIELDS } = useSegmentFields()
  const byLabel = fieldsByLabel(fields)
  const field = fields.find((one) => one.field === condition.field)
  const label = [...byLabel].find(([, one]) => one === field)?.[0] ?? condition.field
  const [text, setText] = useState<string>()
  const parts = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    if (isNew) parts.current?.querySelector('input')?.focus()
  }, [isNew])
  const choose = (written: string) => {
    const chosen = byLabel.get(written) ?? fields.find((one) => one.field === written)
    // What is half written is kept as it is, and is no choice yet.
    setText(chosen === undefined ? written : undefined)
    const operators = operatorsOf(chosen)
    if (chosen?.field === condition.field) return
    onChange({
      ...condition,
      field: chosen?.field ?? '',
      op: operators.includes(condition.op) ? condition.op : (operators[0] ?? '='),
      values: [],
    })
  }
  const ask = (op: Operator) =>
    onChange({
      ...condition,
      op,
      values: valueCount(op) === 0 ? [] : condition.values.slice(0, valueCount(op) === 1 ? 1 : undefined),
    })
  const shown = text ?? label
  const offered = operatorsOf(field)
  return (
    <fieldset ref={parts} className="condition">
      <legend className="visually-hidden">{name}</legend>
      <div className="condition-parts">
        <Suggest
          label={`${name}: field`}
          isLabelHidden
          value={shown}
          suggestions={[...byLabel.keys()]}
          placeholder="Country, plan, attribute…"
          isInvalid={shown !== '' && field === undefined}
          onChange={choose}
        />
        <select
          className="input"
          aria-label={`${name}: operator`}
          value={condition.op}
          onChange={(event) => ask(event.target.value as Operator)}
        >
          {(offered.includes(condition.op) ? offered : [condition.op, ...offered]).map((op) => (
            <option key={op} value={op}>
              {operatorLabel(op, field?.type)}
            </option>
          ))}
        </select>
        <ValuesEditor
          key={condition.field}
          name={name}
          field={field}
          count={valueCount(condition.op)}
          values={condition.values}
          onChange={(values) => onChange({ ...condition, values })}
        />
        <button
          type="button"
          className="button is-quiet is-square"
          aria-label={`Remove ${name}`}
          onClick={() => onChange(undefined)}
        >
          ×
        </button>
      </div>
      {errors.map((message) => (
        <p key={message} className="field-error">
          {message}
        </p>
      ))}
    </fieldset>
  )
}
