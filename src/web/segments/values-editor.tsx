import { type FormEvent, useState } from 'react'
import { Suggest } from '../controls/suggest.tsx'
import { useValues } from '../controls/use-values.ts'
import type { SegmentField } from './operators.ts'

interface ValuesEditorProps {
  readonly name: string
  readonly field: SegmentField | undefined
  readonly count: 0 | 1 | 2 | 'many'
  readonly values: readonly string[]
  readonly onChange: (values: readonly string[]) => void
}

/** The values of a condition: none, one, two, or a list. */
export function ValuesEditor({ name, field, count, values, onChange }: ValuesEditorProps) {
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
  const suggestions = useValues(field?.field)
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
      return (
        <Suggest
          label={label}
          isLabelHidden
          value={value}
          suggestions={suggestions.filter((one) => one !== '')}
          placeholder="Value"
          onChange={onChange}
        />
      )
  }
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
        <span key={value} className="chip">
          {value}
          <button
            type="button"
            aria-label={`${name}: remove ${value}`}
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
