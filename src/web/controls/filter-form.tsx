import { type FormEvent, useState } from 'react'
import { filtersOffered, useFields } from '../api/resources.ts'
import { Suggest } from './suggest.tsx'
import { useValues } from './use-values.ts'

/** Name and value of a new filter, both suggested. */
export function FilterForm({ metric, onAdd }: { metric: string; onAdd: (entry: string) => void }) {
  const { data } = useFields(metric)
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const filters = filtersOffered(data)
  const chosen = filters.find(({ key, label }) => label === name || key === name)
  const values = useValues(chosen?.key)
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (chosen !== undefined) onAdd(`${chosen.key}=${value.trim()}`)
  }
  return (
    <form className="filter-form" onSubmit={add}>
      <Suggest
        label="Field"
        value={name}
        suggestions={filters.map(({ label }) => label)}
        placeholder="Plan, country…"
        isInvalid={name !== '' && chosen === undefined}
        onChange={(text) => {
          setName(text)
          setValue('')
        }}
      />
      <Suggest
        label="Value"
        value={value}
        suggestions={values}
        placeholder={chosen?.type === 'boolean' ? 'true or false' : chosen?.type === 'date' ? 'YYYY-MM-DD' : 'Value'}
        onChange={setValue}
      />
      <button type="submit" className="button is-main" disabled={chosen === undefined}>
        Add
      </button>
    </form>
  )
}
