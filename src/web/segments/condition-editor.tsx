import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useSegmentFields } from '../api/resources.ts'
import { Suggest, useValues } from '../controls/suggest.tsx'
import { distinctLabels, rawTitle, valueLabel } from '../format/labels.ts'
import {
  type DraftCondition,
  fieldsByLabel,
  type Operator,
  operatorLabel,
  operatorsOf,
  type SegmentField,
  valueCount,
} from './draft.ts'

interface ConditionEditorProps {
  readonly condition: DraftCondition
  /** Prefix for the labels of its fields, so that screen reader users can tell conditions apart. */
  readonly name: string
  readonly errors: readonly string[]
  /** Whether the condition was just added. It then takes the focus. */
  readonly isNew: boolean
  readonly onChange: (condition: DraftCondition | undefined) => void
}

const NO_FIELDS: readonly SegmentField[] = []

/** Field, operator and values of a condition. */
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
    // Keep a text that matches no field yet.
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

interface ValuesEditorProps {
  readonly name: string
  readonly field: SegmentField | undefined
  readonly count: 0 | 1 | 2 | 'many'
  readonly values: readonly string[]
  readonly onChange: (values: readonly string[]) => void
}

/** The values of a condition: none, one, two, or a list. */
function ValuesEditor({ name, field, count, values, onChange }: ValuesEditorProps) {
  if (count === 0) return <span />
  if (count === 'many') return <ValueList name={name} field={field} values={values} onChange={onChange} />
  const set = (place: number, value: string) =>
    onChange(Array.from({ length: count }, (_, index) => (index === place ? value : (values[index] ?? ''))))
  return (
    <div className="condition-values">
      <ValueField label={`${name}: value`} field={field} value={values[0] ?? ''} onChange={(value) => set(0, value)} />
      {count === 2 && (
        <>
          <span className="muted">and</span>
          <ValueField label={`${name}: upper value`} field={field} value={values[1] ?? ''} onChange={(value) => set(1, value)} />
        </>
      )}
    </div>
  )
}

interface ValueFieldProps {
  readonly label: string
  readonly field: SegmentField | undefined
  readonly value: string
  readonly onChange: (value: string) => void
}

function ValueField({ label, field, value, onChange }: ValueFieldProps) {
  const suggestions = useValues(field?.metrics[0], field?.type === 'string' ? field.field : undefined, value)
  switch (field?.type) {
    case 'boolean':
      return (
        <select className="input" aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">Choose…</option>
          <option value="true">Yes</option>
          <option value="false">No</option>
        </select>
      )
    case 'date':
    case 'timestamp':
      return (
        <input
          type="date"
          className="input"
          aria-label={label}
          value={value.slice(0, 10)}
          onChange={(event) => onChange(event.target.value)}
        />
      )
    case 'number':
      return (
        <input
          className="input"
          inputMode="decimal"
          aria-label={label}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )
    default:
      return <TextField label={label} name={field?.field} value={value} suggestions={suggestions} onChange={onChange} />
  }
}

interface TextFieldProps extends Pick<ValueFieldProps, 'label' | 'value' | 'onChange'> {
  readonly name: string | undefined
  readonly suggestions: readonly string[]
}

/** A text with suggestions. Shows the label of a value, and passes on the raw value. Any other text is a value too. */
function TextField({ label, name, value, suggestions, onChange }: TextFieldProps) {
  const labels = distinctLabels(
    suggestions.filter((one) => one !== ''),
    name,
  )
  const rawOf = (text: string) => String([...labels].find(([, shown]) => shown === text)?.[0] ?? text)
  // The text stays as typed while it stands for the value: “US” does not turn into “United States” under the cursor.
  const [text, setText] = useState<string>()
  const shown = text !== undefined && rawOf(text) === value ? text : (labels.get(value) ?? value)
  return (
    <Suggest
      label={label}
      isLabelHidden
      value={shown}
      suggestions={[...labels.values()]}
      placeholder="Value"
      onChange={(written) => {
        setText(written)
        onChange(rawOf(written))
      }}
    />
  )
}

function ValueList({ name, field, values, onChange }: Omit<ValuesEditorProps, 'count'>) {
  const [next, setNext] = useState('')
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (next.trim() === '') return
    onChange([...new Set([...values, next.trim()])])
    setNext('')
  }
  return (
    <form className="condition-values" onSubmit={add}>
      {values.map((value) => (
        <span key={value} className="chip" title={rawTitle(value, field?.field)}>
          {valueLabel(value, field?.field)}
          <button
            type="button"
            aria-label={`${name}: remove ${valueLabel(value, field?.field)}`}
            onClick={() => onChange(values.filter((one) => one !== value))}
          >
            ×
          </button>
        </span>
      ))}
      <ValueField label={`${name}: another value`} field={field} value={next} onChange={setNext} />
      <button type="submit" className="button" disabled={next.trim() === ''}>
        Add value
      </button>
    </form>
  )
}
